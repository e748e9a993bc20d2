// An answer that cannot be what the specification says.
import { explain, type Issue } from "../models/issues.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** How many issues the message spells out. */
const SPELT_OUT = 5;

/** What is known of an answer that is not as specified. */
export interface ResponseValidationDetails extends ErrorDetails {
  readonly issues?: readonly Issue[] | undefined;
  /** The beginning of the body. */
  readonly body?: string | undefined;
  readonly httpStatus?: number | undefined;
}

/**
 * A successful answer that does not read as the specification says: not JSON, no envelope, or fields that are not what
 * they should be. `issues` holds where, what was expected and what came; `path`, `expected` and `received` are the first's.
 */
export class ResponseValidationError extends ExplorerError {
  readonly code = "RESPONSE_VALIDATION";
  readonly issues: readonly Issue[];
  /** The beginning of the body. */
  readonly body: string | undefined;
  readonly httpStatus: number | undefined;

  constructor(what: string, details: ResponseValidationDetails) {
    const { issues = [], body } = details;
    const more = issues.length - SPELT_OUT;
    super(what, {
      ...details,
      lines: [
        ...issues.slice(0, SPELT_OUT).map((issue) => `- ${explain(issue)}`),
        ...(more > 0 ? [`… and ${more} more`] : []),
        ...(body === undefined ? [] : [`Body: ${body}`]),
      ],
    });
    this.issues = issues;
    this.body = body;
    this.httpStatus = details.httpStatus;
  }

  /** Where the first problem stands: "results.data.3.value". */
  get path(): string | undefined {
    return this.issues[0]?.path.join(".");
  }
  /** What the specification asks for there, in words. */
  get expected(): string | undefined {
    return this.issues[0]?.expected;
  }
  /** What came. */
  get received(): unknown {
    return this.issues[0]?.received;
  }
}
