// Facts about a token from several operations, for `tokens info` and for agents.
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import type { Call } from "../http/call.ts";
import type { Address } from "../models/primitives.ts";
import { formatTokenAmount } from "../resources/display.ts";
import { tokenInfo } from "../resources/token-info.ts";
import type { Row } from "./records.ts";

/** Awaits the value of a call; undefined if the explorer does not have it. */
export async function ifFound<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value;
  } catch (error) {
    if (isExplorerError(error, "NOT_FOUND") || isExplorerError(error, "NOT_VERIFIED"))
      return undefined;
    throw error;
  }
}

export const TOKEN_FIELDS = [
  ...["address", "standard", "name", "symbol", "decimals"],
  ...["total_supply", "total_supply_formatted", "holders"],
];

/** Describes a token by its records, its supply and its number of holders. */
export async function describeToken(
  call: Call,
  address: Address,
  signal: AbortSignal,
): Promise<Row> {
  const contract_hash = address;
  const [info, supply, holders] = await Promise.all([
    tokenInfo(call, contract_hash, { signal }),
    ifFound(call(operations.T1, { contract_hash }, { signal })),
    ifFound(call(operations.T4, { contract_hash }, { signal })),
  ]);
  const { name, symbol, decimals, standard } = info.data;
  if (!supply && !holders && !standard)
    throw new TypeError("address: the explorer does not know this token");
  const total = supply?.data.data.total_supply ?? null;
  const isCounted = decimals !== null || standard === "mrc721";
  return {
    ...{ address, standard, name, symbol, decimals },
    total_supply: total === null ? null : `${total}`,
    total_supply_formatted:
      total === null || !isCounted ? null : formatTokenAmount(total, decimals),
    holders: holders?.data.data.holder_count ?? null,
  };
}
