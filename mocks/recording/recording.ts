// A recording of requests and responses: its lines, the versions of a response, and what is nearest to a request that is not in it.
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { check, describe, type Issue } from "../../src/models/issues.ts";
import { jsonIn, parseJson } from "../../src/models/json.ts";
import { distance } from "../../src/models/suggest.ts";
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";
import { keysInQuery, withoutKey } from "../message/notes.ts";
import { apiKeyOf } from "../service/service.ts";
import { bothHidden, type HideKey, hideKey } from "./hide-key.ts";

/** The form of a recording. Another form gets another number, and is refused by name. */
const VERSION = 1;

const headerSchema = z.object({
  recording: z.literal("mrc-explorer"),
  version: z.literal(VERSION),
});

const requestSchema = z.object({
  method: z.string(),
  target: z.string(),
  body: z.optional(z.string()),
  /** The content type, if it is not JSON's. */
  type: z.optional(z.string()),
  /** Whether it had no api-key. */
  keyless: z.optional(z.literal(true)),
});

const matching = (pattern: RegExp, expected: string) =>
  z.custom<string>((given) => typeof given === "string" && pattern.test(given), expected);

/** What can be sent again: no other status, name or value is HTTP's. */
const responseSchema = z.object({
  status: z.int().check(z.gte(200), z.lte(999)),
  headers: z.record(
    matching(/^[\w!#$%&'*+.^`|~-]+$/, "the name of a header"),
    matching(/^[\t\x20-\x7e\x80-\xff]*$/, "the value of a header"),
  ),
  /** The body where it is JSON as `JSON.stringify` writes it, so that the file can be read. */
  json: z.optional(z.unknown()),
  /** Any other text. */
  text: z.optional(z.string()),
  /** Bytes that are no text. */
  base64: z.optional(z.string()),
});

const callSchema = z.strictObject({
  request: requestSchema,
  response: z.optional(responseSchema),
  /** In place of a response that was recorded before: the hash of its line. */
  again: z.optional(z.string()),
  /** How the response violated the contract when it was recorded. */
  violation: z.optional(z.string()),
});

type RecordedRequest = z.infer<typeof requestSchema>;
type RecordedResponse = z.infer<typeof responseSchema>;

/** A request with its response, as a line has them. */
export interface RecordedCall {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  readonly violation?: string | undefined;
}

/**
 * Thrown for a recording that cannot be read: with its file and line, and what was expected.
 * Nothing of it is loaded.
 */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
  }
}

const decoder = new TextDecoder();

/**
 * How to leave out the keys of a request: of its header, and those that somebody put into its
 * query.
 */
const hideKeys = (request: ServiceRequest): HideKey =>
  [apiKeyOf(request), ...keysInQuery(request.target)].map(hideKey).reduce(bothHidden);

/** A request as it is recorded: without headers and the api-key. */
export function recordedRequest(request: ServiceRequest): RecordedRequest {
  const key = apiKeyOf(request);
  const hide = hideKeys(request);
  const { method, target, body, headers } = request;
  const type = headers["content-type"];
  return {
    method,
    target: hide.inTarget(withoutKey(target)),
    ...(body?.length ? { body: hide.inBody(decoder.decode(body)) } : {}),
    ...(typeof type === "string" && type !== "application/json"
      ? { type: hide.inValue(type) }
      : {}),
    ...(key === undefined ? { keyless: true } : {}),
  };
}

/** A request and its response as a line. */
export function recordedCall(
  request: ServiceRequest,
  { status, headers, body, bytes }: ServiceResponse,
  violation: string | undefined,
): RecordedCall {
  const hide = hideKeys(request);
  const safe = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, hide.inValue(value)]),
  );
  const content = bytes
    ? {
        base64: Buffer.from(hide.inBody(Buffer.from(bytes).toString("latin1")), "latin1").toString(
          "base64",
        ),
      }
    : bodyFields(hide.inBody(body));
  return {
    request: recordedRequest(request),
    response: { status, headers: safe, ...content },
    ...(violation === undefined ? {} : { violation: hide.inBody(violation) }),
  };
}

function bodyFields(text: string): { json: unknown } | { text: string } {
  try {
    const json = parseJson(text);
    return JSON.stringify(json) === text ? { json } : { text };
  } catch {
    // No JSON, or with more levels than each Node can write again.
    return { text };
  }
}

/** A recorded response, byte for byte. */
export function responseOf({ response }: RecordedCall): ServiceResponse {
  const { status, headers, json, text, base64 } = response;
  if (base64 !== undefined)
    return { status, headers, body: "", bytes: Buffer.from(base64, "base64"), isForeign: true };
  return { status, headers, body: text ?? JSON.stringify(json), isForeign: true };
}

const requestKey = ({ method, target, body, type, keyless }: RecordedRequest): string =>
  [method, target, body, type, keyless].join(" ");

/** The first line of every recording. */
export const headerLine = JSON.stringify({ recording: "mrc-explorer", version: VERSION });

const hashOf = (response: RecordedResponse): string =>
  createHash("sha256").update(JSON.stringify(response)).digest("base64url");

/** What a recorder remembers of a request: of its responses, only which there were. */
interface Known {
  newest: string;
  readonly hashes: Set<string>;
}

/** The lines that a recorder has written. */
export class Written {
  readonly #known = new Map<string, Known>();

  /**
   * The line of a call; undefined if its response is the newest of its request already, and short
   * if it was recorded before.
   */
  lineOf(call: RecordedCall): string | undefined {
    const key = requestKey(call.request);
    const hash = hashOf(call.response);
    const known = this.#known.get(key);
    if (known?.newest === hash) return undefined;
    const isOld = known?.hashes.has(hash);
    this.#known.set(key, { newest: hash, hashes: (known?.hashes ?? new Set()).add(hash) });
    return JSON.stringify(isOld ? { request: call.request, again: hash } : call);
  }
}

/** A line of a recording: the text is kept, and read when it is replayed. */
export interface Version {
  readonly text: string;
  /** The number of the line; undefined for what was recorded since. */
  readonly line: number | undefined;
}

/** Every recorded call, by its request: the versions of its response in the order they came. */
export class Recording {
  readonly #versions = new Map<
    string,
    {
      readonly request: RecordedRequest;
      readonly all: Version[];
      /** The texts of whole calls by the hash of their response, once one is repeated. */
      byHash?: ReadonlyMap<string, string>;
    }
  >();

  add({ request }: Pick<RecordedCall, "request">, version: Version): void {
    const key = requestKey(request);
    const known = this.#versions.get(key);
    if (known === undefined) this.#versions.set(key, { request, all: [version] });
    // Several recorders may have been answered alike.
    else if (known.all.at(-1)?.text !== version.text) known.all.push(version);
  }

  /** The versions of a request. */
  versions(request: RecordedRequest): readonly Version[] {
    return this.#versions.get(requestKey(request))?.all ?? [];
  }

  /** The call of a version of a request. */
  callOf(request: RecordedRequest, { text }: Version): RecordedCall | undefined {
    const { response, again, ...call }: z.infer<typeof callSchema> = JSON.parse(text);
    if (response) return { ...call, response };
    const known = this.#versions.get(requestKey(request));
    if (known === undefined || again === undefined) return undefined;
    // What is added later repeats what is there, or is whole.
    known.byHash ??= new Map(
      known.all.flatMap((one) => {
        const { response: own }: z.infer<typeof callSchema> = JSON.parse(one.text);
        return own ? [[hashOf(own), one.text]] : [];
      }),
    );
    const whole = known.byHash.get(again);
    return whole === undefined ? undefined : (JSON.parse(whole) as RecordedCall);
  }

  /**
   * The recorded request that is most like one that is not recorded: in the most parts, and then by
   * letters.
   */
  nearest(wanted: RecordedRequest): RecordedRequest | undefined {
    const parts = partsOf(wanted);
    let alike: RecordedRequest[] = [];
    let fewest = Number.POSITIVE_INFINITY;
    for (const { request } of this.#versions.values()) {
      if (request.method !== wanted.method) continue;
      const others = partsOf(request);
      const differing = others.filter((part, index) => part !== parts[index]).length;
      const away = 50 * Math.abs(others.length - parts.length) + differing;
      if (away < fewest) alike = [];
      if (away <= fewest && alike.length < MAX_ALIKE) alike.push(request);
      fewest = Math.min(fewest, away);
    }
    const byLetters = alike.map((request) => ({ request, away: lettersBetween(request, parts) }));
    return byLetters.sort((one, other) => one.away - other.away)[0]?.request;
  }
}

/**
 * The characters of a body that are compared, and of parts letter by letter: more is no typing
 * mistake.
 */
const [MAX_BODY, MAX_PART] = [400, 64];
/** The requests that are compared letter by letter. */
const MAX_ALIKE = 200;

/** The parts of a request's path, query and body. */
const partsOf = ({ target, body = "" }: RecordedRequest): readonly string[] => [
  ...target.split(/[/?&]/),
  body.slice(0, MAX_BODY),
];

/** How many letters of a request differ. */
function lettersBetween(request: RecordedRequest, parts: readonly string[]): number {
  let away = 0;
  for (const [index, one] of partsOf(request).entries()) {
    const other = parts[index] ?? "";
    if (Math.max(one.length, other.length) <= MAX_PART) away += distance(one, other);
    else away += [...one].filter((letter, at) => letter !== other[at]).length;
  }
  return away;
}

/** One issue as the end of a message. */
const explained = ({ path, expected, received }: Issue): string =>
  `${path.length > 0 ? `${path.join(".")}: ` : ""}expected ${expected}, received ${describe(received)}`;

/** Where each line of a call begins. */
const CALL = '{"request":{';

/**
 * Reads the lines of a file. What a recorder left that was killed while it wrote is skipped with a
 * warning.
 *
 * @throws RecordingError
 */
export function parseRecording(
  file: string,
  text: string,
  warn: (message: string) => void,
): Recording {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const header = jsonIn(lines[0] ?? "");
  if (header === undefined)
    throw new RecordingError(`${file}:1`, `expected JSON, received ${describe(lines[0] ?? "")}`);
  const { issues } = check(headerSchema, header);
  if (issues)
    throw new RecordingError(
      `${file}:1`,
      `expected a recording of version ${VERSION} (${headerLine}): ${explained(issues[0])}; record it again`,
    );
  const recording = new Recording();
  for (const [index, given] of lines.entries()) {
    if (index === 0 || given === "") continue;
    const place = `${file}:${index + 1}`;
    const line = wholeLine(given);
    if (line !== given) {
      if (!given.startsWith(CALL.slice(0, given.length)))
        throw new RecordingError(place, `expected JSON, received ${describe(given)}`);
      warn(`${place}: skipped half a line, which a recorder left that was killed while it wrote`);
    }
    if (line === undefined) continue;
    const { value, issues } = check(callSchema, jsonIn(line));
    if (issues) throw new RecordingError(place, explained(issues[0]));
    const { response, again } = value;
    if (response === undefined && again === undefined)
      throw new RecordingError(place, "response: expected an object, received nothing");
    if (
      response &&
      response.text === undefined &&
      response.base64 === undefined &&
      !("json" in response)
    )
      throw new RecordingError(place, "response: expected json, text or base64");
    recording.add(value, { text: line, line: index + 1 });
  }
  return recording;
}

/**
 * The line itself, or, if its beginning is of another line that was cut, its end; undefined without
 * JSON.
 */
function wholeLine(line: string): string | undefined {
  if (jsonIn(line) !== undefined) return line;
  const last = line.lastIndexOf(CALL);
  const end = last > 0 ? line.slice(last) : "";
  return jsonIn(end) === undefined ? undefined : end;
}
