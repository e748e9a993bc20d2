// The journal: every request in order of arrival, with its parameters and its outcome, and assertions on them.
import {
  type OperationId,
  type OperationInput,
  type Operations,
  operations,
} from "../src/contract/index.ts";
import {
  type OperationIdOf,
  type OperationKey,
  operationIdOf,
  operationKeys,
  operationLabel,
} from "../src/contract/operation-names.ts";
import { didYouMean } from "./suggest.ts";

/** One request. */
export interface JournalEntry {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Undefined where no operation has this path and method. */
  readonly operation: OperationId | undefined;
  /** The checked parameters with defaults filled in; undefined where the request was refused. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** 0 while no response is ready, and where none is sent: a broken connection, a fault `never`. */
  readonly status: number;
  /** The message of an error response. */
  readonly message: string | undefined;
  /** Near misses: parameters that were ignored, and the nearest known names. */
  readonly notes: readonly string[];
  /** The faults that struck, by name. */
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

/** Shared by the many entries without notes or faults. */
export const noStrings: readonly string[] = [];

/** A failed expectation on the journal. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** How many entries are kept: a server may run for days. */
const defaultLimit = 10_000;

/** The requests an explorer received, at least the newest 10,000: `mock.journal`. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  readonly #limit: number;
  #count = 0;

  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** All requests that are kept, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** For transports: opens the entry of a request on arrival; the outcome is written into it later. */
  open(arrival: Pick<JournalEntry, "method" | "target" | "operation" | "at">): OpenEntry {
    const entry: OpenEntry = {
      number: ++this.#count,
      method: arrival.method,
      target: arrival.target,
      operation: arrival.operation,
      input: undefined,
      status: 0,
      message: undefined,
      notes: noStrings,
      faults: noStrings,
      at: arrival.at,
      duration: 0,
    };
    this.#entries.push(entry);
    // By halves: shifting all entries for every request would cost more than the request.
    if (this.#entries.length > 2 * this.#limit) this.#entries.splice(0, this.#limit);
    return entry;
  }

  /** Forgets all requests; numbers start at 1 again. */
  clear(): void {
    this.#entries.length = 0;
    this.#count = 0;
  }

  /**
   * The requests of an operation, named by number or by the client's method, with these parameters if any are given.
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "to" });
   * mock.journal.find("accounts.transactions", { condition: "to" }).map(({ status }) => status).join(); // "200"
   */
  find<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
  ): readonly JournalEntry[] {
    const id = knownOperation(operation, parameters);
    return this.#entries.filter(
      (entry) => entry.operation === id && differences(entry, parameters).length === 0,
    );
  }

  /**
   * The number of requests; of an operation, with these parameters, if given.
   *
   * @example
   * await explorer.accounts.balances(addresses);
   * mock.journal.count("accounts.balance"); // 1
   */
  count<Key extends OperationKey>(operation?: Key, parameters?: RequestParameters<Key>): number {
    return operation === undefined ? this.#entries.length : this.find(operation, parameters).length;
  }

  /** Requests that were refused or had parameters ignored: probably typing mistakes. */
  nearMisses(): readonly JournalEntry[] {
    return this.#entries.filter(
      ({ status, notes }) => notes.length > 0 || [400, 404, 405].includes(status),
    );
  }

  /**
   * Returns the requests of an operation with these parameters. Throws a {@link JournalError} that lists the requests received instead, if
   * there are none, or not exactly `times` (0: never).
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "from" });
   * mock.journal.expect("accounts.transactions", { address_hash: address, condition: "from" });
   * mock.journal.expect("contracts.verify", {}, { times: 0 });
   */
  expect<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
    { times }: { readonly times?: number } = {},
  ): readonly JournalEntry[] {
    const found = this.find(operation, parameters);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    const id = knownOperation(operation, parameters);
    throw new JournalError(this.#explain(id, parameters, found.length, times));
  }

  #explain(id: OperationId, parameters: object, found: number, times?: number): string {
    const given = Object.keys(parameters).length ? ` with ${formatParameters(parameters)}` : "";
    const expected = times === undefined ? "a request" : requestCount(times);
    const lines = [
      `expected ${expected} of ${operationLabel(id)}${given}, received ${found || "none"}.`,
    ];
    const ofOperation = this.#entries.filter((entry) => entry.operation === id);
    const nearest = ofOperation
      .map((entry) => ({ entry, differs: differences(entry, parameters) }))
      .sort((one, other) => one.differs.length - other.differs.length)
      .slice(0, 5);
    for (const { entry, differs } of nearest)
      lines.push(
        `  ${formatEntry(entry)}${differs.length ? `\n    differs in ${differs.join("; ")}` : ""}`,
      );
    if (ofOperation.length > nearest.length)
      lines.push(`  … and ${ofOperation.length - nearest.length} more`);
    if (ofOperation.length === 0)
      lines.push(
        this.#entries.length ? "Requests received:" : "No request was received.",
        ...this.#entries.slice(-10).map((entry) => `  ${formatEntry(entry)}`),
      );
    const misses = this.nearMisses()
      .filter((entry) => !ofOperation.includes(entry))
      .slice(-5);
    if (ofOperation.length && misses.length)
      lines.push("Near misses:", ...misses.map((entry) => `  ${formatEntry(entry)}`));
    return lines.join("\n");
  }
}

/** The number of an operation. A typing mistake throws: it would find nothing, and `times: 0` would always hold. */
function knownOperation(key: string, parameters: object): OperationId {
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

const requestCount = (count: number): string =>
  count === 0 ? "no request" : count === 1 ? "1 request" : `${count} requests`;

/** One request on one line. */
function formatEntry(entry: JournalEntry): string {
  const { number, operation, method, target, status, message, notes } = entry;
  const remarks = [message, ...notes].filter((text) => text !== undefined && text !== "success");
  const name = operation === undefined ? "no operation" : operationLabel(operation);
  return `#${number} ${status || "no response"} ${name} ${method} ${target}${remarks.length ? `: ${remarks.join("; ")}` : ""}`;
}

function formatValue(value: unknown): string {
  if (typeof value === "bigint") return `${value}`;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}

const formatParameters = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(", ");

/** The parameters in which a request differs from the expected ones. */
function differences({ input }: JournalEntry, parameters: object): string[] {
  return Object.entries(parameters).flatMap(([name, expected]) => {
    if (expected === undefined) return [];
    if (input === undefined)
      return [`${name}: expected ${formatValue(expected)}, but the request was refused`];
    if (isEqual(input[name], expected)) return [];
    const received = formatValue(input[name]) ?? "nothing";
    return [`${name}: expected ${formatValue(expected)}, received ${received}`];
  });
}

/** Ignores the case of hexadecimal, and whether a number is a bigint. */
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || normalize(one) === normalize(other);

function normalize(value: unknown): string | undefined {
  return formatValue(value)
    ?.replace(/0x[0-9a-f]+/gi, (hex) => hex.toLowerCase())
    .replace(/^"(\d+)"$/, "$1");
}
