// The line of the source at which a transaction failed: the last steps of the call in which the failure began, by the compiler's source maps.

import type { LiveChain, Steps } from "../../../double/chain/live-chain.ts";
import type { ChainReader } from "../../../double/chain/reader.ts";
import type { CompiledFiles, Execution, Hex } from "../../../double/chain/records.ts";
import { decimal } from "../../../double/operations/format.ts";
import { failedCall } from "./calls.ts";
import type { AnswerWireOf } from "./views.ts";

/** The place of an instruction: bytes of a file. */
interface Range {
  readonly start: number;
  readonly length: number;
  readonly file: number;
}

/** The entries of a source map, one for each instruction; a field that is left out is the one before's. */
function rangesOf(sourceMap: string): readonly Range[] {
  let [start, length, file] = [0, 0, -1];
  return sourceMap.split(";").map((entry) => {
    const [s, l, f] = entry.split(":");
    if (s) start = Number(s);
    if (l) length = Number(l);
    if (f) file = Number(f);
    return { start, length, file };
  });
}

/** By the position of an instruction in the code, its number: what is pushed is no instruction. */
function instructionsOf(code: Hex): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  const size = (code.length - 2) / 2;
  for (let at = 0; at < size; at += 1) {
    numbers.set(at, numbers.size);
    const operation = Number.parseInt(code.slice(2 + 2 * at, 4 + 2 * at), 16);
    if (operation >= 0x60 && operation <= 0x7f) at += operation - 0x5f;
  }
  return numbers;
}

/** The positions in the code at which a call was, the last first. Of the calls as deep as it, it is the last one. */
function* lastPositions({ positions, depths }: Steps, depth: number): Generator<number> {
  const own = (depths[0] ?? 0) + depth;
  let hasBegun = false;
  for (let at = depths.length - 1; at >= 0; at -= 1) {
    const deep = depths[at] ?? 0;
    if (deep === own) yield positions[at] ?? -1;
    else if (hasBegun && deep < own) return;
    hasBegun ||= deep === own;
  }
}

/** Lines of the file before and after it: nearly always all. And characters of a line. */
const AROUND = 2500;
const MAX_LINE = 300;

const DEFINITION = /^\s*(abstract\s+)?(contract|library|interface)\s/;

/** Where the code of the call, or of the creation, in which the failure began stands in a file. */
export function placeInSource(
  chain: ChainReader,
  execution: Execution,
  steps: Steps | undefined,
  live: Pick<LiveChain, "contractCreatedBy"> | undefined,
): AnswerWireOf<"source">["place"] {
  const call = failedCall(execution);
  if (call === undefined) return null;
  const { to, input, traceAddress } = call;
  const contract = to === null ? live?.contractCreatedBy?.(input) : chain.verified(to);
  const { compiled, contractName } = contract ?? {};
  if (steps === undefined || compiled === undefined || contractName === undefined) return null;
  const [code, sourceMap] =
    to === null ? [input, compiled.creation] : [chain.code(to), compiled.runtime];
  const [ranges, instructions] = [rangesOf(sourceMap), instructionsOf(code)];
  let definition: Range | undefined;
  for (const position of lastPositions(steps, traceAddress.length)) {
    const range = ranges[instructions.get(position) ?? -1];
    // What the compiler adds by itself, such as checks of arithmetic, is called from where it is needed.
    if (range === undefined || !compiled.files.has(range.file)) continue;
    if (!DEFINITION.test(textAt(compiled, range))) return place(compiled, range, contractName);
    definition ??= range;
  }
  return definition ? place(compiled, definition, contractName) : null;
}

/** Source maps count bytes. */
const textAt = ({ files }: CompiledFiles, { file, start, length }: Range): string =>
  new TextDecoder().decode(
    new TextEncoder().encode(files.get(file)?.text).subarray(start, start + Math.min(length, 100)),
  );

function place(compiled: CompiledFiles, range: Range, contractName: string) {
  const { name = "", text = "" } = compiled.files.get(range.file) ?? {};
  const above = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, range.start));
  const line = above.split("\n").length;
  const first = Math.max(1, line - AROUND);
  return {
    file: name,
    line: decimal(line),
    column: decimal(above.length - above.lastIndexOf("\n")),
    contract_name: contractName,
    lines: text
      .split("\n")
      .slice(first - 1, line + AROUND)
      .map((one) => one.slice(0, MAX_LINE)),
    first_line: decimal(first),
  };
}
