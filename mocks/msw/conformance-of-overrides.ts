// Checks responses of a test's own handlers (`server.use`) against the contract, like the
// service's.

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

/** The events of MSW's server or worker. */
interface ResponseEvents {
  readonly events: {
    on(type: "response:mocked", listener: (event: MockedResponse) => void): unknown;
  };
}

/** The pending checks. */
export interface OverrideChecks {
  /** Waits for the checks of an explorer's responses, and gives up on bodies that do not end. */
  done(service: Service): Promise<void>;
}

/** How long to wait for a body after its test has ended. */
const TIMEOUT_MS = 1000;

/** The violation of a response to one of the service's requests, if there is one. */
async function violationOf(
  { baseUrl, api }: Service,
  request: Request,
  response: Response,
): Promise<ConformanceError | undefined> {
  const target = targetBelow(baseUrl, request.url);
  const operation = target === undefined ? undefined : operationOf(api, request.method, target);
  // Status 0 is a broken connection.
  if (target === undefined || operation === undefined || response.status === 0) return undefined;
  // A copy: the program reads the response too. A body that breaks or was aborted is not checked.
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
 * Checks the responses of all handlers but the service's own. A violation is reported to the
 * explorer of the request, and to `onViolation`.
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
      // An abandoned check does not count against the current test.
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
