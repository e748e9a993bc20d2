// How far a list is read: plain data, the cursor that is its text, and what the steps of reading take and give.
import * as z from "zod/mini";
import type { ErrorContext } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { zeroOrMore } from "../http/request.ts";
import { checkOwn } from "../models/check.ts";
import { among, list } from "../models/model.ts";
import type { PageRequest, PreparedList, Range, Reorganisation, Shortfall } from "./page.ts";

/** What the caller wants to read: the blocks, and how. */
export interface ReadingOptions extends Range {
  /** The largest page to request. */
  readonly limit: number;
  /** The position of the first record. */
  readonly offset: number;
  /** The operation takes `startBlock` and `endBlock`, and its records name their block. */
  readonly hasBlocks: boolean;
  /** Different records may look the same: token transfers have no log index. */
  readonly hasEqualRecords: boolean;
  /** The operation, for errors and reports. */
  readonly context: ErrorContext & { readonly operation: string };
  readonly onReorganisation: (event: Reorganisation) => void;
  readonly onShortfall: (event: Shortfall) => void;
}

/** A page that arrived. */
export interface Answer {
  readonly request: PageRequest;
  /** Equal for equal records ({@link digestsOf}). */
  readonly keys: readonly number[];
  /** Tell records apart whose keys are equal by chance. */
  readonly checks: readonly number[];
  /** The blocks of its records or, if they do not name it, their times; NaN for those without. */
  readonly ranks: readonly number[];
  readonly count: number | null;
  /** The most records to take. */
  readonly max: number;
}

// Types of their own: anything else that this file imports from zod would be loaded at first by all clients.
const is = <Value>(type: string) => z.custom<Value>((value) => typeof value === type);
const number = is<number>("number");
const flag = is<boolean>("boolean");
const numbers = z.array(number);
const states = ["reading", "searching", "closing", "ended"] as const;

const rangeSchema = z.object({ from: z.optional(number), to: z.optional(number) });

const progressSchema = z.object({
  /** What the next page is requested for. */
  state: among(states),
  /** The blocks that are read now: those that were read to their end are left out. */
  range: rangeSchema,
  /** The first block after the pinned range: left out so that what arrives moves nothing, and read afterwards unless the list is newest first; null if no range is pinned. */
  later: z.nullable(number),
  /** The newest count of `range`, which nothing that arrives changes where blocks are left for later; null if there was none. */
  countOfRange: z.nullable(number),
  /** The position in `range` of the next record. */
  next: number,
  /** The keys of the records read last, the last of them at `next` - 1 unless what followed was known; with `again` at most 80. */
  recent: numbers,
  /** The keys of records that were read before `recent` and may come again. Of records that look the same, each stands for one to skip where their block is read again; the others are known to another process by it. */
  again: numbers,
  /** The block of the last record, or else its time; null if none is known. */
  block: z.nullable(number),
  /** How many records of that block were read; null if its beginning was not. */
  inBlock: z.nullable(number),
  /** How many changes of block there were from one record to the next: above 0 if all rose, below 0 if all fell, null once both happened. Nine count as an order. */
  steps: z.nullable(number),
  /** Whether the server heeds blocks; null while that is not known. */
  blocksWork: z.nullable(flag),
  /** Whether the server takes `offset` for the position of a record: null while that is not known, and false once a record that looks like others was not in its place. */
  offsetWorks: z.nullable(flag),
  /** How many records were yielded. */
  received: number,
  /** The first `count`; null if there was none. */
  promised: z.nullable(number),
  /** `count` is the total of the blocks requested, not the length of the page; false also while that is not known. */
  countIsTotal: flag,
});

export type Progress = z.infer<typeof progressSchema>;

/** Nothing is read. */
export const beginning = (
  { from, offset, to }: ReadingOptions,
  countIsTotal: boolean,
): Progress => ({
  state: "reading",
  range: { from, to },
  later: null,
  countOfRange: null,
  next: offset,
  recent: [],
  again: [],
  block: null,
  inBlock: null,
  steps: 0,
  blocksWork: null,
  offsetWorks: null,
  received: 0,
  promised: null,
  countIsTotal,
});

/** The version of the cursor format; a release that changes the format increments it. */
const VERSION = 8;

/** What a cursor holds. */
export interface CursorContents {
  /** The part of the list to read, if it is not the whole. */
  readonly part?: Range | undefined;
  /** The position of the first record, if it is not 0. */
  readonly offset?: number | undefined;
  /** One, or those of the two lists of A6. */
  readonly lists: readonly Progress[];
}

const contents = z.object({
  part: z.optional(rangeSchema),
  offset: z.optional(zeroOrMore),
  lists: list(progressSchema, 1),
});

export const cursorOf = ({ name }: PreparedList, given: CursorContents): string =>
  JSON.stringify([VERSION, name, given]);

/** What the `resume` cursor holds. Throws a {@link ParameterError} if it is not a cursor of this list. */
export function readCursor({
  iteration,
  name,
  operation,
}: PreparedList): CursorContents | undefined {
  const { resume } = iteration;
  if (resume === undefined) return undefined;
  let expected = `a cursor of a page of ${name}`;
  try {
    const [version, list, given] = JSON.parse(String(resume));
    if (list === name && version === VERSION) {
      const { value } = checkOwn(contents, given);
      if (value) return value as CursorContents;
    } else if (version === name || list === name)
      expected += ` (this one was made by ${version > VERSION ? "a newer" : "an older"} release; start again from the first page, without \`resume\`)`;
  } catch {
    // It is not JSON.
  }
  const issue = { path: ["resume"], expected, received: resume };
  throw new ParameterError("Invalid resume cursor", [issue], { operation: operation.id });
}
