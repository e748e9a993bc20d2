// How a server answers lists: what a client learns of it, and starts with.
import * as z from "zod/mini";
import { oneOf } from "./parameters.ts";

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

const end = z.optional(oneOf(["inclusive", "exclusive", "ignored"]));

/** The fields of a {@link ListProfile}. */
export const listProfileShape = {
  order: z.optional(oneOf(["newest first", "oldest first", "unsorted"])),
  count: z.optional(oneOf(["list", "page", "guess"])),
  largestPage: z.optional(
    z.custom<number>(
      (given) => Number.isSafeInteger(given) && Number(given) >= 1,
      "an integer of 1 or more",
    ),
  ),
  offset: z.optional(oneOf(["records", "pages", "ignored"])),
  startBlock: end,
  endBlock: end,
} satisfies { readonly [Field in keyof ListProfile]: unknown };
