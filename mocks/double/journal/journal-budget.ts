// What journals may hold: long parameters as length and hash, and bytes that all tenants of a port share.
import * as Hash from "ox/Hash";
import { decimalJson } from "./decimal-json.ts";
import { Exchanges } from "./exchanges.ts";

/** A long parameter, as the journal keeps it: a contract's source, for example. */
export interface ParameterDigest {
  /** Of the text, or of the JSON of a list, in characters. */
  readonly length: number;
  /** Of the same text in UTF-8. */
  readonly sha256: string;
}

/** The longest parameter that is kept unchanged, in characters. */
const MAX_LENGTH = 4096;

const encoder = new TextEncoder();

/** A parameter as the journal keeps it: as it is, or its {@link ParameterDigest} above 4096 characters. */
export function keptParameter(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "object") return value;
  const text = typeof value === "string" ? value : decimalJson(value);
  if (text === undefined || text.length <= MAX_LENGTH) return value;
  const sha256 = Hash.sha256(encoder.encode(text), { as: "Hex" });
  return { length: text.length, sha256 } satisfies ParameterDigest;
}

/** The parameters of a request as the journal keeps them. */
export const keptInput = (
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, keptParameter(value)]));

/** A journal, as its budget sees it. */
interface Spender {
  readonly bytes: number;
  /** Forgets the older half of its requests; returns the bytes they had. */
  forgetHalf(): number;
}

/** Enough for any test run, and little next to the chain of a server that runs for days. */
export const JOURNAL_BYTES = 32 * 2 ** 20;

/** The bytes that one or more journals may hold together. */
export class JournalBudget {
  /** Requests and responses in full, which have bytes of their own. */
  readonly exchanges = new Exchanges();
  readonly #limit: number;
  readonly #spenders = new Set<Spender>();
  #spent = 0;

  constructor(bytes = JOURNAL_BYTES) {
    this.#limit = bytes;
  }

  join(journal: Spender): void {
    this.#spenders.add(journal);
    this.spend(journal.bytes);
  }

  leave(journal: Spender): void {
    if (this.#spenders.delete(journal)) this.spend(-journal.bytes);
  }

  /** Adds bytes, or gives them back; while there are too many, the journal with most of them forgets its older half. */
  spend(bytes: number): void {
    this.#spent += bytes;
    while (this.#spent > this.#limit) {
      const [first, ...others] = this.#spenders;
      if (first === undefined) return;
      const largest = others.reduce((most, one) => (one.bytes > most.bytes ? one : most), first);
      this.#spent -= largest.forgetHalf();
    }
  }
}
