// `--resume FILE`: an output file that a later run continues, and a cursor file with its position.
import { existsSync, statSync } from "node:fs";
import { type FileHandle, open, rename, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { check, explain, isObject } from "../models/issues.ts";
import { FileLockedError, lockFile } from "./file-lock.ts";
import { readJson } from "./parameters.ts";

/** Identifies an export: a run with the same values continues it. Messages show the names. */
export type Query = Readonly<Record<string, string>>;

/** The version of the cursor file's format. A file of another version is refused. */
const VERSION = 2;

/** The content of a cursor file. */
const stateSchema = z.object({
  version: z.literal(VERSION),
  query: z.record(z.string(), z.string()),
  /** Length of the output up to the cursor, in bytes. */
  length: z.int().check(z.nonnegative()),
  records: z.int().check(z.nonnegative()),
  /** The list's number of records; 0 if the explorer does not count it. */
  total: z.number(),
  /** Columns in the output's header, if the format has one. */
  header: z.optional(z.array(z.string())),
  /** The client's cursor, from which the next run continues; undefined at the beginning. */
  cursor: z.optional(z.string()),
  /** The exported blocks, if the list has a range. Later blocks are the next segment. */
  segment: z.optional(
    z.object({
      from: z.optional(z.string()),
      to: z.string(),
      /** Records before this segment. */
      before: z.int(),
      isComplete: z.boolean(),
    }),
  ),
});
type ExportState = z.infer<typeof stateSchema>;
export type BlockSegment = NonNullable<ExportState["segment"]>;

/** The state after a page. */
interface ExportStep extends Pick<ExportState, "records" | "total"> {
  readonly header: readonly string[] | undefined;
  readonly cursor: string | undefined;
}

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message);
};

function readState(path: string): ExportState | undefined {
  if (!existsSync(path)) return undefined;
  const json = readJson(path, ", so it is not a cursor");
  const { value, issues } = check(stateSchema, json);
  if (value !== undefined) return value;
  const { version } = isObject(json) ? json : {};
  if (isObject(json) && "query" in json && version !== VERSION)
    refuse(
      `${path} was made by ${typeof version === "number" && version > VERSION ? "a newer" : "an older"} release of mrc-explorer: remove it and its output file to start again, or choose another file`,
    );
  return refuse(`${path} is not a cursor: ${issues?.map(explain).join("; ")}`);
}

/** Refuses to continue another query's export, and names the differences. */
function checkQuery(path: string, before: Query, now: Query): void {
  const differences = Object.keys({ ...before, ...now })
    .filter((name) => before[name] !== now[name])
    .map((name) => `${name} was ${before[name] ?? "not set"}, now ${now[name] ?? "not set"}`);
  if (differences.length > 0)
    refuse(`${path} belongs to another export: ${differences.join("; ")}. Choose another file`);
}

/** Whether a line of the file ends at a position in bytes, as after each page of an export. */
async function endsLine(path: string, length: number): Promise<boolean> {
  if (length === 0) return true;
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, length - 1);
    return buffer.toString() === "\n";
  } finally {
    await file.close();
  }
}

/**
 * An output file and its cursor, `FILE.cursor`. They survive SIGKILL and power failures, because
 * the output is on the disk before a new cursor refers to it. The next run cuts off any output
 * after the cursor.
 */
export class ExportFile {
  readonly path: string;
  #state: ExportState;
  readonly #output: FileHandle;
  readonly #unlock: () => void;
  /** Bytes written since the last save. */
  #unsaved = 0;

  private constructor(path: string, state: ExportState, output: FileHandle, unlock: () => void) {
    this.path = path;
    this.#state = state;
    this.#output = output;
    this.#unlock = unlock;
  }

  /** Begins an export, or continues it. Throws if the files belong to another export. */
  static async open(path: string, query: Query): Promise<ExportFile> {
    if (!existsSync(dirname(path))) refuse(`${path}: the folder ${dirname(path)} does not exist`);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      refuse(`${path} is a folder, not a file`);
    let unlock = () => {};
    try {
      unlock = lockFile(`${path}.lock`);
      return await ExportFile.#open(path, query, unlock);
    } catch (error) {
      unlock();
      if (!(error instanceof FileLockedError)) throw error;
      return refuse(
        `${path} is being written by ${error.holder}: wait until it ends, or choose another file`,
      );
    }
  }

  static async #open(path: string, query: Query, unlock: () => void): Promise<ExportFile> {
    const cursor = `${path}.cursor`;
    const savedState = readState(cursor);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (savedState === undefined && size !== undefined)
      refuse(
        `${path} exists, but has no ${cursor} to continue from: remove it, or choose another file`,
      );
    if (savedState !== undefined) {
      checkQuery(cursor, savedState.query, query);
      if ((size ?? 0) < savedState.length)
        refuse(
          `${path} has ${size ?? 0} bytes, but had ${savedState.length} when ${cursor} was written: remove both to start again`,
        );
      if (!(await endsLine(path, savedState.length)))
        refuse(
          `${path} and ${cursor} do not belong together: no line ends at byte ${savedState.length}; remove both to start again`,
        );
    }
    const state = savedState ?? {
      ...{ version: VERSION, query: { ...query } },
      ...{ length: 0, records: 0, total: 0 },
    };
    // Written before the output, so that there is never an output without a cursor.
    if (savedState === undefined) await writeAtomically(cursor, state);
    if (size !== undefined) await truncate(path, state.length);
    return new ExportFile(path, state, await open(path, "a"), unlock);
  }

  get state(): ExportState {
    return this.#state;
  }

  /** Appends text; `save` makes it part of the export. */
  async write(text: string): Promise<void> {
    await this.#output.appendFile(text);
    this.#unsaved += Buffer.byteLength(text);
  }

  /** Flushes the output to the disk, and then saves the cursor. */
  async save({ header, ...step }: ExportStep): Promise<void> {
    await this.#output.datasync();
    await this.checkLength();
    const length = this.#state.length + this.#unsaved;
    this.#unsaved = 0;
    this.#state = { ...this.#state, ...step, length, ...(header && { header: [...header] }) };
    await writeAtomically(`${this.path}.cursor`, this.#state);
  }

  /** Begins to export some blocks, or marks them as complete. */
  async saveSegment(segment: BlockSegment): Promise<void> {
    const { cursor, ...state } = this.#state;
    this.#state = { ...state, ...(segment.isComplete && { cursor }), segment };
    await writeAtomically(`${this.path}.cursor`, this.#state);
  }

  /** Throws if the output is not what this run wrote. */
  async checkLength(): Promise<void> {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    const written = this.#state.length + this.#unsaved;
    if (size === written) return;
    throw new Error(
      `${this.path} has ${size} bytes, but ${written} were written: another program changed it. Remove it and ${this.path}.cursor to start again`,
    );
  }

  async close(): Promise<void> {
    await this.#output.close();
    this.#unlock();
  }
}

/** Replaces a file atomically, so that readers find either the old text or the new text. */
async function writeAtomically(path: string, state: ExportState): Promise<void> {
  const draft = `${path}.tmp`;
  const file = await open(draft, "w");
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
