// The fault `response`: a body written by hand, or made from the correct results, and its check
// against the contract.
import { responseViolation } from "../../src/contract/conformance.ts";
import { isEnvelope, RESULTS } from "../../src/contract/envelope.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { isObject, jsonIn } from "../../src/models/json.ts";
import { errorResponse, jsonHeaders, type ServiceResponse } from "../message/message.ts";
import type { Effect } from "./fault.ts";

export type ResponseEffect = Extract<Effect, { readonly fault: "response" }>;

/** The results in a successful response. */
export function resultsIn(operation: OperationId, { body }: ServiceResponse): unknown {
  const json = jsonIn(body);
  return operations[operation].enveloped ? Object(json)[RESULTS] : json;
}

/** Returns a whole body unchanged, and puts results alone into the envelope. */
function bodyOf(operation: OperationId, status: number, body: unknown): string {
  if (typeof body === "string") return body;
  const isWhole = isEnvelope(body) || status !== 200 || !operations[operation].enveloped;
  return JSON.stringify(isWhole ? body : { status: "200", message: "success", [RESULTS]: body });
}

/** Returns how a response violates the contract, if it does and is checked. */
export function violationOf(
  { checked = true }: ResponseEffect,
  operation: OperationId,
  { status, headers, body }: ServiceResponse,
): string | undefined {
  if (!checked) return undefined;
  const contentType = headers["content-type"] ?? null;
  const received = { status, contentType, text: body };
  // Accepts both forms of a list of transactions, because a body by hand does not say which form
  // the request asks for.
  const violation =
    responseViolation(operation, "", received) &&
    responseViolation(operation, "?simple=true", received);
  return violation && `${violation.message}; set checked: false to send it as it is`;
}

/**
 * Returns the response of a fault, before its check. A body that is a function gets the correct
 * `results`.
 */
export function handMadeResponse(
  effect: ResponseEffect,
  operation: OperationId,
  results: unknown,
): ServiceResponse {
  const { status = 200, headers = {}, body } = effect;
  const content = typeof body === "function" ? body(isObject(results) ? results : {}) : body;
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: content === undefined ? "" : bodyOf(operation, status, content),
    ...(isObject(content) && typeof content.message === "string" && { message: content.message }),
  };
}

/** Returns the response of a fault, or a 500 that says how the response violates the contract. */
export function withBody(
  effect: ResponseEffect,
  operation: OperationId,
  results: unknown,
): ServiceResponse {
  const response = handMadeResponse(effect, operation, results);
  const violation = violationOf(effect, operation, response);
  return violation === undefined
    ? response
    : errorResponse(500, `the fault response: ${violation}`);
}
