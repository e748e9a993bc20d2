// A recording of requests and responses: its forms, and the request nearest to a missing one.
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { check, describe, type Issue, isObject } from "../../src/models/issues.ts";
import { jsonIn, parseJson } from "../../src/models/json.ts";
import { distance } from "../../src/models/suggest.ts";
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";
import { keysInQuery, withoutKey } from "../message/notes.ts";
import { readParameters } from "../service/parameters.ts";
import { type Api, apiKeyOf } from "../service/service.ts";
import { createHideKeys, type HideKeys } from "./hide-key.ts";

/** The version of the old format. */
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
  z.custom<string>((value) => typeof value === "string" && pattern.test(value), expected);

/** A response that can be sent again. HTTP allows no other status, header name or value. */
const responseSchema = z.object({
  status: z.int().check(z.gte(200), z.lte(999)),
  headers: z._default(
    z.record(
      matching(/^[\w!#$%&'*+.^`|~-]+$/, "the name of a header"),
      matching(/^[\t\x20-\x7e\x80-\xff]*$/, "the value of a header"),
    ),
    () => ({ "content-type": "application/json" }),
  ),
  /** The body, if it is JSON in the form of `JSON.stringify`, so that people can read the file. */
  json: z.optional(z.unknown()),
  /** Any other text. */
  text: z.optional(z.string()),
  /** Bytes that are no text. */
  base64: z.optional(z.string()),
  /** How the response violated the contract when it was recorded. */
  violation: z.optional(z.string()),
});

/** A request with the versions of its response, as a file has them. */
export const recordSchema = z.strictObject({
  request: requestSchema,
  responses: z.array(responseSchema).check(z.minLength(1)),
});

/** A line of the old format, `requests.ndjson`. */
const lineSchema = z.strictObject({
  request: requestSchema,
  response: z.optional(z.omit(responseSchema, { violation: true })),
  /** The hash of an earlier response, in place of the same response. */
  again: z.optional(z.string()),
  violation: z.optional(z.string()),
});

export type RecordedRequest = z.infer<typeof requestSchema>;
export type RecordedResponse = z.infer<typeof responseSchema>;

export interface RecordedCall {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** A recording that cannot be read: the message names the file, the line and what was expected. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
  }
}

const decoder = new TextDecoder();

/** Hides the API keys of a request, in its header and in its query. */
const hideKeysOf = (request: ServiceRequest): HideKeys =>
  createHideKeys([apiKeyOf(request), ...keysInQuery(request.target)]);

/** A request as it is recorded: without headers and the api-key. */
export function recordedRequest(request: ServiceRequest): RecordedRequest {
  const key = apiKeyOf(request);
  const hide = hideKeysOf(request);
  const { method, target, body, headers } = request;
  const type = headers["content-type"];
  return {
    method,
    target: hide("target", withoutKey(target)),
    ...(body?.length ? { body: hide("body", decoder.decode(body)) } : {}),
    ...(typeof type === "string" && type !== "application/json"
      ? { type: hide("header", type) }
      : {}),
    ...(key === undefined ? { keyless: true } : {}),
  };
}

export function recordedCall(
  request: ServiceRequest,
  { status, headers, body, bytes }: ServiceResponse,
  violation: string | undefined,
): RecordedCall {
  const hide = hideKeysOf(request);
  const safe = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      // A name that contains the key is no name of HTTP once the key is hidden.
      hide("header", name) === name ? [[name, hide("header", value)]] : [],
    ),
  );
  const content = bytes
    ? {
        base64: Buffer.from(hide("body", Buffer.from(bytes).toString("latin1")), "latin1").toString(
          "base64",
        ),
      }
    : bodyFields(hide("body", body));
  const violated = violation === undefined ? {} : { violation: hide("body", violation) };
  return {
    request: recordedRequest(request),
    response: { status, headers: safe, ...content, ...violated },
  };
}

function bodyFields(text: string): { json: unknown } | { text: string } {
  try {
    const json = parseJson(text);
    return JSON.stringify(json) === text ? { json } : { text };
  } catch {
    // The text is not JSON, or has more levels than every version of Node can write again.
    return { text };
  }
}

/** Returns a recorded response, byte for byte. */
export function responseOf({ status, headers, ...content }: RecordedResponse): ServiceResponse {
  const { json, text, base64 } = content;
  if (base64 !== undefined)
    return { status, headers, body: "", bytes: Buffer.from(base64, "base64"), isForeign: true };
  return { status, headers, body: text ?? JSON.stringify(json), isForeign: true };
}

const encoder = new TextEncoder();

/**
 * Returns a function that gives equal requests the same key. Requests are equal if operation and
 * parameters are, whatever the order of parameters, the case of addresses, defaults that are left
 * out, and spaces in a body: https://github.com/vcr/vcr/issues/115
 */
export const requestKeys =
  (api: Api) =>
  ({ method, target, body, type, keyless }: RecordedRequest): string => {
    const match = api.router.match(method, target.replace(/\?.*/s, ""));
    if (match === undefined) return [method, target, body, type, keyless].join(" ");
    const { id, operation } = match;
    const { unknown, ...read } = readParameters(
      match,
      {
        ...{ method, target, headers: { "content-type": type ?? "application/json" } },
        ...(body === undefined ? {} : { body: encoder.encode(body) }),
      },
      api,
    );
    const parameters = "input" in read ? read.input : read.raw;
    const query = new URLSearchParams(target.replace(/^[^?]*\??/s, ""));
    const unknownParameters = [...query].filter(([name]) => unknown.includes(name)).sort();
    // A body that cannot be read is compared as it is.
    const text = "input" in read || operation.places.body.length === 0 ? "" : body;
    return JSON.stringify([
      id,
      canonical({ ...parameters, others: unknownParameters }),
      text,
      type,
      keyless,
    ]);
  };

/** Sorts the names in a value, and lowers the case of hexadecimal. */
function canonical(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "string") return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.sort().map(([name, entry]) => [name, canonical(entry)]));
}

export interface Version {
  readonly response: RecordedResponse;
  /** The file and perhaps the line; undefined for a response that was recorded since. */
  readonly place: string | undefined;
}

/** Every recorded request with the versions of its response, in the order they came. */
export class Recording {
  readonly #keyOf: (request: RecordedRequest) => string;
  readonly #versions = new Map<
    string,
    { readonly request: RecordedRequest; readonly all: Version[] }
  >();

  constructor(keyOf: (request: RecordedRequest) => string) {
    this.#keyOf = keyOf;
  }

  add(request: RecordedRequest, version: Version): void {
    const key = this.#keyOf(request);
    const recorded = this.#versions.get(key);
    if (recorded === undefined) this.#versions.set(key, { request, all: [version] });
    // Several recorders may have received the same response.
    else if (!isSameResponse(recorded.all.at(-1)?.response, version.response))
      recorded.all.push(version);
  }

  /** Whether nothing is recorded. */
  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  find(request: RecordedRequest): { readonly key: string; readonly versions: readonly Version[] } {
    const key = this.#keyOf(request);
    return { key, versions: this.#versions.get(key)?.all ?? [] };
  }

  /** Finds the recorded request that shares the most parts, and then the most letters. */
  nearest(wanted: RecordedRequest): RecordedRequest | undefined {
    const parts = partsOf(wanted);
    const candidates = Array.from(this.#versions.values(), ({ request }) => {
      const candidateParts = partsOf(request);
      const differing = candidateParts.filter((part, index) => part !== parts[index]).length;
      return { request, away: 50 * Math.abs(candidateParts.length - parts.length) + differing };
    }).filter(({ request }) => request.method === wanted.method);
    const fewest = Math.min(...candidates.map(({ away }) => away));
    const alike = candidates.filter(({ away }) => away === fewest).slice(0, MAX_ALIKE);
    const text = textOf(wanted);
    return alike
      .map(({ request }) => ({ request, letters: distance(textOf(request), text) }))
      .sort((left, right) => left.letters - right.letters)[0]?.request;
  }
}

/** Maximum number of requests that are compared letter by letter, and of their characters. */
const [MAX_ALIKE, MAX_TEXT] = [200, 300];

const textOf = ({ target, body = "" }: RecordedRequest) => `${target} ${body}`.slice(0, MAX_TEXT);
const partsOf = (request: RecordedRequest): readonly string[] => textOf(request).split(/[/?& ]/);

/** Formats an issue as the end of a message. */
const explained = ({ path, expected, received }: Issue): string =>
  `${path.length > 0 ? `${path.join(".")}: ` : ""}expected ${expected}, received ${describe(received)}`;

export const isSameResponse = (left: RecordedResponse | undefined, right: RecordedResponse) =>
  left !== undefined && JSON.stringify(left) === JSON.stringify(right);

/** Adds a request and its responses, as a file has them. @throws RecordingError */
export function addRecord(recording: Recording, place: string, json: unknown): void {
  const { value, issues } = check(recordSchema, json);
  if (issues) throw new RecordingError(place, explained(issues[0]));
  for (const response of value.responses) {
    checkContent(place, response);
    recording.add(value.request, { response, place });
  }
}

function checkContent(place: string, response: RecordedResponse): void {
  if (response.text === undefined && response.base64 === undefined && !("json" in response))
    throw new RecordingError(place, "response: expected json, text or base64");
}

/** The beginning of each line of the old format. */
const CALL = '{"request":{';

/**
 * Adds the lines of the old format. Skips an incomplete line with a warning, because a recorder
 * that was killed leaves one. Throws a {@link RecordingError}.
 */
export function addLines(
  recording: Recording,
  file: string,
  text: string,
  warn: (message: string) => void,
): void {
  const [first = "", ...lines] = text.split("\n");
  const { issues } = check(headerSchema, jsonIn(first));
  if (issues)
    throw new RecordingError(
      `${file}:1`,
      `expected a recording of version ${VERSION}, received ${describe(first)}; record it again`,
    );
  const byHash = new Map<string, RecordedResponse>();
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const place = `${file}:${index + 2}`;
    const json = jsonIn(line);
    if (json === undefined && !line.startsWith(CALL.slice(0, line.length)))
      throw new RecordingError(place, `expected JSON, received ${describe(line)}`);
    if (json === undefined) {
      warn(
        `${place}: skipped an incomplete line, left by a recorder that was killed while writing`,
      );
      continue;
    }
    const { value, issues } = check(lineSchema, json);
    if (issues) throw new RecordingError(place, explained(issues[0]));
    const { request, response, again = "", violation } = value;
    const whole = response ?? byHash.get(again);
    if (whole === undefined)
      throw new RecordingError(place, "response: expected an object, received nothing");
    checkContent(place, whole);
    if (response) byHash.set(hashOf(Object(json).response), response);
    recording.add(request, { response: violation ? { ...whole, violation } : whole, place });
  }
}

const hashOf = (response: unknown): string =>
  createHash("sha256").update(JSON.stringify(response)).digest("base64url");
