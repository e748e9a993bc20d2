// A recording in a folder: read whole, and appended to line by line, by any number of processes at once; Node only.
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../../src/errors/base.ts";
import {
  headerLine,
  parseRecording,
  type RecordedCall,
  type Recording,
  RecordingError,
  Written,
} from "./recording.ts";

const NAME = "requests.ndjson";

/** The longest recording that is read, also once it is unzipped. */
const MAX_BYTES = 2 ** 29;

function readText(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    const bytes = readFileSync(file);
    const isZipped = file.endsWith(".gz");
    return (isZipped ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString("utf8");
  } catch (error) {
    const expected = file.endsWith(".gz") ? "a gzip that is whole" : "a file that can be read";
    throw new RecordingError(file, `expected ${expected}: ${messageOf(error)}`);
  }
}

/** What a folder has recorded; `requests.ndjson` may be zipped. @throws RecordingError */
export function readRecording(
  folder: string,
  warn: (message: string) => void,
): { readonly recording: Recording; readonly file: string } {
  const names = [NAME, `${NAME}.gz`];
  const name = names.find((one) => existsSync(join(folder, one)));
  if (name === undefined)
    throw new RecordingError(folder, `expected a recording (${names.join(" or ")}), found none`);
  const file = join(folder, name);
  return { recording: parseRecording(file, readText(file), warn), file };
}

/**
 * Writes a recording that grows. Others may write it, too: each line is appended whole. A write
 * that fails loses its call, never the file.
 */
export class RecordingFile {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  readonly #written = new Written();
  #failed = false;

  constructor(folder: string, warn: (message: string) => void) {
    this.#path = join(folder, NAME);
    this.#warn = warn;
    mkdirSync(folder, { recursive: true });
    if (existsSync(`${this.#path}.gz`) && !existsSync(this.#path))
      throw new RecordingError(`${this.#path}.gz`, "unzip it to record more into this folder");
    createWith(this.#path, `${headerLine}\n`);
  }

  /** Adds a call; returns its line if it is new. */
  add(call: RecordedCall): string | undefined {
    const line = this.#written.lineOf(call);
    if (line === undefined || this.#failed) return undefined;
    try {
      // One write at the end of the file, wherever others have moved it.
      appendFileSync(this.#path, `${line}\n`);
      return line;
    } catch (error) {
      this.#failed = true;
      this.#warn(
        `${this.#path} cannot be written, so further responses are not recorded: ${messageOf(error)}`,
      );
      return undefined;
    }
  }
}

/** Creates a file with its content, unless it is there: nobody ever sees it without. */
function createWith(path: string, content: string): void {
  if (existsSync(path)) return;
  const own = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(own, content);
  try {
    linkSync(own, path);
  } catch (error) {
    // Another recorder was first.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
