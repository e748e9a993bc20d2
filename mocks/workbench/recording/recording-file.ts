// A recording in a folder: read whole, appended to call by call, and sorted at the end; Node only.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../../../src/errors/base.ts";
import {
  headerLine,
  parseRecording,
  type RecordedCall,
  Recording,
  RecordingError,
} from "./recording.ts";

const NAME = "requests.ndjson";

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    const expected = file.endsWith(".gz") ? "a gzip that is whole" : "a file that can be read";
    throw new RecordingError(file, `expected ${expected}: ${messageOf(error)}`);
  }
}

/** What a folder has recorded; `requests.ndjson` may be zipped. @throws RecordingError */
export function readRecording(folder: string): {
  readonly recording: Recording;
  readonly calls: readonly RecordedCall[];
  readonly file: string;
} {
  const names = [NAME, `${NAME}.gz`];
  const name = names.find((one) => existsSync(join(folder, one)));
  if (name === undefined)
    throw new RecordingError(folder, `expected a recording (${names.join(" or ")}), found none`);
  const file = join(folder, name);
  const calls = parseRecording(file, readText(file));
  const recording = new Recording();
  for (const call of calls) recording.add(call);
  return { recording, calls, file };
}

/** Writes a recording that grows. A write that fails loses its call, never the file. */
export class RecordingFile {
  readonly recording: Recording;
  readonly #path: string;
  readonly #warn: (message: string) => void;
  #handle: number | undefined;
  #length: number;
  #failed = false;

  constructor(folder: string, warn: (message: string) => void) {
    this.#path = join(folder, NAME);
    this.#warn = warn;
    mkdirSync(folder, { recursive: true });
    if (!existsSync(this.#path)) {
      if (existsSync(`${this.#path}.gz`))
        throw new RecordingError(`${this.#path}.gz`, "unzip it to record more into this folder");
      writeFileSync(this.#path, `${headerLine}\n`);
    }
    this.recording = readRecording(folder).recording;
    this.#handle = openSync(this.#path, "r+");
    this.#length = readFileSync(this.#path).length;
  }

  add(call: RecordedCall): void {
    if (this.#handle === undefined || !this.recording.add(call)) return;
    const line = Buffer.from(`${JSON.stringify(call)}\n`);
    try {
      for (let written = 0; written < line.length; )
        written += writeSync(
          this.#handle,
          line,
          written,
          line.length - written,
          this.#length + written,
        );
      this.#length += line.length;
    } catch (error) {
      // Half a line would make the whole file unreadable.
      ftruncateSync(this.#handle, this.#length);
      if (!this.#failed)
        this.#warn(
          `${this.#path} cannot be written, so further responses are not recorded: ${messageOf(error)}`,
        );
      this.#failed = true;
    }
  }

  /** Sorts the file, so that two recordings can be compared line by line. */
  close(): void {
    if (this.#handle === undefined) return;
    closeSync(this.#handle);
    this.#handle = undefined;
    // What could not be written is in memory only: the file has what it had.
    if (this.#failed) return;
    const sorted = `${this.#path}.new`;
    try {
      const lines = this.recording.calls.map((call) => JSON.stringify(call));
      writeFileSync(sorted, `${[headerLine, ...lines].join("\n")}\n`);
      renameSync(sorted, this.#path);
    } catch (error) {
      rmSync(sorted, { force: true });
      this.#warn(`${this.#path} could not be sorted: ${messageOf(error)}`);
    }
  }
}
