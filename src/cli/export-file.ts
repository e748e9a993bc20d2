// `--resume FILE`: an output file that a later run continues, and the cursor beside it that says from where.
import { existsSync, statSync } from "node:fs";
import { type FileHandle, open, readFile, rename, truncate } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { check, explain } from "../models/issues.ts";

/** What makes two runs the same export, by the names that a message shows. */
export type Query = Readonly<Record<string, string>>;

/** How far an export is. */
const progressSchema = z.object({
  /** What is exported. */
  query: z.record(z.string(), z.string()),
  /** How many bytes of the output hold the records before the cursor. */
  length: z.number(),
  records: z.number(),
  /** How many there are, as far as the service says. */
  total: z.number(),
  /** The columns of the header, if the output has one. */
  header: z.optional(z.array(z.string())),
  /** Where the next run goes on; none at the beginning. */
  cursor: z.optional(z.string()),
});
type Progress = z.infer<typeof progressSchema>;

/** What a page adds to the progress. */
export interface Step {
  readonly records: number;
  readonly total: number;
  readonly header: readonly string[] | undefined;
  readonly cursor: string | undefined;
}

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message);
};

async function readProgress(path: string): Promise<Progress | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const { value, issues } = check(progressSchema, JSON.parse(await readFile(path, "utf8")));
    return value ?? refuse(`${path} is no cursor: ${issues?.map(explain).join("; ")}`);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error;
    return refuse(`${path} is no cursor: ${(error as Error).message}`);
  }
}

/** Refuses to continue another query's export, and names the differences. */
function checkQuery(path: string, before: Query, now: Query): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const differences = names
    .filter((name) => before[name] !== now[name])
    .map((name) => `${name} was ${before[name] ?? "not given"}, now ${now[name] ?? "not given"}`);
  if (differences.length > 0)
    refuse(`${path} belongs to another export: ${differences.join("; ")}. Choose another file`);
}

/**
 * An output file and its cursor, `FILE.cursor`. The output is on the disk before a cursor that counts on it replaces the last one; a run
 * that continues cuts off what was written behind the cursor. So a run may end at any moment, even by SIGKILL or a power failure.
 */
export class ExportFile {
  readonly path: string;
  #progress: Progress;
  readonly #output: FileHandle;

  private constructor(path: string, progress: Progress, output: FileHandle) {
    this.path = path;
    this.#progress = progress;
    this.#output = output;
  }

  /** Begins an export, or goes on with it. Throws if the files are not of this export. */
  static async open(path: string, query: Query): Promise<ExportFile> {
    const cursor = `${path}.cursor`;
    const found = await readProgress(cursor);
    const size = existsSync(path) ? statSync(path).size : undefined;
    if (found === undefined && size !== undefined)
      refuse(
        `${path} exists, but has no ${cursor} to go on from: remove it, or choose another file`,
      );
    if (found !== undefined) {
      checkQuery(cursor, found.query, query);
      if ((size ?? 0) < found.length)
        refuse(
          `${path} has ${size ?? 0} bytes, but had ${found.length} when ${cursor} was written: remove both to start again`,
        );
    }
    const progress = found ?? { query: { ...query }, length: 0, records: 0, total: 0 };
    // Before the output, so that there is never an output without a cursor.
    if (found === undefined) await writeAtomically(cursor, progress);
    if (size !== undefined) await truncate(path, progress.length);
    return new ExportFile(path, progress, await open(path, "a"));
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Appends text; it counts once it is saved. */
  async write(text: string): Promise<void> {
    await this.#output.appendFile(text);
  }

  /** Saves how far the export is: the output first, then the cursor. */
  async save({ header, ...step }: Step): Promise<void> {
    await this.#output.datasync();
    const { size } = await this.#output.stat();
    this.#progress = {
      ...this.#progress,
      ...step,
      length: size,
      ...(header && { header: [...header] }),
    };
    await writeAtomically(`${this.path}.cursor`, this.#progress);
  }

  close(): Promise<void> {
    return this.#output.close();
  }
}

/** Replaces a file as a whole: whoever reads it finds the old text or the new one. */
async function writeAtomically(path: string, progress: Progress): Promise<void> {
  const draft = `${path}.tmp`;
  const file = await open(draft, "w");
  try {
    await file.writeFile(`${JSON.stringify(progress)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
