// The context of a tool call: the server's client, cursors of earlier answers, and abort signal.
import type { FetchOptions } from "./fetch-results.ts";
import type { ToolInput } from "./mcp-arguments.ts";
import type { ProcessIO } from "./process-io.ts";

/** How many answers can be continued; older answers are forgotten. */
const MAX_CURSORS = 1000;

/** Stores long cursors under short names, because a model has to repeat the names. */
export class Cursors {
  readonly #isLong: boolean;
  readonly #answers = new Map<string, { readonly cursor: string; readonly input: ToolInput }>();
  #number = 0;

  /** With `isLong`, returns cursors unchanged, so that another process can use them. */
  constructor(isLong: boolean) {
    this.#isLong = isLong;
  }

  /** Returns the name for the cursor of an answer to this input. */
  keep(cursor: string, input: ToolInput): string {
    if (this.#isLong) return cursor;
    const name = `c${++this.#number}`;
    this.#answers.set(name, { cursor, input });
    this.#answers.delete(`c${this.#number - MAX_CURSORS}`);
    return name;
  }

  /** Adds the arguments of the answer that a call continues. */
  complete(input: ToolInput): ToolInput {
    const name = `${input.cursor ?? ""}`;
    if (!/^c\d+$/.test(name)) return input;
    const answer = this.#answers.get(name);
    if (answer === undefined)
      throw new TypeError(`cursor: this server does not know ${name}; ask again without cursor`);
    for (const [key, value] of Object.entries(input))
      if (!/^(cursor|max)$/.test(key) && `${answer.input[key]}` !== `${value}`)
        throw new TypeError(
          `cursor: ${name} belongs to an answer with ${key} ${answer.input[key]}`,
        );
    return { ...answer.input, ...input, cursor: answer.cursor };
  }
}

export interface ToolContext {
  /** The connection, with the client that all calls share. */
  readonly options: FetchOptions & { readonly call: NonNullable<FetchOptions["call"]> };
  /** The process, with a signal that aborts when the call is cancelled. */
  readonly io: ProcessIO;
  readonly cursors: Cursors;
  /** Limit of the records that one call reads. */
  readonly maxRead: number;
  /** Limit of the rows of an answer if the caller passes no `max`. */
  readonly maxRows: number;
  /** Reports the progress of a long read. */
  progress(read: number, total: number | undefined): Promise<void>;
  /** Finds our page about a hash or address; undefined unless the explorer is `serve`. */
  pageOf(view: "tx" | "account", subject: string): Promise<string | undefined>;
}
