// Reading an answer: whether it is a success at all (R1, R2), which error it is if not, and what the results are.
import type { AnyOperation } from "../contract/index.ts";
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  type ErrorContext,
  InvalidRequestError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  VerificationError,
} from "../errors/index.ts";
import { excerpt, type Redact } from "../errors/redact.ts";
import { isObject } from "../models/issues.ts";
import { parseJson, UnreadableBody } from "./body.ts";
import { retryAfter } from "./retry-after.ts";

/** A response whose body is read. */
export interface ReadResponse {
  readonly response: Response;
  readonly text: string;
  readonly redact: Redact;
  /** How many times it was asked for. */
  readonly attempts: number;
}

/** A success. */
export interface ParsedResponse extends ReadResponse {
  /** The results in it, as JSON. */
  readonly results: unknown;
}

/** What reading needs to know beside the answer. */
export interface ResponseContext {
  readonly operation: AnyOperation;
  readonly redact: Redact;
  readonly context: () => ErrorContext;
}

/** The envelope's word, whatever its JSON type (R7). */
const word = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : undefined;

const isEnvelope = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && "status" in value && ("message" in value || "results" in value);

/** Content types that are JSON, or say nothing about it. */
const MAY_BE_JSON = /^\s*($|text\/plain|application\/([\w.-]+\+)?json|text\/json)/i;

/** The results of a successful answer as JSON; throws what the answer is otherwise. */
export function readAnswer(reading: ResponseContext, response: Response, text: string): unknown {
  if (!response.ok) throw readRefusal(reading, response, text);
  const contentType = response.headers.get("content-type") ?? "";
  if (!MAY_BE_JSON.test(contentType))
    throw unreadable(
      reading,
      response,
      `it is ${excerpt(contentType, reading.redact)}, not JSON`,
      text,
    );
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableBody) throw unreadable(reading, response, error.message, text);
    throw error;
  }

  if (!reading.operation.enveloped && !isEnvelope(value)) return value;
  const status = isObject(value) ? word(value.status) : undefined;
  if (!isObject(value) || status === undefined)
    throw new ResponseValidationError("The answer has no envelope of status, message and results", {
      ...reading.context(),
      issues: [
        isObject(value)
          ? { path: ["status"], expected: "a status string", received: value.status }
          : { path: [], expected: "an object", received: value, structural: true },
      ],
      httpStatus: response.status,
      body: excerpt(text, reading.redact),
    });
  const success = status === "200" && word(value.message)?.toLowerCase() === "success";
  // Nothing to show is all some deployments say of a contract that is not verified.
  if (success && !(asksVerified(reading.operation) && isEmpty(value.results))) return value.results;
  throw refusal(reading, response, value, undefined);
}

/** An answer that is no success by its HTTP status. */
function readRefusal(reading: ResponseContext, response: Response, text: string): ApiError {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Often a page of HTML from something in between.
  }
  return isEnvelope(value) || (isObject(value) && word(value.message) !== undefined)
    ? refusal(reading, response, value, undefined)
    : refusal(reading, response, {}, excerpt(text, reading.redact));
}

/** A body that cannot be read. */
export const unreadable = (
  { redact, context }: ResponseContext,
  response: Response,
  why: string,
  text?: string,
): ResponseValidationError =>
  new ResponseValidationError(`The answer cannot be read: ${why}`, {
    ...context(),
    httpStatus: response.status,
    body: text === undefined ? undefined : excerpt(text, redact),
  });

function refusal(
  { operation, redact, context }: ResponseContext,
  response: Response,
  envelope: Readonly<Record<string, unknown>>,
  body: string | undefined,
): ApiError {
  const status = word(envelope.status);
  const message = word(envelope.message);
  // Some deployments put the true status only into the envelope.
  const code = response.ok && /^[45]\d\d$/.test(status ?? "") ? Number(status) : response.status;
  const details: ApiErrorDetails = {
    ...context(),
    httpStatus: response.status,
    status: status === undefined ? undefined : excerpt(status, redact, 20),
    reason: message === undefined ? undefined : excerpt(message, redact),
    headers: clean(response.headers, redact),
    retryAfter: retryAfter(response.headers, code === 429, Date.now()),
    body,
  };

  const success = status === "200" && message?.toLowerCase() === "success";
  if (asksVerified(operation) && (success || saysNotVerified(code, message)))
    return new NotVerifiedError("The contract is not verified", details);
  if (code < 300)
    return operation.failure === "verdict"
      ? new VerificationError("The source was not accepted", details)
      : new ApiError("The service did not succeed", details);
  if (code === 401 || code === 403)
    return new AuthenticationError("The api-key was not accepted", details);
  if (code === 404) return new NotFoundError("There is no such thing", details);
  if (code === 429) return new RateLimitError("Too many requests", details);
  if (code >= 500) return new ServerError("The service failed", details);
  if (code >= 400 && code !== 408)
    return new InvalidRequestError("The service refused the request", details);
  return new ApiError(`The service answered with HTTP ${code}`, details);
}

/** Whether it is the question for what only verified contracts have. */
const asksVerified = ({ failure }: AnyOperation): boolean => failure === "not-verified";

/** Deployments say it in these words, with one HTTP status or another (S2 is one reading). */
const saysNotVerified = (code: number, message = ""): boolean =>
  code < 500 && /\bnot\b.*\bverified\b|\bunverified\b/i.test(message);

const isEmpty = (results: unknown): boolean =>
  results === null || (isObject(results) && Object.keys(results).length === 0);

/** The headers without the key, should the server have echoed it. */
function clean(headers: Headers, redact: Redact): Headers {
  const copy = new Headers();
  for (const [name, value] of headers) copy.append(name, redact(value));
  return copy;
}
