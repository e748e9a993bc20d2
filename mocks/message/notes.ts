// The notes of a request: its journal entry, and its exchange with headers and bodies.
import type { OperationId } from "../../src/contract/index.ts";
import type { ServiceRequest, ServiceResponse } from "./message.ts";

/** One request. */
export interface JournalEntry {
  /** Number from 1, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Path and query as they came, up to 2000 characters. */
  readonly target: string;
  /** Undefined where no operation has this path and method. */
  readonly operation: OperationId | undefined;
  /**
   * The checked parameters with defaults filled in, bigints as decimal strings; undefined where the
   * request was refused. A parameter above 4096 characters, such as a contract's source, is kept as
   * a {@link ParameterDigest}.
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

/** An entry that is still being written. */
export type OpenEntry = { -readonly [Key in keyof JournalEntry]: JournalEntry[Key] };

/** A request with its response. */
export interface Exchange {
  readonly request: Pick<ServiceRequest, "headers" | "body"> &
    Partial<Pick<ServiceRequest, "target">>;
  readonly response: ServiceResponse;
  /** The faults that applied. */
  readonly faults: readonly object[];
  /**
   * The response without the faults; undefined where none was applied, and for requests that are
   * not safe to repeat.
   */
  readonly untouched?: Promise<ServiceResponse | undefined> | undefined;
}

/** The empty list that entries without notes or faults share. */
export const noStrings: readonly string[] = [];

/** Matches a query parameter: separator, name and value. */
const PARAMETER = /([?&])([^?&=]*)=([^&]*)/g;

/** The name of a parameter that holds an API key, under any spelling. */
const KEY_NAME = /^(?:x[-_.]?)?(?:api)?[-_.]?key$/i;

/** Decodes a name or a value as a server does. */
const decodedPart = (part: string): string =>
  new URLSearchParams(`name=${part}`).get("name") ?? part;

/** Whether a name in a query is a key's. Servers drop spaces and brackets around it. */
const isKeyName = (name: string): boolean =>
  KEY_NAME.test(decodedPart(name).replaceAll(/[^\w.-]/g, ""));

/** Hides API keys in the query of a target. */
export const withoutKey = (target: string): string =>
  target.replace(PARAMETER, (parameter, before: string, name: string) =>
    isKeyName(name) ? `${before}${name}=[api-key]` : parameter,
  );

/** The API keys in the query of a target. */
export const keysInQuery = (target: string): readonly string[] =>
  [...target.matchAll(PARAMETER)]
    .filter(([, , name = ""]) => isKeyName(name))
    .map(([, , , value = ""]) => decodedPart(value));

/**
 * The method by which Node prints an object, https://nodejs.org/api/util.html#utilinspectcustom. A
 * registered symbol needs no module of Node.
 */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");
