// Reads a response: its results, decoded by the contract, if it is a success (R1, R2), otherwise
// the error it stands for. The code for invalid results is loaded when they are first received.
import { type Envelope, isEnvelope, readEnvelope } from "../contract/envelope.ts";
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import type { ErrorDetails } from "../errors/base.ts";
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  type ErrorContext,
  InvalidRequestError,
  NotAnExplorerError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  VerificationError,
} from "../errors/index.ts";
import { excerpt, loadRedaction, presentable, type Redact } from "../errors/redact.ts";
import { checkOwn } from "../models/check.ts";
import { decodeFast } from "../models/fast-path.ts";
import { InvalidJsonError, isObject, parseJson } from "../models/json.ts";
import { explain } from "../models/mismatch.ts";
import type { AnySchema } from "../models/schema.ts";
import type { ParsedResponse, ReadResponse } from "./fetch.ts";
import type { Reporting } from "./invalid.ts";
import type { PreparedRequest } from "./request.ts";
import { retryAfter } from "./retry-after.ts";

interface ErrorSource {
  readonly redact: Redact;
  readonly context: () => ErrorDetails;
}

interface ResponseContext extends ErrorSource {
  readonly operation: AnyOperation;
}

/**
 * The longest `reason` why a source is refused: it lists compilers, contracts and constructor
 * arguments.
 */
const MAX_VERDICT = 8192;

const JSON_TYPE = /^\s*($|text\/plain|application\/([\w.-]+\+)?json|text\/json)/i;
/** Content types under which some deployments send JSON (R17). */
const OTHER_TYPE = /^\s*(text\/html|application\/octet-stream)/i;

/** The results of a successful response as JSON; throws the error of any other. */
export function parseResponse(
  operation: AnyOperation,
  { response, text, redact }: ReadResponse,
  context: () => ErrorContext,
): unknown {
  const request = { operation, redact, context };
  if (!response.ok) throw parseErrorResponse(request, response, text);
  const value = parseBody(request, response, text);
  if (!operation.enveloped && !isEnvelope(value)) return value;
  const envelope = readEnvelope(value);
  const received = (one: unknown) => presentable(one, redact);
  if (envelope.status === undefined)
    throw new ResponseValidationError(
      isObject(value) && "jsonrpc" in value
        ? "Invalid response: this address looks like a node's RPC, not like an explorer's API"
        : "Invalid response: no status, message and results",
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
  // Some deployments return an empty success for a contract that is not verified.
  if (envelope.success && !(requiresVerified(operation) && isUnverified(envelope.results)))
    return envelope.results;
  throw toApiError(request, response, envelope);
}

function parseBody(source: ErrorSource, { headers, status }: Response, text: string): unknown {
  const contentType = headers.get("content-type") ?? "";
  const isJson = JSON_TYPE.test(contentType);
  const invalid = (reason: string) => {
    const type = excerpt(contentType, source.redact);
    const problem = isJson ? reason : `the content type is ${type}, not JSON`;
    return invalidBody(source, status, problem, text);
  };
  if (!isJson && !OTHER_TYPE.test(contentType)) throw invalid("");
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof InvalidJsonError ? invalid(error.message) : error;
  }
}

const NOT_AN_EXPLORER = "This address is not an explorer's API";
const CHECK_BASE_URL = "Check baseUrl: it is the address of the API, up to and without /v1.";

function parseErrorResponse(request: ResponseContext, response: Response, text: string): ApiError {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Often an HTML page from a proxy.
  }
  const envelope = readEnvelope(value);
  return isEnvelope(value) || envelope.message !== undefined
    ? toApiError(request, response, envelope)
    : toApiError(request, response, {}, excerpt(text, request.redact));
}

export const invalidBody = (
  { redact, context }: ErrorSource,
  httpStatus: number,
  reason: string,
  text?: string,
): ResponseValidationError =>
  new ResponseValidationError(`Invalid response: ${reason}`, {
    ...context(),
    httpStatus,
    body: text === undefined ? undefined : excerpt(text, redact),
  });

function toApiError(
  { operation, redact, context }: ResponseContext,
  response: Response,
  { status, message: word, success, result }: Partial<Envelope>,
  body?: string,
): ApiError {
  // Etherscan's form has the reason in `result`.
  const message = result === undefined ? word : `${word}: ${result}`;
  // Some deployments put the actual status only into the envelope.
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

const requiresVerified = ({ failure }: AnyOperation): boolean => failure === "not-verified";

/** Deployments use these words, with various HTTP statuses (S2 is one of them). */
const meansNotVerified = (code: number, message = ""): boolean =>
  code < 500 && /\bnot\b.*\bverified\b|\bunverified\b/i.test(message);

/** Whether results are empty, or a record of C2 with neither source nor ABI (S2). */
function isUnverified(results: unknown): boolean {
  if (results === null || !isObject(results)) return results === null;
  const { data } = results;
  if (!isObject(data)) return Object.keys(results).length === 0;
  const isNothing = (value: unknown) => value === undefined || value === null || value === "";
  return "contract_code" in data && isNothing(data.contract_source) && isNothing(data.contract_abi);
}

/**
 * The headers without the API key, in case the server echoes it; a header named like it is left
 * out.
 */
function redactHeaders(headers: Headers, redact: Redact): Headers {
  const copy = new Headers();
  for (const [name, value] of headers) if (redact(name) === name) copy.append(name, redact(value));
  return copy;
}

const schemaOf = (operation: AnyOperation, { wire }: PreparedRequest): AnySchema =>
  (wire.simple === true ? operation.simpleResults : undefined) ?? operation.results;

/** The decoded results; undefined if they are invalid, or if only zod can decode them. */
export const decodeValid = <Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  results: unknown,
): OperationResults<Op> | undefined =>
  // The types do not relate an operation's schema to its results.
  decodeFast(schemaOf(operation, request), results) as OperationResults<Op> | undefined;

/**
 * Decodes what {@link decodeValid} does not; invalid fields fail the call (strict) or are reported
 * (lenient).
 */
export async function decodeOther<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  how: Reporting,
): Promise<OperationResults<Op>> {
  const schema = schemaOf(operation, request);
  await loadRedaction();
  const { decodeInvalid } = await import("./invalid.ts").catch((cause: unknown) => {
    throw unexplained(schema, request, received, cause);
  });
  const results = decodeInvalid(schema, request, received, how);
  return results as OperationResults<Op>;
}

/**
 * The error of invalid results while the code for them cannot be loaded: the first issue that zod
 * finds, and why there is no more.
 */
function unexplained(
  schema: AnySchema,
  { operation, url }: PreparedRequest,
  { attempts, redact, response, results, text }: ParsedResponse,
  cause: unknown,
): Error {
  const [issue] = checkOwn(schema, results).issues ?? [];
  const reason = excerpt(issue ? explain(issue) : "it could not be checked", redact, 500);
  const { id, name, method } = operation;
  const context = () => ({ operation: id, operationName: name, method, url, attempts, cause });
  return invalidBody({ redact, context }, response.status, reason, text);
}
