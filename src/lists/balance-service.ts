// Requests up to 20 balances, and finds the balance of each address in the response.
import * as z from "zod/mini";
import { operations } from "../contract/index.ts";
import { dataOf } from "../contract/operation.ts";
import { ResponseValidationError } from "../errors/index.ts";
import type { Call, CallOptions, RequestOptions, ResponseWithData } from "../http/call.ts";
import type { Validation } from "../http/invalid.ts";
import { decodeLeniently } from "../models/fast-path.ts";
import { AccountBalance } from "../models/holdings.ts";
import { isObject } from "../models/json.ts";
import { list } from "../models/model.ts";
import type { Address } from "../models/primitives.ts";

/** Options of `accounts.balances`. */
export interface BatchOptions extends RequestOptions {
  /** How many batches of 20 addresses to have in flight. @default 4 */
  readonly concurrency?: number | undefined;
}

/** The parts of a client that request balances. */
export interface BalanceService {
  readonly call: Call;
  readonly validation: Validation;
}

/** A1 with unchecked entries, so that one invalid entry does not fail the others. */
const A1_UNCHECKED = { ...operations.A1, results: dataOf(list(z.unknown())) };

/** Requests up to 20 balances. Returns the valid ones by lower-case address. */
export async function requestBalances(
  { call, validation }: BalanceService,
  addresses: readonly Address[],
  options: CallOptions,
): Promise<ResponseWithData<ReadonlyMap<string, bigint>>> {
  const isLenient = validation === "lenient";
  const operation = isLenient ? operations.A1 : A1_UNCHECKED;
  const { data, response } = await call(operation, { addresses }, { ...options, isChecked: true });
  const balances = new Map<string, bigint>();
  // Matched by address, because a response may reorder, recase, add or omit entries.
  for (const entry of data.data) {
    if (!isObject(entry)) continue;
    const { address, balance } = decodeLeniently(AccountBalance, entry);
    const isValid = isLenient ? (balance ?? undefined) !== undefined : typeof balance === "bigint";
    if (isValid) balances.set(String(address).toLowerCase(), balance);
  }
  return { data: balances, response };
}

/** Returns the error of a response that lacks the balance of an address. */
export const missingBalance = (address: string, { status }: Response): ResponseValidationError =>
  new ResponseValidationError(`The response has no balance for ${address}`, {
    ...{ operation: operations.A1.id, operationName: operations.A1.name },
    httpStatus: status,
  });

/** A balance that is requested in this tick. */
export interface PendingBalance {
  readonly address: Address;
  readonly signal: AbortSignal | undefined;
  /** Settles with the balance, or when the caller leaves. */
  readonly result: Promise<unknown>;
  readonly resolve: (balance: ResponseWithData<bigint>) => void;
  readonly reject: (error: unknown) => void;
}
