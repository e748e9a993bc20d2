// A successful response that is not in the documented form.
import { type Issue, issueLines } from "../models/mismatch.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

const MAX_LISTED = 5;

/** The parts of an invalid response. */
export interface ResponseValidationDetails
  extends ErrorDetails,
    Partial<Pick<ResponseValidationError, "issues" | "issueCount" | "body" | "httpStatus">> {}

/**
 * A successful response that is not in the documented form: not JSON, no envelope, or invalid
 * fields. `issues` holds path, expected and received value of the first 20, `issueCount` how many
 * there are; `path`, `expected` and `received` are those of the first.
 */
export class ResponseValidationError extends ExplorerError {
  readonly code = "RESPONSE_VALIDATION";
  /** The first invalid fields, at most 20. */
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

  /** The path of the first issue: "results.data.3.value". */
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
