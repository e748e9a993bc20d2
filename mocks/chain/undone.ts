// What the blocks that a rewind undoes changed, added up: each balance and each owner is then set once, not once per transaction.

import { visitSummedMoves } from "./coin-moves.ts";
import type { BlockEffects } from "./effects.ts";
import type { History } from "./history.ts";
import type { Address, TokenStandard } from "./records.ts";
import type { TokenLedger } from "./token-ledger.ts";
import { ownerAfter, type TransferEvent, transferOf } from "./transfer-event.ts";
import { lastTransfer } from "./transfer-logs.ts";

/** The changes to take back of one token. */
interface UndoneTransfers {
  readonly amounts: Map<Address, bigint>;
  /** The ids of a collection that moved, by the standard of their first undone transfer. */
  readonly ids: Map<bigint, TokenStandard | undefined>;
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
  addTransfer(token: TokenLedger, event: TransferEvent): void {
    const { from, to, value } = event;
    let undone = this.#tokens.get(token);
    if (undone === undefined) {
      undone = { amounts: new Map(), ids: new Map() };
      this.#tokens.set(token, undone);
    }
    if (token.standard === "mrc20") {
      add(undone.amounts, from, value);
      add(undone.amounts, to, -value);
      return;
    }
    for (let nth = 0; nth < event.count; nth++)
      undone.ids.set(transferOf(event, nth).value, event.standard);
  }

  /** Takes the transfers back; `history` ends before the undone blocks. */
  applyTransfers(history: History): void {
    for (const [token, { amounts, ids }] of this.#tokens) {
      for (const [holder, change] of amounts) token.giveBack(holder, change);
      for (const [id, standard] of ids) {
        const event = lastTransfer(history, token.address, id, standard);
        token.setOwner(id, event && ownerAfter(event));
      }
    }
  }
}

function add(changes: Map<Address, bigint>, account: Address, change: bigint): void {
  changes.set(account, (changes.get(account) ?? 0n) + change);
}
