// A response that does not match the specification.
import { explain, type Issue } from "../models/issues.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** How many issues the message lists. */
const MAX_LISTED = 5;

/** The parts of an invalid response. */
export interface ResponseValidationDetails extends ErrorDetails {
  readonly issues?: readonly Issue[] | undefined;
  /** The beginning of the body. */
  readonly body?: string | undefined;
  readonly httpStatus?: number | undefined;
}

/**
 * A successful response that does not match the specification: not JSON, no envelope, or invalid fields. `issues` holds path, expected
 * and received value of each; `path`, `expected` and `received` are those of the first.
 */
export class ResponseValidationError extends ExplorerError {
  readonly code = "RESPONSE_VALIDATION";
  readonly issues: readonly Issue[];
  /** The beginning of the body. */
  readonly body: string | undefined;
  readonly httpStatus: number | undefined;

  constructor(summary: string, details: ResponseValidationDetails) {
    const { issues = [], body } = details;
    const more = issues.length - MAX_LISTED;
    super(summary, {
      ...details,
      lines: [
        ...issues.slice(0, MAX_LISTED).map((issue) => `- ${explain(issue)}`),
        ...(more > 0 ? [`… and ${more} more`] : []),
        ...(body === undefined ? [] : [`Body: ${body}`]),
      ],
    });
    this.issues = issues;
    this.body = body;
    this.httpStatus = details.httpStatus;
  }

  /** The path of the first issue: "results.data.3.value". */
  get path(): string | undefined {
    return this.issues[0]?.path.join(".");
  }
  /** What the specification requires there. */
  get expected(): string | undefined {
    return this.issues[0]?.expected;
  }
  /** The received value. */
  get received(): unknown {
    return this.issues[0]?.received;
  }
}
