// Where a chain is from, for people who look at it.

/** What made a chain; `built`: a program, such as a test. */
export interface ChainOrigin {
  readonly kind: "demo" | "folder" | "generated" | "node" | "built";
  /** The folder's name, or the node's host and port; null for the others. */
  readonly name: string | null;
}

export const builtOrigin: ChainOrigin = { kind: "built", name: null };
