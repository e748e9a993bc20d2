// Forwards requests to a real explorer, and answers from a recording.
import { messageOf } from "../../src/errors/base.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { jsonIn } from "../../src/models/json.ts";
import { ServiceError } from "../message/api.ts";
import { errorResponse, type ServiceRequest, type ServiceResponse } from "../message/message.ts";
import { pathOf } from "../service/router.ts";
import { type Api, apiKeyOf } from "../service/service.ts";
import {
  type RecordedRequest,
  type Recording,
  recordedRequest,
  responseOf,
  type Version,
} from "./recording.ts";

/**
 * Headers that are not forwarded, because they describe a connection, a moment or another origin.
 */
const DROPPED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|date|age|set-cookie|access-control-.*|vary|server|strict-transport-security|alt-svc)$/;

function withMessage(response: ServiceResponse): ServiceResponse {
  if (response.status < 400 || response.bytes) return response;
  const { message } = Object(jsonIn(response.body));
  return typeof message === "string" ? { ...response, message } : response;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function contentOf(bytes: Uint8Array): Pick<ServiceResponse, "body" | "bytes"> {
  try {
    return { body: utf8.decode(bytes) };
  } catch {
    return { body: "", bytes };
  }
}

/** Reads a body, after decompression, up to a limit. */
async function readBytes({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`its response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The response of an explorer, or a 502 if it did not respond. */
interface UpstreamResponse {
  readonly response: ServiceResponse;
  readonly isReached: boolean;
}

/**
 * Builds path and query from the operation, so that the text of a caller's path is sent nowhere.
 * Throws a {@link ServiceError} 400 for a path that would leave the upstream's address.
 */
function targetOf(api: Api, { method, target }: ServiceRequest): string {
  const [, query = ""] = target.split(/\?(.*)/s);
  const match = api.router.match(method, pathOf(target));
  const values = [...(match?.values ?? [])];
  const built = (match?.operation.path ?? "").replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(segmentValue(name, values.shift())),
  );
  const parameters = new URLSearchParams(query).toString();
  return parameters === "" ? built : `${built}?${parameters}`;
}

function segmentValue(name: string, segment = ""): string {
  const refuse = () => new ServiceError(400, `${name}: expected a value that a path can have`);
  try {
    const value = decodeURIComponent(segment);
    // URLs drop these segments, encoded or not.
    if (value !== "." && value !== "..") return value;
  } catch {
    throw refuse();
  }
  throw refuse();
}

/** How to request a response from an explorer. */
export interface UpstreamOptions {
  readonly base: string;
  /** The operations in its dialect. */
  readonly api: Api;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds until the end of a response's body. */
  readonly timeout: number;
  /** The longest response in bytes, once it is decompressed. */
  readonly maxResponseBytes: number;
}

/**
 * Returns a function that asks an explorer. It neither retries nor follows redirects, so that the
 * caller sees what the explorer does.
 */
export const askUpstream =
  ({ base, api, fetch, timeout, maxResponseBytes }: UpstreamOptions) =>
  async (request: ServiceRequest): Promise<UpstreamResponse> => {
    const { method, headers, body, signal } = request;
    const key = apiKeyOf(request);
    const type = headers["content-type"];
    const url = `${base}${targetOf(api, request)}`;
    const scope = new AbortScope().timeout(timeout, () => new Error(`${timeout} ms have passed`));
    if (signal) scope.follow(signal);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          // `msw/passthrough` makes MSW, if it intercepts this process, let the request out.
          accept: "application/json, msw/passthrough",
          ...(key === undefined ? {} : { "api-key": key }),
          ...(typeof type === "string" ? { "content-type": type } : {}),
        },
        redirect: "manual",
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        signal: scope.signal,
      });
      const forwardedHeaders = [...response.headers].filter(([name]) => !DROPPED.test(name));
      const content = contentOf(await readBytes(response, maxResponseBytes));
      const { status } = response;
      const received = {
        status,
        headers: Object.fromEntries(forwardedHeaders),
        ...content,
        isForeign: true,
      };
      return { isReached: true, response: withMessage(received) };
    } catch (error) {
      const cause = error instanceof Error && error.cause ? error.cause : error;
      const problem = `the explorer at ${base} did not respond: ${messageOf(cause)}`;
      return { isReached: false, response: errorResponse(502, problem) };
    } finally {
      scope.close();
    }
  };

/**
 * Returns a function that answers from a recording: each version of a response in turn, and then
 * the last version for all further requests.
 */
export function answerFrom(
  recording: Recording,
  onUse: (request: RecordedRequest, version: Version) => void,
): (request: ServiceRequest) => ServiceResponse | undefined {
  const next = new Map<string, number>();
  return (request) => {
    const wanted = recordedRequest(request);
    const { key, versions } = recording.find(wanted);
    const at = Math.min(next.get(key) ?? 0, versions.length - 1);
    const version = versions[at];
    if (version === undefined) return undefined;
    next.set(key, at + 1);
    onUse(wanted, version);
    return withMessage(responseOf(version.response));
  };
}

export function notRecorded(recording: Recording, request: ServiceRequest): ServiceResponse {
  const wanted = recordedRequest(request);
  const nearest = recording.nearest(wanted);
  const line = ({ method, target, body }: typeof wanted) =>
    [method, target, body].filter(Boolean).join(" ").slice(0, 500);
  const hint = nearest ? `; the nearest recorded request is ${line(nearest)}` : "";
  return errorResponse(501, `not recorded: ${line(wanted)}${hint}`);
}
