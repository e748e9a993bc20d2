// What the blocks that a rewind undoes changed, added up: each balance and each owner is then set once, not once per transaction.
import { visitExecutionMoves, visitRewards } from "./coin-moves.ts";
import { type AddressBook, type BlockEffects, holderIn, type PackedTransfer } from "./effects.ts";
import type { History } from "./history.ts";
import type { Address, TokenStandard } from "./records.ts";
import type { TokenLedger } from "./token-ledger.ts";
import { ownerAfter, transferOf } from "./transfer-event.ts";
import { lastTransfers } from "./transfer-logs.ts";

/** What holders get back, by their numbers in a segment where they have one. */
type Changes = Map<number | Address, bigint>;

/** The changes of balances that the blocks of one segment made. */
interface UndoneMoves {
  readonly coins: Changes;
  readonly amounts: Map<TokenLedger, Changes>;
}

export class Undone {
  readonly #moves = new Map<AddressBook, UndoneMoves>();
  /** The ids of a collection that moved, by the standard of their first undone transfer. */
  readonly #ids = new Map<TokenLedger, Map<bigint, TokenStandard | undefined>>();

  addCoins(effects: BlockEffects): void {
    const { coins } = this.#movesIn(effects.addressBook);
    const move = (from: number | Address | null, to: number | Address | null, value: bigint) => {
      if (from !== null) add(coins, from, value);
      if (to !== null) add(coins, to, -value);
    };
    for (const execution of effects.executions) visitExecutionMoves(execution, move);
    visitRewards(effects, move);
  }

  /** Call it with the newest transfer first. */
  addTransfer(addressBook: AddressBook, token: TokenLedger, event: PackedTransfer["event"]): void {
    if (token.standard === "mrc20") {
      const amounts = getOrMake(this.#movesIn(addressBook).amounts, token, newMap);
      add(amounts, event.from, event.value);
      add(amounts, event.to, -event.value);
      return;
    }
    const ids = getOrMake(this.#ids, token, newMap);
    for (let nth = 0; nth < event.count; nth++)
      ids.set(transferOf(event, nth).value, event.standard);
  }

  /** What each account gets back; an account may come more than once. */
  *coins(): Generator<readonly [Address, bigint]> {
    for (const [addressBook, { coins }] of this.#moves)
      for (const [account, change] of coins)
        yield [typeof account === "number" ? addressBook.account(account) : account, change];
  }

  /** Takes the transfers back; `history` ends before the undone blocks. */
  applyTransfers(history: History): void {
    for (const [addressBook, { amounts }] of this.#moves)
      for (const [token, changes] of amounts)
        for (const [holder, change] of changes)
          token.giveBack(holderIn(addressBook, holder), change);
    for (const [token, ids] of this.#ids) {
      const lastTransfer = lastTransfers(history, token.address);
      for (const [id, standard] of ids) {
        const event = lastTransfer(id, standard);
        token.setOwner(id, event && ownerAfter(event));
      }
    }
  }

  #movesIn(addressBook: AddressBook): UndoneMoves {
    return getOrMake(this.#moves, addressBook, () => ({ coins: new Map(), amounts: new Map() }));
  }
}

function add(changes: Changes, holder: number | Address, change: bigint): void {
  const known = changes.get(holder);
  changes.set(holder, known === undefined ? change : known + change);
}

const newMap = <Key, Value>(): Map<Key, Value> => new Map();

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value & {}): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
