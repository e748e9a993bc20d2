// Reads the steps of a trace from its text, piece by piece: a million gas are 16 MB, which JSON.parse would read in one go.
import type { Steps } from "../chain/live-chain.ts";
import { Breaks } from "./follow-status.ts";

/** What is read of a step, in any order, and what the call returned. No text in a trace has quotes that are not escaped. */
const FIELD = /"(pc|depth|returnValue)":\s*"?(\w*)/g;

/** Fields between two looks at the clock. */
const PIECE = 5000;

/** The steps in the response to a call of `debug_traceTransaction`, and what it returned: both empty if it has none. */
export async function readTrace(text: string): Promise<Steps & { readonly returned: string }> {
  const [positions, depths]: [number[], number[]] = [[], []];
  const breaks = new Breaks();
  let returned = "";
  let fields = 0;
  for (const [, name, value = ""] of text.matchAll(FIELD)) {
    if (name === "pc") positions.push(Number(value));
    else if (name === "depth") depths.push(Number(value));
    else returned = value;
    fields += 1;
    if (fields % PIECE === 0 && breaks.isDue) await breaks.take();
  }
  return { positions, depths, returned };
}
