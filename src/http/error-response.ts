// Creates the error for a response that is not a success. Loaded with the first such response.
import { type Envelope, isEnvelope, readEnvelope } from "../contract/envelope.ts";
import type { AnyOperation } from "../contract/index.ts";
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  type ErrorContext,
  type ExplorerError,
  InvalidRequestError,
  NotAnExplorerError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  VerificationError,
} from "../errors/index.ts";
import { presentable } from "../errors/presentable.ts";
import { excerpt, type Redact } from "../errors/redact.ts";
import { InvalidJsonError, isObject, parseJson } from "../models/json.ts";
import type { ReadResponse } from "./fetch.ts";
import { type ErrorSource, invalidBody } from "./invalid-body.ts";
import { retryAfter } from "./retry-after.ts";
import { JSON_TYPE, OTHER_TYPE, requiresVerified } from "./success.ts";

interface ResponseContext extends ErrorSource {
  readonly operation: AnyOperation;
}

/** The longest `reason` of a failed verification. It lists compilers, contracts and arguments. */
const MAX_VERDICT = 8192;

export function errorOf(
  operation: AnyOperation,
  { response, text, redact }: ReadResponse,
  context: () => ErrorContext,
): ExplorerError {
  const request = { operation, redact, context };
  if (!response.ok) return parseErrorResponse(request, response, text);
  const value = parseBody(request, response, text);
  if (value instanceof ResponseValidationError) return value;
  const envelope = readEnvelope(value);
  if (envelope.status !== undefined) return toApiError(request, response, envelope);
  const received = (part: unknown) => presentable(part, redact);
  return new ResponseValidationError(
    isObject(value) && "jsonrpc" in value
      ? "Invalid response: this address looks like a node's RPC, not like an explorer's API"
      : "Invalid response: the body has no status, message and results",
    {
      ...context(),
      lines: [CHECK_BASE_URL],
      issues: [
        isObject(value)
          ? { path: ["status"], expected: "a status string", received: received(value.status) }
          : { path: [], expected: "an object", received: received(value), structural: true },
      ],
      httpStatus: response.status,
      body: excerpt(text, redact),
    },
  );
}

/** Parses a body. Returns an error if it is not JSON. */
function parseBody(source: ErrorSource, { headers, status }: Response, text: string): unknown {
  const contentType = headers.get("content-type") ?? "";
  const isJson = JSON_TYPE.test(contentType);
  const invalid = (reason: string) => {
    const type = excerpt(contentType, source.redact);
    const problem = isJson ? reason : `the content type is ${type}, not JSON`;
    return invalidBody(source, status, problem, text);
  };
  if (!isJson && !OTHER_TYPE.test(contentType)) return invalid("");
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof InvalidJsonError) return invalid(error.message);
    throw error;
  }
}

const NOT_AN_EXPLORER = "This address is not an explorer's API";
const CHECK_BASE_URL = "Check baseUrl: it is the address of the API, up to and without /v1.";

function parseErrorResponse(request: ResponseContext, response: Response, text: string): ApiError {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The body is often an HTML page of a proxy.
  }
  const envelope = readEnvelope(value);
  return isEnvelope(value) || envelope.message !== undefined
    ? toApiError(request, response, envelope)
    : toApiError(request, response, {}, excerpt(text, request.redact));
}

function toApiError(
  { operation, redact, context }: ResponseContext,
  response: Response,
  { status, message: word, success, result }: Partial<Envelope>,
  body?: string,
): ApiError {
  // Etherscan's error responses have the reason in `result`.
  const message = result === undefined ? word : `${word}: ${result}`;
  // Some deployments send HTTP 200 with the actual status in the envelope.
  const code = response.ok && /^[45]\d\d$/.test(status ?? "") ? Number(status) : response.status;
  const details: ApiErrorDetails = {
    ...context(),
    httpStatus: response.status,
    status: status === undefined ? undefined : excerpt(status, redact, 20),
    reason:
      message === undefined
        ? undefined
        : excerpt(message, redact, operation.failure === "verdict" ? MAX_VERDICT : undefined),
    headers: redactHeaders(response.headers, redact),
    retryAfter: retryAfter(response.headers, code === 429),
    body,
  };

  if (requiresVerified(operation) && (success || meansNotVerified(code, message)))
    return new NotVerifiedError("Contract not verified", details);
  if (code < 300)
    return operation.failure === "verdict"
      ? new VerificationError("Verification failed", details)
      : new ApiError("Request failed", details);
  if (code === 401) return new AuthenticationError("Unauthorized", details);
  if (code === 403) return new AuthenticationError("Forbidden", details);
  if (code === 404)
    return status === undefined
      ? new NotAnExplorerError(NOT_AN_EXPLORER, { ...details, lines: [CHECK_BASE_URL] })
      : new NotFoundError("Not found", details);
  if (code === 429) return new RateLimitError("Rate limited", details);
  if (code >= 500 && code < 600) return new ServerError(`Server error (HTTP ${code})`, details);
  if (code >= 400 && code < 500 && code !== 408)
    return new InvalidRequestError(`Request rejected (HTTP ${code})`, details);
  return new ApiError(`Unexpected response (HTTP ${code})`, details);
}

/** Matches by words, because deployments use them with various HTTP statuses (S2). */
const meansNotVerified = (code: number, message = ""): boolean =>
  code < 500 && /\bnot\b.*\bverified\b|\bunverified\b/i.test(message);

/** Removes the API key from headers, because a server may echo it in a value or a name. */
function redactHeaders(headers: Headers, redact: Redact): Headers {
  const copy = new Headers();
  for (const [name, value] of headers) if (redact(name) === name) copy.append(name, redact(value));
  return copy;
}
