// The failures an operation answers by HTTP status, for the OpenAPI document.
import type { AnyOperation } from "../src/contract/index.ts";

type Json = Record<string, unknown>;

interface Failure {
  readonly description: string;
  /** A message of such a failure, because servers made of the document answer with it. */
  readonly example: string;
  /** Selects the operations that can fail this way. All can if it is left out. */
  readonly of?: (operation: AnyOperation) => boolean;
  readonly headers?: Json;
}

const hasBody = ({ places }: AnyOperation): boolean => places.body.length > 0;

const retryAfter = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

const failures: Readonly<Record<string, Failure>> = {
  400: {
    description: "A parameter is missing or wrong; the message names it.",
    example: 'limit: expected an integer from 1 to 1000, received "5000"',
  },
  401: { description: "No api-key, or an unknown one.", example: "api-key: the header is missing" },
  404: {
    description: "There is no such token, transaction, block or contract.",
    example: "block_number: no block 999, the newest is 92",
  },
  405: {
    description: "Another method at this path; `Allow` names the right one.",
    example: "expected GET, received DELETE",
    headers: { Allow: { description: "The right method.", schema: { type: "string" } } },
  },
  408: { description: "The request took too long to arrive.", example: "request: request timeout" },
  413: {
    description: "The body is larger than 1.5 MiB.",
    example: "the body is larger than 1572864 bytes",
    of: hasBody,
  },
  415: {
    description: "The body is not application/json.",
    example: 'Content-Type: expected application/json, received "text/plain"',
    of: hasBody,
  },
  429: {
    description: "Too many requests; `Retry-After` says when to come back.",
    example: "too many requests; try again in 1 s",
    headers: retryAfter,
  },
  431: {
    description: "Path and headers are larger than 16 KiB.",
    example: "request: request header fields too large",
  },
  500: { description: "The service failed.", example: "internal error" },
  501: {
    description: "The service has no compiler to verify with.",
    example: "this service has no compiler: source code cannot be verified here",
    of: ({ failure }) => failure === "verdict",
  },
  503: {
    description: "The service has no room for the request; it may have later.",
    example: "the bodies of all requests: expected at most 67108864 bytes at a time, received more",
  },
};

/** The failures of an operation, as references to the document's responses. */
export const failuresOf = (operation: AnyOperation): Json =>
  Object.fromEntries(
    Object.entries(failures)
      .filter(([, { of }]) => of?.(operation) ?? true)
      .map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );

/** The responses that are referred to. */
export const failureResponses = (): Json =>
  Object.fromEntries(
    Object.entries(failures).map(([status, { description, headers, example: message }]) => [
      `Error${status}`,
      {
        description,
        ...(headers && { headers }),
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            example: { status, message, results: null },
          },
        },
      },
    ]),
  );
