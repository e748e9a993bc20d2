// The reasons why a transaction cannot be dropped: one that stays needs its coins, tokens, nonce or contract.

import { createdIn } from "../chain/block-effects.ts";
import type { Execution } from "../chain/block-input.ts";
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address } from "../chain/records.ts";
import { inCoins } from "../chain/units.ts";
import type { Shortfall } from "../chain/writer.ts";
import { refuse } from "./impossible.ts";
import type { Label } from "./ledger.ts";

/** Refuses to keep a transaction if an earlier one of its sender, or the creation of a contract it runs, is dropped. */
export function refuseGaps(
  executions: readonly Execution[],
  isDropped: (execution: Execution) => boolean,
  label: Label,
): void {
  const nonces = new Map<Address, number>();
  const notCreated = new Set<Address>();
  for (const execution of executions) {
    const { hash, from, nonce } = execution.transaction;
    if (isDropped(execution)) {
      if (!nonces.has(from)) nonces.set(from, nonce);
      for (const created of createdIn(execution)) notCreated.add(created);
      continue;
    }
    const expected = nonces.get(from);
    if (expected !== undefined) {
      refuse(
        `${hash} of ${label(from)} has nonce ${nonce} and the next is ${expected}: drop the account's later transactions too`,
      );
    }
    for (const created of createdIn(execution)) notCreated.delete(created);
    const runs = [
      ...execution.frames.map((frame) => frame.from),
      ...execution.logs.map((log) => log.address),
    ];
    const missing = runs.find((contract) => notCreated.has(contract));
    if (missing !== undefined) {
      refuse(
        `${hash} runs ${label(missing)}, and the transaction that created this contract is dropped: drop both`,
      );
    }
  }
}

/** Refuses a transfer that its sender cannot cover. */
export function refuseShortfall(shortfall: Shortfall, label: Label): never {
  const { from, value } = shortfall;
  switch (shortfall.kind) {
    case "coins": {
      const { balance, transaction } = shortfall;
      const where =
        transaction === null ? "for a debit of the block itself" : `in ${transaction.hash}`;
      const why = shortfall.to === null ? where : `to send to ${label(shortfall.to)}`;
      return refuse(
        `${label(from)} has ${inCoins(balance)} coins (${balance}) and needs ${inCoins(value)} (${value}) ${why}`,
      );
    }
    case "amount": {
      const { balance, token, to } = shortfall;
      const why = to === ZERO_ADDRESS ? "burn" : `send to ${label(to)}`;
      return refuse(
        `${label(from)} has ${balance} of ${label(token)} and needs ${value} to ${why}`,
      );
    }
    case "id": {
      const { owner, token } = shortfall;
      const which = `token ${value} of ${label(token)}`;
      if (owner === undefined) refuse(`${label(from)} does not own ${which}: it does not exist`);
      return from === ZERO_ADDRESS
        ? refuse(`${which} exists already: ${label(owner)} owns it`)
        : refuse(`${label(from)} does not own ${which}: ${label(owner)} does`);
    }
  }
}
