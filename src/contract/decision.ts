// What a decision on something the specification leaves open says: a statement and where it comes from.

/** The source of a decision: the specification, responses of a public deployment of this API family, or our choice. */
export type Origin = "spec" | "observed" | "assumed";

/** A decision on something the specification leaves open. */
export interface Decision {
  /** R and a number for the client, S and a number for the mock server. */
  readonly id: string;
  readonly statement: string;
  /** All sources of the decision. */
  readonly origin: readonly Origin[];
  /** Which part comes from which source, where they differ. */
  readonly note?: string;
}
