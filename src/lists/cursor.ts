// Cursors: the progress of an iteration as text, with the version of their format.
import * as z from "zod/mini";
import { ParameterError } from "../errors/index.ts";
import { zeroOrMore } from "../http/request.ts";
import { checkOwn } from "../models/check.ts";
import { list } from "../models/model.ts";
import type { PreparedList, Range } from "./page.ts";
import { type Progress, progressSchema, rangeSchema } from "./progress.ts";

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
