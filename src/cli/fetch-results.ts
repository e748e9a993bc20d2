// How the command line asks an operation: one page, every record, or as many batches as there are addresses.
import { InvalidArgumentError } from "commander";
import { ExplorerClient } from "../client.ts";
import {
  type AnyOperation,
  type OperationInput,
  type Operations,
  operations,
} from "../contract/index.ts";
import type { Call } from "../http/call.ts";
import type { ListOperation } from "../lists/list-records.ts";
import { paged } from "../lists/paged-request.ts";
import { safeEncode } from "../models/fast-path.ts";
import type { ProcessIO } from "./process-io.ts";

/** Whether the operation answers a page of a list. */
export const isList = (operation: AnyOperation | ListOperation): operation is ListOperation =>
  operation.list !== undefined;

export interface FetchOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Every record instead of one page. */
  readonly all: boolean;
  /** How many pages to ask for ahead. */
  readonly prefetch?: number;
}

/** The results of the operation in their wire form: once, or page by page. */
export async function* fetchResults(
  operation: AnyOperation,
  input: Record<string, unknown>,
  { all, baseUrl, apiKey, prefetch }: FetchOptions,
  { env, signal }: ProcessIO,
): AsyncGenerator<unknown> {
  const explorer = new ExplorerClient({
    baseUrl: baseUrl ?? given(env, "EXPLORER_BASE_URL", "--base-url"),
    apiKey: apiKey ?? given(env, "EXPLORER_API_KEY", "--api-key"),
  });
  if (operation.id === operations.A1.id) {
    const { addresses } = input as OperationInput<Operations["A1"]>;
    yield wire(operation, { data: await explorer.accounts.balances(addresses, { signal }) });
  } else if (all && isList(operation)) {
    const call: Call = (one, of, options) => explorer.request(one, of, options).withResponse();
    const given = { ...(input as OperationInput<ListOperation>), prefetch };
    const list = paged(call, operation, given, { signal });
    for await (const { data } of list.pages()) yield wire(operation, resultsOf(operation, data));
  } else yield wire(operation, await explorer.request(operation, input, { signal }));
}

function given(env: ProcessIO["env"], variable: string, option: string): string {
  const value = env[variable];
  if (value) return value;
  throw new InvalidArgumentError(`give ${option}, or set ${variable}`);
}

/** Records as they stand in the results of a list. */
function resultsOf({ id }: ListOperation, records: readonly unknown[]): unknown {
  if (id !== "A6") return { count: null, data: records };
  const of = (standard: string) => ({
    count: null,
    results: records.filter((one) => Object(one).standard === standard),
  });
  return { mrc_20: of("mrc20"), mrc_721: of("mrc721") };
}

/** Decoded results as the service writes them. Both forms keep what they do not know, so what is left over is simple. */
function wire({ results, simpleResults }: AnyOperation, value: unknown): unknown {
  for (const schema of [results, simpleResults]) {
    const encoded = schema && safeEncode(schema, value);
    if (encoded?.success) return encoded.data;
  }
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one)),
  );
}
