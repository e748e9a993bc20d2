// What the blocks that a rewind undoes changed, added up: each balance and each owner is then set once, not once per transaction.

import { visitSummedMoves } from "./coin-moves.ts";
import type { BlockEffects } from "./effects.ts";
import type { History } from "./history.ts";
import type { Address } from "./records.ts";
import type { TokenLedger } from "./token-ledger.ts";
import {
  ownerAfter,
  TRANSFER_TOPIC,
  type TransferEvent,
  type TransferLog,
  transferIn,
} from "./transfer-event.ts";

/** The changes to take back of one token. */
interface UndoneTransfers {
  readonly amounts: Map<Address, bigint>;
  /** The first undone transfer of each id of a collection. */
  readonly ids: Map<bigint, TransferLog>;
}

export class Undone {
  /** What each account gets back. */
  readonly coins = new Map<Address, bigint>();
  readonly #tokens = new Map<TokenLedger, UndoneTransfers>();

  addCoins(effects: BlockEffects): void {
    visitSummedMoves(effects, (from, to, value) => {
      if (from !== null) add(this.coins, from, value);
      if (to !== null) add(this.coins, to, -value);
    });
  }

  /** Call it with the newest transfer first. */
  addTransfer(token: TokenLedger, log: TransferLog, { from, to, value }: TransferEvent): void {
    let undone = this.#tokens.get(token);
    if (undone === undefined) {
      undone = { amounts: new Map(), ids: new Map() };
      this.#tokens.set(token, undone);
    }
    if (token.standard === "mrc20") {
      add(undone.amounts, from, value);
      add(undone.amounts, to, -value);
    } else undone.ids.set(value, log);
  }

  /** Takes the transfers back; `history` ends before the undone blocks. */
  applyTransfers(history: History): void {
    for (const [token, { amounts, ids }] of this.#tokens) {
      for (const [holder, change] of amounts) token.giveBack(holder, change);
      for (const [id, log] of ids) token.setOwner(id, lastOwner(log, id, history));
    }
  }
}

function add(changes: Map<Address, bigint>, account: Address, change: bigint): void {
  changes.set(account, (changes.get(account) ?? 0n) + change);
}

/** The owner of a token id after its last transfer in the history. */
function lastOwner(log: TransferLog, id: bigint, history: History): Address | undefined {
  const standard = transferIn(log)?.standard;
  const topics =
    standard === undefined
      ? log.topics
      : ([TRANSFER_TOPIC, undefined, undefined, log.topics[3]] as const);
  for (const earlier of history.transfersBackwards({ address: log.address, topics })) {
    const transfer = transferIn(earlier);
    if (transfer?.value === id && transfer.standard === standard) return ownerAfter(transfer);
  }
  return undefined;
}
