// Asks a real explorer in place of the mock's own chain, and answers from a recording.

import { messageOf } from "../../../src/errors/base.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { apiKeyOf } from "../../double/service/dispatcher.ts";
import {
  bodyText,
  errorResponse,
  type ServiceRequest,
  type ServiceResponse,
} from "../../double/service/message.ts";
import { type Recording, recordedRequest, responseOf } from "./recording.ts";

/** Headers that belong to a connection, to a moment or to another origin. */
const DROPPED =
  /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|date|age|set-cookie|access-control-.*|vary|server|strict-transport-security|alt-svc)$/;

/** The message of an error response, for the journal. */
function withMessage(response: ServiceResponse): ServiceResponse {
  if (response.status < 400) return response;
  const { message } = Object(jsonIn(bodyText(response.body)));
  return typeof message === "string" ? { ...response, message } : response;
}

async function readResponse(response: Response): Promise<ServiceResponse> {
  const kept = [...response.headers].filter(([name]) => !DROPPED.test(name));
  const { status } = response;
  return withMessage({ status, headers: Object.fromEntries(kept), body: await response.text() });
}

/** What came of asking: a response of the explorer, or ours that it did not respond. */
interface Asked {
  readonly response: ServiceResponse;
  readonly isReached: boolean;
}

/** A function that asks an explorer at an address. It neither retries nor follows redirects: the caller sees what the explorer does. */
export const askUpstream =
  (base: string, fetch: typeof globalThis.fetch) =>
  async (request: ServiceRequest): Promise<Asked> => {
    const { method, target, headers, body, signal } = request;
    const key = apiKeyOf(request);
    const type = headers["content-type"];
    try {
      const response = await fetch(`${base}${target}`, {
        method,
        headers: {
          // The second: MSW, where it intercepts this process, lets it out.
          accept: "application/json, msw/passthrough",
          ...(key === undefined ? {} : { "api-key": key }),
          ...(typeof type === "string" ? { "content-type": type } : {}),
        },
        redirect: "manual",
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        ...(signal ? { signal } : {}),
      });
      return { isReached: true, response: await readResponse(response) };
    } catch (error) {
      const cause = error instanceof Error && error.cause ? error.cause : error;
      const problem = `the explorer at ${base} did not respond: ${messageOf(cause)}`;
      return { isReached: false, response: errorResponse(502, problem) };
    }
  };

/** A function that answers from a recording: the first version of a response first, the last one again and again. */
export function answerFrom(
  recording: Recording,
): (request: ServiceRequest) => ServiceResponse | undefined {
  const next = new Map<string, number>();
  return (request) => {
    const wanted = recordedRequest(request);
    const versions = recording.versions(wanted);
    const key = JSON.stringify(wanted);
    const at = Math.min(next.get(key) ?? 0, versions.length - 1);
    const call = versions[at];
    if (call === undefined) return undefined;
    next.set(key, at + 1);
    return withMessage(responseOf(call));
  };
}

/** The response to a request that is not recorded. */
export function notRecorded(recording: Recording, request: ServiceRequest): ServiceResponse {
  const wanted = recordedRequest(request);
  const nearest = recording.nearest(wanted);
  const line = ({ method, target, body }: typeof wanted) =>
    [method, target, body].filter(Boolean).join(" ").slice(0, 500);
  const hint = nearest ? `; the nearest recorded request is ${line(nearest)}` : "";
  return errorResponse(501, `not recorded: ${line(wanted)}${hint}`);
}
