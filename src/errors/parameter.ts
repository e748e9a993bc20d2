// Invalid options and parameters: rejected before a request is sent.
import { explain, type Issue } from "../models/issues.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** Options or parameters are invalid; no request was sent. `issues` lists every problem. */
export class ParameterError extends ExplorerError {
  readonly code = "PARAMETER";
  /** Per problem: path, expected and received value. */
  readonly issues: readonly Issue[];

  constructor(summary: string, issues: readonly Issue[], details: ErrorDetails = {}) {
    const [only] = issues;
    super(
      issues.length === 1 && only
        ? `${summary}: ${explain(only)}`
        : `${summary}: ${issues.length} problems`,
      {
        ...details,
        lines: issues.length === 1 ? [] : issues.map((issue) => `- ${explain(issue)}`),
      },
    );
    this.issues = issues;
  }
}
