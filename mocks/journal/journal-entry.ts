// One request in the journal: its parameters as they are kept, its line in a message, and how it
// differs from an expectation.

import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
  type OperationId,
  type OperationInput,
  type Operations,
  operations,
} from "../../src/contract/index.ts";
import {
  type OperationIdOf,
  type OperationKey,
  operationIdOf,
  operationKeys,
  operationLabel,
} from "../../src/contract/operation-names.ts";
import { describe } from "../../src/models/issues.ts";
import { didYouMean } from "../../src/models/suggest.ts";
import { createEncoder } from "../input/text-coding.ts";
import { decimalJson } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";

/** A long parameter, as the journal keeps it: a contract's source, for example. */
export interface ParameterDigest {
  /** Length in characters: of the text, or of the JSON of a list. */
  readonly length: number;
  /** Hash of the same text in UTF-8. */
  readonly sha256: string;
}

/** The longest parameter that is kept unchanged, in characters. */
const MAX_LENGTH = 4096;

const encoder = createEncoder();

/**
 * Returns a parameter as the journal keeps it: as JSON has it, or as its {@link ParameterDigest}
 * above 4096 characters.
 */
function journalParameter(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "string" && typeof value !== "object") return value;
  const text = typeof value === "string" ? value : decimalJson(value);
  if (text === undefined || text.length <= MAX_LENGTH) return value;
  const sha256 = `0x${bytesToHex(sha256Of(encoder.encode(text)))}`;
  return { length: text.length, sha256 } satisfies ParameterDigest;
}

/** The parameters of a request as the journal keeps them. */
export const journalInput = (
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, journalParameter(value)]));

/**
 * Parameters to look for. A parameter that is left out matches anything. Addresses match in any
 * case.
 */
export type RequestParameters<Key extends OperationKey> = Partial<
  OperationInput<Operations[OperationIdOf<Key>]>
>;

/** A failed expectation on the journal. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/**
 * Returns the number of an operation. Throws for an unknown name, because an expectation with
 * `times: 0` would always hold for it.
 */
export function knownOperation(key: string, parameters: object): OperationId {
  const id = operationIdOf(key);
  if (id === undefined)
    throw new JournalError(
      `no operation ${key}; the operations are ${Object.values(operations)
        .map((operation) => operationLabel(operation.id))
        .join(", ")}${didYouMean(`${key}`, operationKeys)}`,
    );
  if (parameters !== Object(parameters))
    throw new JournalError(
      `parameters of ${operationLabel(id)}: expected an object, received ${describe(parameters)}`,
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
    .map(([name, value]) => `${name} ${formatValue(journalParameter(value))}`)
    .join(", ");

/** Describes the parameters in which a request differs from the expected ones. */
export function differences({ input }: JournalEntry, parameters: object): string[] {
  return Object.entries(parameters).flatMap(([name, expected]) => {
    if (expected === undefined) return [];
    if (input === undefined)
      return [
        `${name}: expected ${formatValue(journalParameter(expected))}, but the request was refused`,
      ];
    if (isEqual(input[name], expected)) return [];
    const received = formatValue(input[name]) ?? "nothing";
    return [`${name}: expected ${formatValue(journalParameter(expected))}, received ${received}`];
  });
}

/**
 * Compares parameters. Ignores the case of hexadecimal, and whether a number is a bigint. Compares
 * long values by their digests.
 */
const isEqual = (received: unknown, expected: unknown): boolean =>
  received === expected || normalize(received) === normalize(journalParameter(expected));

function normalize(value: unknown): string | undefined {
  return formatValue(value)
    ?.replace(/0x[0-9a-f]+/gi, (hex) => hex.toLowerCase())
    .replace(/^"(\d+)"$/, "$1");
}
