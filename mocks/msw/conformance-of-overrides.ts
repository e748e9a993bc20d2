// Answers that a test puts in the service's place (`server.use`) are checked against the contract like its own.

import type { Explorer } from "../explorer.ts";
import { answerViolation, type ConformanceError } from "../transports/conformance.ts";
import { targetBelow } from "../transports/request.ts";
import { routeOf } from "../transports/router.ts";
import { delay } from "../transports/timing.ts";
import { wasAnswered } from "./handlers.ts";

/** What MSW tells of an answer that one of its handlers gave. */
interface MockedResponse {
  readonly request: Request;
  readonly requestId: string;
  readonly response: Response;
}

/** MSW's server or worker, as far as it is listened to here. */
interface ResponseEvents {
  readonly events: {
    on(type: "response:mocked", listener: (event: MockedResponse) => void): unknown;
  };
}

/** The checks under way. */
export interface OverrideChecks {
  /** Waits until the checks on behalf of an explorer are done; those of bodies without an end are given up. */
  done(explorer: Explorer): Promise<void>;
}

/** How long a body may take to come after the test that asked for it is over. */
const timeoutMs = 1000;

/** What is wrong with a response to a request, if it is one of the service's and breaks the contract. */
async function violationOf(
  baseUrl: string,
  request: Request,
  response: Response,
): Promise<ConformanceError | undefined> {
  const target = targetBelow(baseUrl, request.url);
  const route = target === undefined ? undefined : routeOf(request.method, target);
  // A broken connection (status 0) is no answer.
  if (target === undefined || route === undefined || response.status === 0) return undefined;
  // A copy: others listen, too. Nor is a body an answer that breaks, or that nobody waits for any more.
  const text = await response
    .clone()
    .text()
    .catch(() => undefined);
  if (text === undefined || request.signal.aborted) return undefined;
  const { status, headers } = response;
  const [, query] = target.split("?");
  const simple = new URLSearchParams(query).get("simple") === "true";
  return answerViolation(route.id, status, headers.get("content-type"), text, simple);
}

/**
 * Checks what handlers other than the service's own answer, on behalf of the explorer that the request would have met.
 * What breaks the contract is reported to it, and told to `onViolation`.
 */
export function checkOverrides(
  { events }: ResponseEvents,
  explorerNow: () => Explorer,
  onViolation?: (violation: ConformanceError, explorer: Explorer) => void,
): OverrideChecks {
  const checks = new Map<Explorer, Set<Promise<void>>>();
  events.on("response:mocked", ({ request, requestId, response }) => {
    const explorer = explorerNow();
    if (explorer.conformance === undefined || wasAnswered(requestId)) return;
    const pending = checks.get(explorer) ?? new Set();
    checks.set(explorer, pending);
    const check = violationOf(explorer.baseUrl, request, response).then((violation) => {
      // One that was given up is not held against the test that runs now.
      if (!pending.delete(check) || violation === undefined) return;
      explorer.report(violation);
      onViolation?.(violation, explorer);
    });
    pending.add(check);
  });
  return {
    async done(explorer) {
      const pending = checks.get(explorer);
      checks.delete(explorer);
      if (!pending?.size) return;
      const patience = new AbortController();
      await Promise.race([Promise.all(pending), delay(timeoutMs, patience.signal)]);
      patience.abort();
      pending.clear();
    },
  };
}
