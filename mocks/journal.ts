// The journal: every request in the order it came, with what was asked and answered, and helpers to assert on it.
import {
  type OperationId,
  type OperationInput,
  type Operations,
  operations,
} from "../src/contract/index.ts";

/** One request. */
export interface JournalEntry {
  /** From 1, in the order the requests came. */
  readonly number: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Undefined where the request matched none. */
  readonly operation: OperationId | undefined;
  /** The checked parameters with defaults filled in; undefined where the request was refused. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** 0 where no reply was sent: a broken connection, a silence; or where it is not ready yet. */
  readonly status: number;
  /** What the envelope of a refusal said. */
  readonly message: string | undefined;
  /** Near misses: parameters that were ignored, with what was probably meant. */
  readonly notes: readonly string[];
  /** The faults that struck, by name. */
  readonly faults: readonly string[];
  /** Milliseconds since 1970, by the explorer's clock. */
  readonly at: number;
  /** Milliseconds until the reply was ready. */
  readonly duration: number;
}

/** Which requests: parameters left out may be anything; addresses match in any case. */
export type RequestParameters<Id extends OperationId> = Partial<OperationInput<Operations[Id]>>;

/** An entry that is still being written. */
export type OpenEntry = { -readonly [Key in keyof JournalEntry]: JournalEntry[Key] };

/** What most entries have of notes and faults. */
export const noStrings: readonly string[] = [];

/** An expectation on the journal that does not hold. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** How many entries are kept: a server that runs for days must not keep them all. */
const defaultLimit = 10_000;

/** The requests an explorer was asked, the newest 10,000 at least: `mock.journal`. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  readonly #limit: number;
  #seen = 0;

  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** All requests that are kept, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** For doors: notes a request as it comes; what becomes of it is written into the entry. */
  open(arrival: Pick<JournalEntry, "method" | "target" | "operation" | "at">): OpenEntry {
    const entry: OpenEntry = {
      number: ++this.#seen,
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
    // By halves, since moving all entries up for every request would cost more than the request.
    if (this.#entries.length > 2 * this.#limit) this.#entries.splice(0, this.#limit);
    return entry;
  }

  /** Forgets all requests; numbers begin at 1 again. */
  clear(): void {
    this.#entries.length = 0;
    this.#seen = 0;
  }

  /**
   * The requests of an operation, with these parameters if any are given.
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "to" });
   * mock.journal.find("A2", { condition: "to" }).map(({ status }) => status).join(); // "200"
   */
  find<Id extends OperationId>(
    operation: Id,
    asked: RequestParameters<Id> = {},
  ): readonly JournalEntry[] {
    assertKnown(operation, asked);
    return this.#entries.filter(
      (entry) => entry.operation === operation && differences(entry, asked).length === 0,
    );
  }

  /**
   * How many requests; of an operation, with these parameters, if given.
   *
   * @example
   * await explorer.accounts.balances(addresses);
   * mock.journal.count("A1"); // 1
   */
  count<Id extends OperationId>(operation?: Id, asked?: RequestParameters<Id>): number {
    return operation === undefined ? this.#entries.length : this.find(operation, asked).length;
  }

  /** Requests that were refused, or whose parameters were ignored: what a program probably meant otherwise. */
  nearMisses(): readonly JournalEntry[] {
    return this.#entries.filter(
      ({ status, notes }) => notes.length > 0 || [400, 404, 405].includes(status),
    );
  }

  /**
   * Throws a {@link JournalError} that tells what was asked instead, unless the operation was asked with these
   * parameters (`times` times, where given; 0: never).
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "from" });
   * mock.journal.expect("A2", { address_hash: address, condition: "from" });
   * mock.journal.expect("C3", {}, { times: 0 });
   */
  expect<Id extends OperationId>(
    operation: Id,
    asked: RequestParameters<Id> = {},
    { times }: { readonly times?: number } = {},
  ): readonly JournalEntry[] {
    const found = this.find(operation, asked);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    throw new JournalError(this.#explain(operation, asked, found.length, times));
  }

  #explain(operation: OperationId, asked: object, found: number, times?: number): string {
    const what = `${operation}${Object.keys(asked).length ? ` with ${formatParameters(asked)}` : ""}`;
    const wanted = times === undefined ? "" : ` ${timesText(times)}`;
    const was = found === 0 ? "it was not" : `it was asked ${timesText(found)}`;
    const lines = [`expected ${what} to be asked${wanted}, but ${was}.`];
    const isEqual = this.#entries.filter((entry) => entry.operation === operation);
    const nearest = isEqual
      .map((entry) => ({ entry, differs: differences(entry, asked) }))
      .sort((one, other) => one.differs.length - other.differs.length)
      .slice(0, 5);
    for (const { entry, differs } of nearest)
      lines.push(
        `  ${formatEntry(entry)}${differs.length ? `\n    differs in ${differs.join("; ")}` : ""}`,
      );
    if (isEqual.length > nearest.length)
      lines.push(`  … and ${isEqual.length - nearest.length} more`);
    if (isEqual.length === 0)
      lines.push(
        this.#entries.length ? "Asked was:" : "Nothing was asked at all.",
        ...this.#entries.slice(-10).map((entry) => `  ${formatEntry(entry)}`),
      );
    const misses = this.nearMisses()
      .filter((entry) => !isEqual.includes(entry))
      .slice(-5);
    if (isEqual.length && misses.length)
      lines.push("Near misses:", ...misses.map((entry) => `  ${formatEntry(entry)}`));
    return lines.join("\n");
  }
}

/** A slip of the pen would find nothing, and `times: 0` would hold for ever. */
function assertKnown(id: OperationId, asked: object): void {
  const operation = Object.hasOwn(operations, id) ? operations[id] : undefined;
  if (operation === undefined)
    throw new JournalError(`no operation ${id}; there are ${Object.keys(operations).join(", ")}`);
  const { shape } = operation.input;
  for (const name of Object.keys(asked))
    if (!Object.hasOwn(shape, name))
      throw new JournalError(
        `${id} has no parameter ${name}; it has ${Object.keys(shape).join(", ")}`,
      );
}

const timesText = (times: number): string =>
  times === 0 ? "never" : times === 1 ? "once" : `${times} times`;

/** One request on one line. */
function formatEntry({
  number,
  operation,
  method,
  target,
  status,
  message,
  notes,
}: JournalEntry): string {
  const remarks = [message, ...notes].filter((text) => text !== undefined && text !== "success");
  return `#${number} ${status || "no reply"} ${operation ?? "?"} ${method} ${target}${remarks.length ? `: ${remarks.join("; ")}` : ""}`;
}

/** A value as people write it. */
function formatValue(value: unknown): string {
  if (typeof value === "bigint") return `${value}`;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}

const formatParameters = (asked: object): string =>
  Object.entries(asked)
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(", ");

/** The parameters in which a request differs from what is looked for. */
function differences({ input }: JournalEntry, asked: object): string[] {
  return Object.entries(asked).flatMap(([name, wanted]) => {
    if (wanted === undefined) return [];
    if (input === undefined)
      return [`${name}: expected ${formatValue(wanted)}, but the request was refused`];
    return same(input[name], wanted)
      ? []
      : [
          `${name}: expected ${formatValue(wanted)}, was ${formatValue(input[name]) ?? "not given"}`,
        ];
  });
}

/** Hexadecimal in any case is the same, and 7 is 7n. */
const same = (one: unknown, other: unknown): boolean =>
  one === other || normalize(one) === normalize(other);

function normalize(value: unknown): string | undefined {
  return formatValue(value)
    ?.replace(/0x[0-9a-f]+/gi, (hex) => hex.toLowerCase())
    .replace(/^"(\d+)"$/, "$1");
}
