// The error for a successful response that is not in the documented form.
import { type Issue, issueLines } from "../models/mismatch.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

const MAX_LISTED = 5;

/** The parts of a {@link ResponseValidationError}. */
export interface ResponseValidationDetails
  extends ErrorDetails,
    Partial<Pick<ResponseValidationError, "issues" | "issueCount" | "body" | "httpStatus">> {}

/**
 * A successful response is not in the documented form: it is not JSON, has no envelope, or has
 * invalid fields. `issues` describes the first 20 fields, `issueCount` counts all, and `path`,
 * `expected` and `received` describe the first field.
 */
export class ResponseValidationError extends ExplorerError {
  readonly code = "RESPONSE_VALIDATION";
  /** The first 20 invalid fields. */
  readonly issues: readonly Issue[];
  /** How many fields are invalid. */
  readonly issueCount: number;
  /** The beginning of the body. */
  readonly body: string | undefined;
  /** The HTTP status of the response. */
  readonly httpStatus: number | undefined;

  constructor(summary: string, details: ResponseValidationDetails) {
    const { issues = [], issueCount = issues.length, body } = details;
    super(summary, {
      ...details,
      lines: [
        ...(details.lines ?? []),
        ...issueLines(issues, issueCount, MAX_LISTED),
        ...(body === undefined ? [] : [`Body: ${body}`]),
      ],
    });
    this.issues = issues;
    this.issueCount = issueCount;
    this.body = body;
    this.httpStatus = details.httpStatus;
  }

  /** The path of the first invalid field: "results.data.3.value". */
  get path(): string | undefined {
    return this.issues[0]?.path.join(".");
  }
  /** A description of the value that the client expects there. */
  get expected(): string | undefined {
    return this.issues[0]?.expected;
  }
  /** The received value. */
  get received(): unknown {
    return this.issues[0]?.received;
  }
}
