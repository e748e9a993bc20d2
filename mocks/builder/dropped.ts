// Why a transaction cannot be dropped: one that stays needs its coins, its tokens, its place in the order or its contract.
import type { Execution } from "../chain/block-input.ts";
import { ZERO_ADDRESS } from "../chain/constants.ts";
import { createdIn } from "../chain/outcome.ts";
import type { Address } from "../chain/records.ts";
import type { Shortfall } from "../chain/shortfall.ts";
import { refuse } from "./impossible.ts";
import type { Label } from "./ledger.ts";
import { inCoins } from "./units.ts";

/** Refuses a transaction that stays after one of its sender is dropped, or that runs a contract whose creation is. */
export function refuseGaps(
  executions: readonly Execution[],
  isDropped: (execution: Execution) => boolean,
  label: Label,
): void {
  const nonces = new Map<Address, number>();
  const gone = new Set<Address>();
  for (const execution of executions) {
    const { hash, from, nonce } = execution.transaction;
    if (isDropped(execution)) {
      if (!nonces.has(from)) nonces.set(from, nonce);
      for (const created of createdIn(execution)) gone.add(created);
      continue;
    }
    const next = nonces.get(from);
    if (next !== undefined) {
      refuse(
        `${hash} of ${label(from)} has nonce ${nonce} and the next is ${next}: drop all that the account sent later, too`,
      );
    }
    for (const created of createdIn(execution)) gone.delete(created);
    const runs = [
      ...execution.frames.map((frame) => frame.from),
      ...execution.logs.map((log) => log.address),
    ];
    const missing = runs.find((contract) => gone.has(contract));
    if (missing !== undefined) {
      refuse(
        `${hash} runs ${label(missing)}, and the transaction that created this contract is dropped: drop both`,
      );
    }
  }
}

/** Refuses what an account gives without having it. */
export function refuseShortfall(shortfall: Shortfall, label: Label): never {
  const { from, value } = shortfall;
  switch (shortfall.of) {
    case "coins": {
      const { has, transaction } = shortfall;
      const where = transaction === null ? "for what the block takes" : `in ${transaction.hash}`;
      const why = shortfall.to === null ? where : `to send to ${label(shortfall.to)}`;
      return refuse(
        `${label(from)} has ${inCoins(has)} coins (${has}) and needs ${inCoins(value)} (${value}) ${why}`,
      );
    }
    case "amount": {
      const { has, token, to } = shortfall;
      const why = to === ZERO_ADDRESS ? "burn" : `send to ${label(to)}`;
      return refuse(`${label(from)} has ${has} of ${label(token)} and needs ${value} to ${why}`);
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
