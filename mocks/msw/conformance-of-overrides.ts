// Checks responses of a test's own handlers (`server.use`) against the contract, as the service
// checks its own.

import { type ConformanceError, responseViolation } from "../../src/contract/conformance.ts";
import { delay } from "../message/event-loop.ts";
import { operationOf } from "../service/explorer-api.ts";
import { targetBelow } from "../service/fetch.ts";
import type { Service } from "../service/service.ts";
import { wasHandled } from "./handlers.ts";

/** MSW's event for a response of one of its handlers. */
interface MockedResponse {
  readonly request: Request;
  readonly requestId: string;
  readonly response: Response;
}

interface ResponseEvents {
  readonly events: {
    on(type: "response:mocked", listener: (event: MockedResponse) => void): unknown;
  };
}

export interface OverrideChecks {
  /** Waits for the checks of an explorer's responses, and gives up on bodies that do not end. */
  done(service: Service): Promise<void>;
}

/** Milliseconds to wait for a body after the test has ended. */
const TIMEOUT_MS = 1000;

/**
 * Returns a response's violation of the contract. Returns undefined for requests to other servers.
 */
async function violationOf(
  { baseUrl, api }: Service,
  request: Request,
  response: Response,
): Promise<ConformanceError | undefined> {
  const target = targetBelow(baseUrl, request.url);
  const operation = target === undefined ? undefined : operationOf(api, request.method, target);
  // `Response.error()`, a broken connection, has status 0.
  if (target === undefined || operation === undefined || response.status === 0) return undefined;
  // Reads a clone, because the program reads the response too. Skips bodies that break or are
  // aborted.
  const text = await response
    .clone()
    .text()
    .catch(() => undefined);
  if (text === undefined || request.signal.aborted) return undefined;
  const { status, headers } = response;
  const contentType = headers.get("content-type");
  return responseViolation(operation, target, { status, contentType, text });
}

/**
 * Checks responses that the service's own handlers did not send. Reports a violation to the current
 * explorer and to `onViolation`.
 */
export function checkOverrides(
  { events }: ResponseEvents,
  currentService: () => Service,
  onViolation?: (violation: ConformanceError, service: Service) => void,
): OverrideChecks {
  const checks = new Map<Service, Set<Promise<void>>>();
  events.on("response:mocked", ({ request, requestId, response }) => {
    const service = currentService();
    if (service.options.conformance === undefined || wasHandled(requestId)) return;
    const pending = checks.get(service) ?? new Set();
    checks.set(service, pending);
    const check = violationOf(service, request, response).then((violation) => {
      // Drops a violation that `done` did not wait for, because another test may be running by now.
      if (!pending.delete(check) || violation === undefined) return;
      service.report(violation);
      onViolation?.(violation, service);
    });
    pending.add(check);
  });
  return {
    async done(service) {
      const pending = checks.get(service);
      checks.delete(service);
      if (!pending?.size) return;
      const timer = new AbortController();
      await Promise.race([Promise.all(pending), delay(TIMEOUT_MS, timer.signal)]);
      timer.abort();
      pending.clear();
    },
  };
}
