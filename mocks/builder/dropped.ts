// The reasons why a transaction cannot be dropped: one that stays needs its coins, tokens, nonce or contract.

import { createdIn } from "../chain/block-effects.ts";
import type { Execution } from "../chain/block-input.ts";
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address } from "../chain/records.ts";
import { inCoins } from "../chain/units.ts";
import type { Overdraft } from "../chain/writer.ts";
import { refuse } from "./impossible.ts";
import type { Label } from "./ledger.ts";

/** Refuses to keep a transaction if an earlier one of its sender, or the creation of a contract it runs, is dropped. */
export class GapCheck {
  readonly #isDropped: (execution: Execution) => boolean;
  readonly #label: Label;
  /** By sender: the nonce of the first transaction that is dropped. */
  readonly #nonces = new Map<Address, number>();
  readonly #notCreated = new Set<Address>();

  constructor(isDropped: (execution: Execution) => boolean, label: Label) {
    this.#isDropped = isDropped;
    this.#label = label;
  }

  /** Call it with each transaction in chain order. */
  check(execution: Execution): void {
    const { hash, from, nonce } = execution.transaction;
    if (this.#isDropped(execution)) {
      if (!this.#nonces.has(from)) this.#nonces.set(from, nonce);
      for (const created of createdIn(execution)) this.#notCreated.add(created);
      return;
    }
    const expected = this.#nonces.get(from);
    if (expected !== undefined) {
      refuse(
        `${hash} of ${this.#label(from)} has nonce ${nonce} and the next is ${expected}: drop the account's later transactions too`,
      );
    }
    if (this.#notCreated.size === 0) return;
    for (const created of createdIn(execution)) this.#notCreated.delete(created);
    const runs = [
      ...execution.frames.map((frame) => frame.from),
      ...execution.logs.map((log) => log.address),
    ];
    const missing = runs.find((contract) => this.#notCreated.has(contract));
    if (missing !== undefined) {
      refuse(
        `${hash} runs ${this.#label(missing)}, and the transaction that created this contract is dropped: drop both`,
      );
    }
  }
}

/** Refuses a transfer that its sender cannot cover. */
export function refuseOverdraft(overdraft: Overdraft, label: Label): never {
  const { from, value } = overdraft;
  switch (overdraft.kind) {
    case "coins": {
      const { balance, transaction } = overdraft;
      const where =
        transaction === null ? "for a debit of the block itself" : `in ${transaction.hash}`;
      const why = overdraft.to === null ? where : `to send to ${label(overdraft.to)}`;
      return refuse(
        `${label(from)} has ${inCoins(balance)} coins (${balance}) and needs ${inCoins(value)} (${value}) ${why}`,
      );
    }
    case "amount": {
      const { balance, token, to } = overdraft;
      const why = to === ZERO_ADDRESS ? "burn" : `send to ${label(to)}`;
      return refuse(
        `${label(from)} has ${balance} of ${label(token)} and needs ${value} to ${why}`,
      );
    }
    case "id": {
      const { owner, token } = overdraft;
      const which = `token ${value} of ${label(token)}`;
      if (owner === undefined) refuse(`${label(from)} does not own ${which}: it does not exist`);
      return from === ZERO_ADDRESS
        ? refuse(`${which} exists already: ${label(owner)} owns it`)
        : refuse(`${label(from)} does not own ${which}: ${label(owner)} does`);
    }
  }
}
