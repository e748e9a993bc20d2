// A profile: how an explorer departs from the specification and from our decisions, as `compare --profile` writes it and a mock imitates it.
import * as z from "zod/mini";
import { listProfileShape } from "../../../src/contract/list-profile.ts";
import { check, explain } from "../../../src/models/issues.ts";
import { formNames } from "./forms.ts";

/** The version of the format; other versions are refused with an error that says so. */
const VERSION = 1;

const count = z.int().check(z.gte(1, "an integer of 1 or more"));

/** How an operation answers its list: what a client learns, too, and what only a mock needs. */
const listSchema = z.strictObject({
  ...listProfileShape,
  /** Of lists that are not sorted by block. */
  sorted: z.optional(z.enum(["reversed", "unsorted"])),
  defaultLimit: z.optional(count),
  limit: z.optional(z.literal("ignored")),
  /** The field `input`: never there, or also unasked. */
  input: z.optional(z.enum(["never", "always"])),
  /** Values of `condition` that do not filter. */
  ignoredConditions: z.optional(z.array(z.string())),
  /** By how many blocks `confirmations` lag behind the head. */
  confirmationsLag: z.optional(count),
});

/** What a field is instead: in another form, missing, or, where the specification has none, this value. */
const formSchema = z.union([z.enum(formNames), z.strictObject({ value: z.unknown() })]);

/** An answer that is no success with records; without a body, that of the envelope. */
const answerSchema = z.strictObject({
  /** The request is no mistake to this explorer: it ignores what we refuse. */
  accepted: z.optional(z.literal(true)),
  status: z.optional(z.int().check(z.gte(200), z.lte(599))),
  /** The status in the envelope, if it is not that of HTTP. */
  own: z.optional(z.string()),
  type: z.optional(z.string()),
  json: z.optional(z.unknown()),
  text: z.optional(z.string()),
  /** Without the header `Allow`. */
  allow: z.optional(z.literal("none")),
});

/** By the number of an operation; `*` is every other one. */
const byOperation = <S extends z.ZodMiniType>(value: S) => z.optional(z.record(z.string(), value));

const profileSchema = z.strictObject({
  profile: z.literal("mrc-explorer"),
  version: z.literal(VERSION, `${VERSION}, the version this release reads`),
  lists: byOperation(listSchema),
  /** By path in the results, `data.*.value`. */
  fields: byOperation(z.record(z.string(), z.array(formSchema))),
  /** By operation and by what was asked, such as `limit above`. */
  answers: byOperation(z.record(z.string(), answerSchema)),
  /** The body of errors, with `{status}`, `{code}` (the status as a number) and `{message}` in their places. */
  errors: z.optional(z.unknown()),
  /** The body of successes, with `{results}` in its place. */
  successes: byOperation(z.unknown()),
  contentTypes: byOperation(z.string()),
  /** The entries of A1. */
  balances: z.optional(
    z.strictObject({
      order: z.optional(z.enum(["sorted", "once"])),
      case: z.optional(z.literal("as requested")),
    }),
  ),
  /** Milliseconds. */
  delays: z.optional(z.strictObject({ median: count, percentile95: count })),
  rateLimit: z.optional(z.strictObject({ requests: count, perMs: count })),
  /** What was found, as `compare --accept` reads it; what is not imitated says so. */
  differences: z.array(
    z.object({
      operation: z.string(),
      rule: z.string(),
      field: z.string(),
      expected: z.string(),
      received: z.string(),
      imitated: z.boolean(),
    }),
  ),
});

/** How an explorer departs from the specification and from our decisions: written by `mrc-explorer compare --profile`. */
export type ExplorerProfile = z.infer<typeof profileSchema>;
export type ListHabits = z.infer<typeof listSchema>;
export type FieldForm = z.infer<typeof formSchema>;
export type OtherAnswer = z.infer<typeof answerSchema>;

/** The fields that every profile has. */
export const profileHeader = { profile: "mrc-explorer", version: VERSION } as const;

/** Checks a profile, such as a file's. Throws a TypeError that names what is wrong in it. */
export function parseProfile(given: unknown): ExplorerProfile {
  const { value, issues } = check(profileSchema, given);
  if (issues) throw new TypeError(`profile: ${explain(issues[0])}`);
  return value;
}
