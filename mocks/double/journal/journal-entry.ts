// One request in the journal: what is kept of it, its line in a message, and how it differs from an expectation.
import {
  type OperationId,
  type OperationInput,
  type Operations,
  operations,
} from "../../../src/contract/index.ts";
import {
  type OperationIdOf,
  type OperationKey,
  operationIdOf,
  operationKeys,
  operationLabel,
} from "../../../src/contract/operation-names.ts";
import { didYouMean } from "../service/suggest.ts";
import { decimalJson } from "./decimal-json.ts";
import { keptParameter } from "./journal-budget.ts";

/** One request. */
export interface JournalEntry {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Undefined where no operation has this path and method. */
  readonly operation: OperationId | undefined;
  /**
   * The checked parameters with defaults filled in; undefined where the request was refused. A parameter above 4096 characters, such as a
   * contract's source, is kept as a {@link ParameterDigest}.
   */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** 0 while no response is ready, and where none is sent: a broken connection, a fault `never`. */
  readonly status: number;
  /** The message of an error response. */
  readonly message: string | undefined;
  /** Near misses: parameters that were ignored, and the nearest known names. */
  readonly notes: readonly string[];
  /** The faults that were applied, by name. */
  readonly faults: readonly string[];
  /** Milliseconds since 1970, by the explorer's clock. */
  readonly at: number;
  /** Milliseconds until the response was ready. */
  readonly duration: number;
}

/** The parameters to look for: those left out match anything; addresses match in any case. */
export type RequestParameters<Key extends OperationKey> = Partial<
  OperationInput<Operations[OperationIdOf<Key>]>
>;

/** An entry that is still being written. */
export type OpenEntry = { -readonly [Key in keyof JournalEntry]: JournalEntry[Key] };

/** A key where it does not belong: in the query, under any spelling of its name. */
const KEY_IN_QUERY = /([?&](?:api|%61pi)?[-_.]?key=)[^&]*/gi;

/** A target without the api-key that somebody put into its query. */
export const withoutKey = (target: string): string =>
  /key=/i.test(target) ? target.replace(KEY_IN_QUERY, "$1[api-key]") : target;

/** Shared by the many entries without notes or faults. */
export const noStrings: readonly string[] = [];

/** A failed expectation on the journal. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** The number of an operation. A typing mistake throws: it would find nothing, and `times: 0` would always hold. */
export function knownOperation(key: string, parameters: object): OperationId {
  const id = operationIdOf(key);
  if (id === undefined)
    throw new JournalError(
      `no operation ${key}; there are ${Object.values(operations)
        .map((operation) => operationLabel(operation.id))
        .join(", ")}${didYouMean(key, operationKeys)}`,
    );
  const { shape } = operations[id].input;
  for (const name of Object.keys(parameters))
    if (!Object.hasOwn(shape, name))
      throw new JournalError(
        `${operationLabel(id)} has no parameter ${name}; it has ${Object.keys(shape).join(", ")}${didYouMean(name, Object.keys(shape))}`,
      );
  return id;
}

export const requestCount = (count: number): string =>
  count === 0 ? "no request" : count === 1 ? "1 request" : `${count} requests`;

/** One request on one line. */
export function formatEntry(entry: JournalEntry): string {
  const { number, operation, method, target, status, message, notes } = entry;
  const remarks = [message, ...notes].filter((text) => text !== undefined && text !== "success");
  const name = operation === undefined ? "no operation" : operationLabel(operation);
  return `#${number} ${status || "no response"} ${name} ${method} ${target}${remarks.length ? `: ${remarks.join("; ")}` : ""}`;
}

const formatValue = (value: unknown): string | undefined =>
  typeof value === "bigint" ? `${value}` : decimalJson(value);

export const formatParameters = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${formatValue(keptParameter(value))}`)
    .join(", ");

/** The parameters in which a request differs from the expected ones. */
export function differences({ input }: JournalEntry, parameters: object): string[] {
  return Object.entries(parameters).flatMap(([name, expected]) => {
    if (expected === undefined) return [];
    if (input === undefined)
      return [
        `${name}: expected ${formatValue(keptParameter(expected))}, but the request was refused`,
      ];
    if (isEqual(input[name], expected)) return [];
    const received = formatValue(input[name]) ?? "nothing";
    return [`${name}: expected ${formatValue(keptParameter(expected))}, received ${received}`];
  });
}

/** Ignores the case of hexadecimal, and whether a number is a bigint; long values are compared as the journal keeps them. */
const isEqual = (received: unknown, expected: unknown): boolean =>
  received === expected || normalize(received) === normalize(keptParameter(expected));

function normalize(value: unknown): string | undefined {
  return formatValue(value)
    ?.replace(/0x[0-9a-f]+/gi, (hex) => hex.toLowerCase())
    .replace(/^"(\d+)"$/, "$1");
}
