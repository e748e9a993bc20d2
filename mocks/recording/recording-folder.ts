// The folder of a recording: one JSON file for each request, written whole; Node only.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../../src/errors/base.ts";
import { check } from "../../src/models/issues.ts";
import { jsonIn } from "../../src/models/json.ts";
import type { Api } from "../service/service.ts";
import {
  addLines,
  addRecord,
  isSameResponse,
  type RecordedCall,
  type RecordedRequest,
  type RecordedResponse,
  Recording,
  RecordingError,
  recordSchema,
  requestKeys,
} from "./recording.ts";

/** The file of the old format, with a line for each response. */
const OLD_FORMAT = "requests.ndjson";

/** Maximum size of a file in bytes, also after decompression. */
const MAX_BYTES = 2 ** 29;

function readText(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    const bytes = readFileSync(file);
    const isZipped = file.endsWith(".gz");
    const text = isZipped ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
    if (/^(fffe|feff)/.test(text.toString("hex", 0, 2)))
      throw new Error("it is UTF-16; save it as UTF-8");
    return new TextDecoder().decode(text);
  } catch (error) {
    const expected = file.endsWith(".gz") ? "a gzip that is whole" : "a file that can be read";
    throw new RecordingError(file, `expected ${expected}: ${messageOf(error)}`);
  }
}

/**
 * Reads the recording in a folder, in both formats. Throws a {@link RecordingError}, also for an
 * empty folder unless it `mayBeEmpty`.
 */
export function readRecording(
  folder: string,
  api: Api,
  warn: (message: string) => void,
  mayBeEmpty = false,
): Recording {
  const recording = new Recording(requestKeys(api));
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names.filter((name) => [OLD_FORMAT, `${OLD_FORMAT}.gz`].includes(name))) {
    const file = join(folder, name);
    addLines(recording, file, readText(file), warn);
  }
  for (const name of names.filter((name) => name.endsWith(".json"))) {
    const file = join(folder, name);
    const json = jsonIn(readText(file));
    if (json === undefined) throw new RecordingError(file, "expected JSON");
    addRecord(recording, file, json);
  }
  if (recording.isEmpty && !mayBeEmpty)
    throw new RecordingError(
      folder,
      `expected a recording, found none. What to do: record one with createProxy(url, { record: ${JSON.stringify(folder)} }), with mrc-explorer serve --upstream URL --record ${folder}, or by running the tests once with MRC_RECORD=1 and the upstream of createReplay`,
    );
  return recording;
}

/** Writes a recording that grows. A failed write loses its response, but never a file. */
export class RecordingFolder {
  readonly #folder: string;
  readonly #api: Api;
  readonly #keyOf: (request: RecordedRequest) => string;
  readonly #warn: (message: string) => void;
  readonly #newest = new Map<string, RecordedResponse>();
  #hasFailed = false;

  constructor(folder: string, api: Api, warn: (message: string) => void) {
    this.#folder = folder;
    this.#api = api;
    this.#keyOf = requestKeys(api);
    this.#warn = warn;
    mkdirSync(folder, { recursive: true });
  }

  /** Adds a call, unless its response equals the newest recorded response of its request. */
  add({ request, response }: RecordedCall): void {
    const key = this.#keyOf(request);
    if (this.#hasFailed || isSameResponse(this.#newest.get(key), response)) return;
    const file = join(this.#folder, this.#nameOf(request, key));
    try {
      // Another process may have added to the file meanwhile.
      const earlier = existsSync(file) ? jsonIn(readFileSync(file, "utf8")) : undefined;
      const { responses = [] } = check(recordSchema, earlier).value ?? {};
      if (!isSameResponse(responses.at(-1), response)) {
        const temporaryFile = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
        const record = { request, responses: [...responses, response] };
        try {
          writeFileSync(temporaryFile, `${JSON.stringify(record, null, 2)}\n`);
          renameSync(temporaryFile, file);
        } finally {
          rmSync(temporaryFile, { force: true });
        }
      }
      this.#newest.set(key, response);
    } catch (error) {
      this.#hasFailed = true;
      this.#warn(
        `${file} cannot be written, so further responses are not recorded: ${messageOf(error)}`,
      );
    }
  }

  /** Names the file of a request by its operation and parameters. */
  #nameOf({ method, target }: RecordedRequest, key: string): string {
    const [path = "", query = ""] = target.split("?");
    const match = this.#api.router.match(method, path);
    const values = [...(match?.values ?? [path]), ...query.split("&")].filter(Boolean);
    const parts = [match?.operation.name ?? method, ...values].join("_");
    const readable = parts.replace(/[^\w.=-]+/g, "-").slice(0, MAX_NAME);
    return `${readable}.${createHash("sha256").update(key).digest("hex").slice(0, 8)}.json`;
  }
}

/** Maximum characters of a file's name before the hash of its request. */
const MAX_NAME = 120;
