// The position in a list as plain data, and the cursor that encodes it as text.
import * as z from "zod/mini";
import { ParameterError } from "../errors/index.ts";
import { zeroOrMore } from "../http/request.ts";
import { checkOwn } from "../models/check.ts";
import { among, list } from "../models/model.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A page to request. */
export interface PageRequest extends Range {
  readonly offset: number;
  readonly limit: number;
}

// Defined here, because zod's own number and boolean schemas would enlarge every client's bundle.
const is = <Value>(type: string) => z.custom<Value>((value) => typeof value === type);
const number = is<number>("number");
const flag = is<boolean>("boolean");
const numbers = z.array(number);
const states = ["reading", "searching", "closing", "ended"] as const;

const rangeSchema = z.object({ from: z.optional(number), to: z.optional(number) });

const progressSchema = z.object({
  /** The purpose of the next request. */
  state: among(states),
  /** The blocks that are being read, without blocks that were read completely. */
  range: rangeSchema,
  /**
   * The first block after a pinned range, or null. The range leaves out new blocks, so that they
   * move no records. They are read afterwards, unless the list is newest first.
   */
  later: z.nullable(number),
  /** The newest count of a pinned range, or null. */
  countOfRange: z.nullable(number),
  /** The position in `range` of the next record. */
  next: number,
  /** The keys of the last records; the very last is at `next` - 1, unless known records follow. */
  recent: numbers,
  /**
   * The keys of records read before `recent` that may come again. Among records that look alike,
   * each key stands for one record to skip when their block is read again.
   */
  again: numbers,
  /** The block of the last record, or else its time; null if neither is known. */
  block: z.nullable(number),
  /** How many records of that block were read; null if reading began within the block. */
  inBlock: z.nullable(number),
  /** How often the block rose (above 0) or fell (below 0) between records; null if it did both. */
  steps: z.nullable(number),
  /** Whether the server heeds blocks; null while that is unknown. */
  blocksWork: z.nullable(flag),
  /** Whether the server takes `offset` for the position of a record; null while that is unknown. */
  offsetWorks: z.nullable(flag),
  /** How many records were yielded. */
  received: number,
  /** The first `count` of the server; null if there was none. */
  promised: z.nullable(number),
  /** Whether `count` is the total of the requested blocks; also false while that is unknown. */
  countIsTotal: flag,
});

export type Progress = z.infer<typeof progressSchema>;

/** Returns the progress of a list before its first page. */
export const beginning = (range: Range, offset: number, countIsTotal: boolean): Progress => ({
  ...{ state: "reading", range: { from: range.from, to: range.to }, later: null },
  ...{ countOfRange: null, next: offset, recent: [], again: [] },
  ...{ block: null, inBlock: null, steps: 0, blocksWork: null, offsetWorks: null },
  ...{ received: 0, promised: null, countIsTotal },
});

/** The version of the cursor format; a release that changes the format increments it. */
const VERSION = 9;

/** A place in a list to continue from. */
export interface Position {
  /** The part of the list to read, if it is not the whole. */
  readonly part?: Range | undefined;
  /** The position of the first record, if it is not 0. */
  readonly offset?: number | undefined;
  /** One progress for each list in the results. */
  readonly lists: readonly Progress[];
}

const positionSchema = z.object({
  part: z.optional(rangeSchema),
  offset: z.optional(zeroOrMore),
  lists: list(progressSchema, 1),
});

/** The fields of a list that its cursors and their errors name. */
interface NamedList {
  readonly name: string;
  readonly operation: { readonly id: string };
}

/** Encodes a position in base64url, which needs no escaping in URLs. */
export function cursorOf({ name }: NamedList, position: Position): string {
  const bytes = new TextEncoder().encode(JSON.stringify([VERSION, name, position]));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes a cursor of this release or an earlier one. */
function decodedCursor(cursor: string): unknown {
  // Releases before version 9 wrote plain JSON.
  if (cursor.startsWith("[")) return JSON.parse(cursor);
  const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** How many characters of a cursor an error shows. */
const SHOWN = 24;

/** Decodes a cursor. Throws a {@link ParameterError} if it does not belong to this list. */
export function readCursor(list: NamedList, resume: string): Position {
  const { name, operation } = list;
  let expected = `a cursor of a page of ${name}`;
  try {
    const [version, listed, position] = decodedCursor(String(resume)) as unknown[];
    if (listed === name && version === VERSION) {
      const { value } = checkOwn(positionSchema, position);
      if (value) return value;
    } else if (version === name || listed === name)
      expected += ` (this one was made by ${Number(version) > VERSION ? "a newer" : "an older"} release; start again from the first page, without \`resume\`)`;
  } catch {
    // It is neither base64url nor JSON.
  }
  const text = typeof resume === "string" && resume.length > SHOWN;
  const received = text ? `${resume.slice(0, SHOWN)}…` : resume;
  const issue = { path: ["resume"], expected, received };
  throw new ParameterError("Invalid resume cursor", [issue], { operation: operation.id });
}
