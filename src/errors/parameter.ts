// The error for invalid options and parameters, which are refused before a request is sent.
import { explain, type Issue, issueLines, MAX_ISSUES } from "../models/mismatch.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** The parts of a {@link ParameterError}. */
export interface ParameterErrorDetails extends ErrorDetails {
  /** The number of all issues, if `issues` contains only some of them. */
  readonly issueCount?: number | undefined;
}

/** Options or parameters are invalid, so no request was sent. `issues` lists the problems. */
export class ParameterError extends ExplorerError {
  readonly code = "PARAMETER";
  /** The first 20 problems, each with its path, the expected value and the received value. */
  readonly issues: readonly Issue[];
  /** How many problems there are. */
  readonly issueCount: number;

  constructor(summary: string, issues: readonly Issue[], details: ParameterErrorDetails = {}) {
    const { issueCount = issues.length } = details;
    const [only] = issues;
    super(
      issueCount === 1 && only
        ? `${summary}: ${explain(only)}`
        : `${summary}: ${issueCount} problems`,
      { ...details, lines: issueCount === 1 ? [] : issueLines(issues, issueCount, MAX_ISSUES) },
    );
    this.issues = issues.slice(0, MAX_ISSUES);
    this.issueCount = issueCount;
  }
}
