// Fetches what a command prints: one page, every record, or the balances of any number of addresses.
import { InvalidArgumentError } from "commander";
import {
  type AnyOperation,
  type OperationInput,
  type Operations,
  operations,
} from "../contract/index.ts";
import { createTransport } from "../http/transport.ts";
import { BalanceRequest } from "../lists/balance-request.ts";
import type { ListOperation } from "../lists/list-records.ts";
import { paged } from "../lists/paged-request.ts";
import { safeEncode } from "../models/fast-path.ts";
import { verified } from "../resources/contracts.ts";
import { resolveSettings } from "../settings.ts";
import type { ProcessIO } from "./process-io.ts";

/** Whether the operation returns a list. */
export const isList = (operation: AnyOperation | ListOperation): operation is ListOperation =>
  operation.list !== undefined;

export interface FetchOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Every record instead of one page. */
  readonly all: boolean;
  /** How many pages to fetch ahead. */
  readonly prefetch?: number;
}

/** Yields the results of the operation in their wire form: once, or page by page. */
export async function* fetchResults(
  operation: AnyOperation,
  input: Record<string, unknown>,
  { all, baseUrl, apiKey, prefetch }: FetchOptions,
  { env, signal }: ProcessIO,
): AsyncGenerator<unknown> {
  const call = createTransport(
    resolveSettings({
      baseUrl: baseUrl ?? required(env, "EXPLORER_BASE_URL", "--base-url"),
      apiKey: apiKey ?? required(env, "EXPLORER_API_KEY", "--api-key"),
    }),
  );
  if (operation.id === operations.A1.id) {
    const { addresses } = input as OperationInput<Operations["A1"]>;
    yield wire(operation, { data: await new BalanceRequest(call, addresses, { signal }) });
  } else if (all && isList(operation)) {
    const query = { ...(input as OperationInput<ListOperation>), prefetch };
    const list = paged(call, operation, query, { signal });
    for await (const { data } of list.pages()) yield wire(operation, toResults(operation, data));
  } else if (operation.id === operations.C3.id) {
    const submission = input as OperationInput<Operations["C3"]>;
    const { data, response } = await call(operations.C3, submission, { signal });
    yield wire(operation, verified(data, response));
  } else yield wire(operation, (await call(operation, input, { signal })).data);
}

/** A value of the environment. @throws InvalidArgumentError that names the option to pass instead */
export function required(env: ProcessIO["env"], variable: string, option: string): string {
  const value = env[variable];
  if (value) return value;
  throw new InvalidArgumentError(`Missing ${option}: pass it, or set ${variable}`);
}

/** Records in the form of a list's results. */
function toResults({ id }: ListOperation, records: readonly unknown[]): unknown {
  if (id !== "A6") return { count: null, data: records };
  const of = (standard: string) => ({
    count: null,
    results: records.filter((one) => Object(one).standard === standard),
  });
  return { mrc_20: of("mrc20"), mrc_721: of("mrc721") };
}

/** Decoded results in their wire form: by the first schema that encodes them. */
function wire({ results, simpleResults }: AnyOperation, value: unknown): unknown {
  for (const schema of [results, simpleResults]) {
    const encoded = schema && safeEncode(schema, value);
    if (encoded?.success) return encoded.data;
  }
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one)),
  );
}
