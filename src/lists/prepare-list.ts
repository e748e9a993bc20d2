// Checks a list's parameters and options once, before its first page is requested.

import * as z from "zod/mini";
import { loadCode } from "../errors/connection.ts";
import { checkOptions, checkParameters, number, parseOptions } from "../http/request.ts";
import type { ListSource, PreparedList } from "./list.ts";
import { readCursor } from "./position.ts";

/** Limit, because more pages in flight would exhaust the memory or the server. */
const MAX_PREFETCH = 1000;

const iterationOptions = z.object({
  prefetch: z.optional(
    number(
      `an integer from 0 to ${MAX_PREFETCH}`,
      (value) => Number.isInteger(value) && value >= 0 && value <= MAX_PREFETCH,
    ),
  ),
  maxItems: z.optional(
    number(
      "an integer from 0 to Infinity",
      (value) => (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0,
    ),
  ),
});

/** The parameters that decide which page of a list is requested. */
interface PageParameters {
  readonly limit?: number;
  readonly offset?: number;
  readonly startBlock?: string;
  readonly endBlock?: string;
}

const numberOf = (digits?: string) => (digits === undefined ? undefined : Number(digits));

/** Throws a {@link ParameterError} that says which parameter or option is wrong. */
export async function prepareList(source: ListSource): Promise<PreparedList> {
  const { call, iteration, operation, options, parameters, period, resume } = source;
  const wire = checkParameters(operation, parameters);
  if (options !== undefined) checkOptions(operation, options);
  const { prefetch, maxItems } = iteration;
  if (prefetch !== undefined || maxItems !== undefined)
    parseOptions("Invalid iteration options", iterationOptions, iteration, {
      operation: operation.id,
    });
  const { limit, offset = 0, ...query } = wire as PageParameters;
  const hasPeriod = (period.since ?? period.until ?? null) !== null;
  const code = hasPeriod ? await loadCode(() => import("./period.ts")) : undefined;
  const moments = code?.checkPeriod(operation, period, query);
  const named = Object.entries({ ...query, ...moments });
  const name = [operation.id, ...named.map(([key, value]) => `${key}=${value}`).sort()];
  const list: PreparedList = {
    ...{ call, operation, wire, options, iteration, limit, offset },
    records: { ...operation.list, ...(await call.listOf?.(operation)) },
    range: { from: numberOf(query.startBlock), to: numberOf(query.endBlock) },
    isRangeFound: false,
    bounds: [],
    name: name.join(" ").toLowerCase(),
  };
  const position = readCursor(list, resume);
  const resumed = position ? { ...list, position } : list;
  return code && moments ? code.limitTo(resumed, moments) : resumed;
}
