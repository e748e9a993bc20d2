// What a client has learned about how a server answers lists, from normal responses.
import type { Call } from "../http/call.ts";

/** How a server answers one list operation, as its responses have shown. */
export interface ListProfile {
  /** The order of records by their blocks. */
  readonly order?: "newest first" | "oldest first" | "unsorted" | undefined;
  /** What `count` is: that of the list, that of the page, or neither. */
  readonly count?: "list" | "page" | "guess" | undefined;
  /** The length of the longest page. */
  readonly largestPage?: number | undefined;
  /** What `offset` counts. */
  readonly offset?: "records" | "pages" | "ignored" | undefined;
  /** Whether lists include the block `startBlock`. */
  readonly startBlock?: "inclusive" | "exclusive" | "ignored" | undefined;
  /** Whether lists include the block `endBlock`. */
  readonly endBlock?: "inclusive" | "exclusive" | "ignored" | undefined;
}

/** Profiles by the number of their operation. */
export type ListProfiles = Map<string, ListProfile>;

const profiles = new WeakMap<Call, ListProfiles>();

/** The profiles of a client. */
export function profilesOf(call: Call): ListProfiles {
  const known = profiles.get(call) ?? new Map();
  profiles.set(call, known);
  return known;
}

/** Gives a client the profiles of another one of the same server. */
export const shareProfiles = (from: Call, to: Call): void => {
  profiles.set(to, profilesOf(from));
};
