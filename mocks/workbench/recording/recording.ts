// A recording of requests and responses: its lines, the versions of a response, and what is nearest to a request that is not in it.

import * as z from "zod/mini";
import { redactor } from "../../../src/errors/redact.ts";
import { check, describe, type Issue } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { apiKeyOf } from "../../double/service/dispatcher.ts";
import {
  bodyText,
  type ServiceRequest,
  type ServiceResponse,
} from "../../double/service/message.ts";
import { withoutKey } from "../../double/service/notes.ts";
import { distance } from "../../double/service/suggest.ts";

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

const callSchema = z.strictObject({
  request: requestSchema,
  response: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    /** The body where it is JSON as `JSON.stringify` writes it, so that the file can be read. */
    json: z.optional(z.unknown()),
    /** Any other body. */
    text: z.optional(z.string()),
  }),
  /** How the response violated the contract when it was recorded. */
  violation: z.optional(z.string()),
});

/** A request with its response, as a line has them. */
export type RecordedCall = z.infer<typeof callSchema>;
type RecordedRequest = RecordedCall["request"];

/** Thrown for a recording that cannot be read: with its file and line, and what was expected. Nothing of it is loaded. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
  }
}

const decoder = new TextDecoder();

/** A request as it is recorded: without headers, the api-key redacted. */
export function recordedRequest(request: ServiceRequest): RecordedRequest {
  const key = apiKeyOf(request);
  const redact = redactor(key);
  const { method, target, body, headers } = request;
  const type = headers["content-type"];
  return {
    method,
    target: redact(withoutKey(target)),
    ...(body?.length ? { body: redact(decoder.decode(body)) } : {}),
    ...(typeof type === "string" && type !== "application/json" ? { type: redact(type) } : {}),
    ...(key === undefined ? { keyless: true } : {}),
  };
}

/** A request and its response as a line. */
export function recordedCall(
  request: ServiceRequest,
  { status, headers, body }: ServiceResponse,
  violation: string | undefined,
): RecordedCall {
  const redact = redactor(apiKeyOf(request));
  const safe = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redact(value)]),
  );
  return {
    request: recordedRequest(request),
    response: { status, headers: safe, ...bodyFields(redact(bodyText(body))) },
    ...(violation === undefined ? {} : { violation: redact(violation) }),
  };
}

function bodyFields(text: string): { json: unknown } | { text: string } {
  const json = jsonIn(text);
  return JSON.stringify(json) === text ? { json } : { text };
}

/** A recorded response, byte for byte. */
export function responseOf({ response }: RecordedCall): ServiceResponse {
  const { status, headers, json, text } = response;
  return { status, headers, body: text ?? JSON.stringify(json) };
}

const requestKey = ({ method, target, body, type, keyless }: RecordedRequest): string =>
  [method, target, body, type, keyless].join(" ");

/** The first line of every recording. */
export const headerLine = JSON.stringify({ recording: "mrc-explorer", version: VERSION });

/** Every recorded call, by its request: the versions of its response in the order they came. */
export class Recording {
  readonly #versions = new Map<string, RecordedCall[]>();

  /** Adds a response; false if it is the newest version already. */
  add(call: RecordedCall): boolean {
    const key = requestKey(call.request);
    const versions = this.#versions.get(key) ?? [];
    const newest = versions.at(-1);
    if (newest && JSON.stringify(newest.response) === JSON.stringify(call.response)) return false;
    this.#versions.set(key, [...versions, call]);
    return true;
  }

  /** The versions of a request. */
  versions(request: RecordedRequest): readonly RecordedCall[] {
    return this.#versions.get(requestKey(request)) ?? [];
  }

  /** Every call, sorted by its request; versions in the order they came. */
  get calls(): readonly RecordedCall[] {
    return [...this.#versions]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, calls]) => calls);
  }

  /** The recorded request that is most like one that is not recorded. */
  nearest({ method, target, body = "" }: RecordedRequest): RecordedRequest | undefined {
    const text = (one: RecordedRequest) => `${one.target} ${one.body ?? ""}`.slice(0, MAX_COMPARED);
    const wanted = text({ method, target, body });
    let best: RecordedRequest | undefined;
    let smallest = Number.POSITIVE_INFINITY;
    for (const [call] of this.#versions.values()) {
      if (call === undefined || call.request.method !== method) continue;
      const away = likeness(text(call.request), wanted);
      if (away >= smallest) continue;
      best = call.request;
      smallest = away;
    }
    return best;
  }
}

/** The characters of requests that are compared. */
const MAX_COMPARED = 400;

/** How far one request is from another: by the parts of their paths and queries. */
function likeness(one: string, other: string): number {
  const [parts, others] = [one, other].map((text) => text.split(/[/?&]/)) as [string[], string[]];
  let away = 50 * Math.abs(parts.length - others.length);
  for (const [index, part] of parts.entries()) {
    const wanted = others[index];
    if (wanted !== undefined && wanted !== part) away += 1 + distance(part, wanted);
  }
  return away;
}

/** One issue as the end of a message. */
const explained = ({ path, expected, received }: Issue): string =>
  `${path.length > 0 ? `${path.join(".")}: ` : ""}expected ${expected}, received ${describe(received)}`;

/** The calls in the lines of a file. @throws RecordingError */
export function parseRecording(file: string, text: string): RecordedCall[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const jsonOf = (line: string, number: number): unknown => {
    const json = jsonIn(line);
    if (json === undefined)
      throw new RecordingError(`${file}:${number}`, `expected JSON, received ${describe(line)}`);
    return json;
  };
  const header = check(headerSchema, jsonOf(lines[0] ?? "", 1));
  if (header.issues)
    throw new RecordingError(
      `${file}:1`,
      `expected a recording of version ${VERSION} (${headerLine}): ${explained(header.issues[0])}; record it again`,
    );
  return lines.slice(1).map((line, index) => {
    const number = index + 2;
    const { value, issues } = check(callSchema, jsonOf(line, number));
    if (issues) throw new RecordingError(`${file}:${number}`, explained(issues[0]));
    if (value.response.text === undefined && !("json" in value.response))
      throw new RecordingError(`${file}:${number}`, "response: expected json or text");
    return value;
  });
}
