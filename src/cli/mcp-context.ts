// The context of a tool call: the server's client, cursors of earlier answers, and abort signal.
import type { FetchOptions } from "./fetch-results.ts";
import type { ToolInput } from "./mcp-arguments.ts";
import type { ProcessIO } from "./process-io.ts";

/** Answers that can be continued, at most; older ones are forgotten. */
const MAX_CURSORS = 1000;

/** Keeps long cursors under short names, because a model has to repeat them. */
export class Cursors {
  readonly #isLong: boolean;
  readonly #kept = new Map<string, { readonly cursor: string; readonly given: ToolInput }>();
  #number = 0;

  /** `isLong`: cursors are given as they are, for another process. */
  constructor(isLong: boolean) {
    this.#isLong = isLong;
  }

  keep(cursor: string, given: ToolInput): string {
    if (this.#isLong) return cursor;
    const name = `c${++this.#number}`;
    this.#kept.set(name, { cursor, given });
    this.#kept.delete(`c${this.#number - MAX_CURSORS}`);
    return name;
  }

  /** The arguments of a call, with those of the answer that it continues. */
  complete(given: ToolInput): ToolInput {
    const name = given.cursor;
    if (name === undefined || !/^c\d+$/.test(`${name}`)) return given;
    const earlier = this.#kept.get(`${name}`);
    if (earlier === undefined)
      throw new TypeError(`cursor: ${name} is not known to this server; ask again without it`);
    for (const [key, value] of Object.entries(given))
      if (!/^(cursor|max)$/.test(key) && `${earlier.given[key]}` !== `${value}`)
        throw new TypeError(
          `cursor: ${name} belongs to an answer with ${key} ${earlier.given[key]}`,
        );
    return { ...earlier.given, ...given, cursor: earlier.cursor };
  }
}

export interface ToolContext {
  /** The connection, with the one client of the server. */
  readonly options: FetchOptions & { readonly call: NonNullable<FetchOptions["call"]> };
  /** Its signal aborts when the call is cancelled. */
  readonly io: ProcessIO;
  readonly cursors: Cursors;
  /** Tells the caller how far a long read is. */
  progress(read: number, total: number | undefined): Promise<void>;
  /** URL of the page about a hash or address; undefined if the explorer is not our own `serve`. */
  pageOf(view: "tx" | "account", subject: string): Promise<string | undefined>;
}
