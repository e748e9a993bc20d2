// A call that could not have succeeded: refused before anything was sent.
import { explain, type Issue } from "../models/issues.ts";
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** What was given is not what the operation takes. Nothing was sent. `issues` names every parameter that is wrong. */
export class ParameterError extends ExplorerError {
  readonly code = "PARAMETER";
  /** Where each stands, what was expected and what was given. */
  readonly issues: readonly Issue[];

  constructor(what: string, issues: readonly Issue[], details: ErrorDetails = {}) {
    const [only] = issues;
    super(
      issues.length === 1 && only
        ? `${what}: ${explain(only)}`
        : `${what}: ${issues.length} parameters are wrong`,
      {
        ...details,
        lines: issues.length === 1 ? [] : issues.map((issue) => `- ${explain(issue)}`),
      },
    );
    this.issues = issues;
  }
}
