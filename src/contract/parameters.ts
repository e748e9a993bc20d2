// The parameters that several operations share (specification 2.1).
import * as z from "zod/mini";
import { between, blockNumber, flag } from "../models/primitives.ts";
import { limits } from "./lists.ts";

/** Creates the page parameters of a list with pages of up to `max` records. */
export const pagingUpTo = (max: number) => ({
  limit: z._default(between(limits.min, max), Math.min(limits.default, max)),
  offset: z._default(between(0, Number.MAX_SAFE_INTEGER), 0),
});

/** The page parameters of most lists. */
export const paging = pagingUpTo(limits.max);

/** A range of blocks, both ends included. */
export const blockRange = {
  startBlock: z.optional(blockNumber),
  endBlock: z.optional(blockNumber),
};

/** Whether records include their call data. */
export const withInput = { input: z._default(flag, false) };

export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema?._zod.optin !== undefined;
