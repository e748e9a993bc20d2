// The failures an operation answers by HTTP status, for the OpenAPI document.
import type { AnyOperation } from "../src/contract/index.ts";

type Json = Record<string, unknown>;

interface Failure {
  readonly description: string;
  /** Selects the operations that can fail this way. All can if it is left out. */
  readonly of?: (operation: AnyOperation) => boolean;
  readonly headers?: Json;
}

const hasBody = ({ places }: AnyOperation): boolean => places.body.length > 0;

const retryAfter = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

const failures: Readonly<Record<string, Failure>> = {
  400: { description: "A parameter is missing or wrong; the message names it." },
  401: { description: "No api-key, or an unknown one." },
  404: { description: "There is no such token, transaction, block or contract." },
  405: {
    description: "Another method at this path; `Allow` names the right one.",
    headers: { Allow: { description: "The right method.", schema: { type: "string" } } },
  },
  408: { description: "The request took too long to arrive." },
  413: { description: "The body is larger than 1.5 MiB.", of: hasBody },
  415: { description: "The body is not application/json.", of: hasBody },
  429: {
    description: "Too many requests; `Retry-After` says when to come back.",
    headers: retryAfter,
  },
  431: { description: "Path and headers are larger than 16 KiB." },
  500: { description: "The service failed." },
  501: {
    description: "The service has no compiler to verify with.",
    of: ({ failure }) => failure === "verdict",
  },
  503: { description: "The service has no room for the request; it may have later." },
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
    Object.entries(failures).map(([status, { description, headers }]) => [
      `Error${status}`,
      {
        description,
        ...(headers && { headers }),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
