// A client's knowledge of how its server answers lists: learned from normal responses, or given when the client was created.
import * as z from "zod/mini";
import { type ListProfile, listProfileShape } from "../contract/list-profile.ts";
import { ParameterError } from "../errors/index.ts";
import type { Call } from "../http/call.ts";
import { checkOwn } from "../models/check.ts";

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

/** A profile as its file has it; the other fields are for mocks. */
const startingProfile = z.object({
  lists: z.optional(z.catchall(z.object({}), z.object(listProfileShape))),
});

/** Lets a client begin with what is known of its server. Throws a {@link ParameterError} for anything that is not a profile. */
export function beginWith(call: Call, given: unknown): void {
  const { value, issues } = checkOwn(startingProfile, given);
  if (issues)
    throw new ParameterError(
      "Invalid client options",
      issues.map((issue) => ({ ...issue, path: ["profile", ...issue.path] })),
    );
  const known = profilesOf(call);
  for (const [id, profile] of Object.entries(value.lists ?? {})) known.set(id, profile);
}
