// Finds the source line at which a transaction failed, by its last steps.

import { membersOf } from "../../src/cli/abi.ts";
import type { LiveChain, Steps } from "../chain/live-chain.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { CompiledFiles, Execution, Hex } from "../chain/records.ts";
import { decimal } from "../operations/format.ts";
import { failedCall } from "./calls.ts";
import type { AnswerWireOf } from "./views.ts";

/** The bytes of a file that an instruction was compiled from. */
interface Range {
  readonly start: number;
  readonly length: number;
  readonly file: number;
  /** Kind of jump: "i" into a function, "o" out of one, "-" any other. */
  readonly jump: string;
}

/** Reads a source map. A field that is left out repeats that of the entry before. */
function rangesOf(sourceMap: string): readonly Range[] {
  let [start, length, file, jump] = [0, 0, -1, "-"];
  return sourceMap.split(";").map((entry) => {
    const [s, l, f, j] = entry.split(":");
    if (s) start = Number(s);
    if (l) length = Number(l);
    if (f) file = Number(f);
    if (j) jump = j;
    return { start, length, file, jump };
  });
}

/** Maps the position of each instruction in the code to its number. Skips pushed data. */
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

/** The positions of the last call at a depth, the last position first. */
function* lastPositions({ positions, depths }: Steps, depth: number): Generator<number> {
  const ownDepth = (depths[0] ?? 0) + depth;
  let hasBegun = false;
  for (let at = depths.length - 1; at >= 0; at -= 1) {
    const deep = depths[at] ?? 0;
    if (deep === ownDepth) yield positions[at] ?? -1;
    else if (hasBegun && deep < ownDepth) return;
    hasBegun ||= deep === ownDepth;
  }
}

const DEFINITION = /^\s*(abstract\s+)?(contract|library|interface)\s/;
const FUNCTION = /^\s*(function|modifier|constructor|receive|fallback)\b/;
const FUNCTIONS = /\b(?:function|modifier)\s+[\w$]+|\b(?:constructor|receive|fallback)\s*\(/g;

/** Characters of a range that are examined. */
const MAX_TEXT = 2000;

/** Reads the texts of ranges. Works on bytes, because source maps count bytes. */
class Sources {
  readonly #files: CompiledFiles["files"];
  readonly #bytes = new Map<number, Uint8Array>();
  readonly #statements = new Map<Range, boolean>();

  constructor({ files }: CompiledFiles) {
    this.#files = files;
  }

  #between(file: number, start: number, end: number): string {
    const bytes =
      this.#bytes.get(file) ?? new TextEncoder().encode(this.#files.get(file)?.text ?? "");
    this.#bytes.set(file, bytes);
    return new TextDecoder().decode(bytes.subarray(start, end));
  }

  text({ file, start, length }: Range): string {
    return this.#between(file, start, start + Math.min(length, MAX_TEXT));
  }

  above({ file, start }: Range): string {
    return this.#between(file, 0, start);
  }

  /** False if a range has no file (code that the compiler adds) or is a whole contract. */
  isStatement(range: Range): boolean {
    const cached = this.#statements.get(range);
    if (cached !== undefined) return cached;
    const isStatement = this.#files.has(range.file) && !DEFINITION.test(this.text(range));
    this.#statements.set(range, isStatement);
    return isStatement;
  }

  /** The function around a range. */
  functionAround(range: Range): { readonly name: string; readonly id: string } {
    const begun = this.#between(range.file, 0, range.start + Math.min(range.length, 40));
    const functions = begun.match(FUNCTIONS) ?? [];
    const name = /[\w$]+(?=\s*\(?$)/.exec(functions.at(-1) ?? "")?.[0] ?? "";
    return { name, id: `${range.file}:${functions.length}` };
  }

  /** Whether a range is the body of a condition, or contains the condition. */
  belongsTo(body: Range, condition: Range): boolean {
    if (body.file !== condition.file) return false;
    const end = condition.start + condition.length;
    if (body.start <= condition.start && body.start + body.length >= end) return true;
    return body.start >= end && /^[\s){]*$/.test(this.#between(body.file, end, body.start));
  }

  /** Returns undefined if no file declares the function. */
  declaration(name: string): Range | undefined {
    for (const [file, { text }] of this.#files) {
      const functions = [...text.matchAll(/\bfunction\s+([\w$]+)/g)];
      const match = functions.find(([, other]) => other === name);
      if (match === undefined) continue;
      const start = new TextEncoder().encode(text.slice(0, match.index)).length;
      return { file, start, length: 0, jump: "-" };
    }
    return undefined;
  }
}

/** The end of a run of instructions, and the jump that led to it. */
interface Block {
  readonly range: Range;
  readonly jump: string | undefined;
}

/** Finds the blocks of statements that a call ran, the last block first. */
function* lastBlocks(
  positions: Iterable<number>,
  code: Hex,
  ranges: readonly Range[],
  sources: Sources,
): Generator<Block> {
  const numbers = instructionsOf(code);
  let range: Range | undefined;
  let later: number | undefined;
  for (const position of positions) {
    const number = numbers.get(position) ?? -1;
    const instruction = ranges[number];
    if (later !== undefined && number + 1 !== later) {
      if (range !== undefined) yield { range, jump: instruction?.jump ?? "-" };
      range = undefined;
    }
    if (range === undefined && instruction !== undefined && sources.isStatement(instruction))
      range = instruction;
    later = number;
  }
  if (range !== undefined) yield { range, jump: undefined };
}

/**
 * Finds the range that failed. The optimizer joins equal blocks, such as reverts with one reason.
 * If the last block is in another function than the block before, the block before failed. A result
 * is not certain if the last block may have been joined.
 */
function failingRange(blocks: Iterable<Block>, sources: Sources) {
  let shared = false;
  let last: Block | undefined;
  for (const before of blocks) {
    if (last === undefined) {
      last = before;
      continue;
    }
    const { range, jump } = last;
    const ownFunction = sources.functionAround(range);
    const isSame = ownFunction.id === sources.functionAround(before.range).id;
    if (jump === "i" && !isSame && !sources.text(before.range).includes(ownFunction.name))
      return { range: before.range, isCertain: false };
    if (jump === "-" && !isSame) {
      shared = true;
      last = before;
      continue;
    }
    const isElsewhere = jump === "-" && !shared && !sources.belongsTo(range, before.range);
    const isHelper = jump === "o" && range.start === before.range.start;
    return { range, isCertain: !isElsewhere && !isHelper && isPrecise(range, sources, shared) };
  }
  return last && { range: last.range, isCertain: isPrecise(last.range, sources, shared) };
}

/** Whether a range is so short that its first line is the line that failed. */
function isPrecise(range: Range, sources: Sources, shared: boolean): boolean {
  const text = sources.text(range);
  return !FUNCTION.test(text) && !(shared && text.includes("\n"));
}

/** Finds the place of the call or creation in which the failure began. */
export function placeInSource(
  chain: ChainReader,
  execution: Execution,
  steps: Steps | undefined,
  live: Pick<LiveChain, "contractCreatedBy"> | undefined,
): AnswerWireOf<"source">["place"] {
  const call = failedCall(execution, (address) => chain.code(address) !== "0x");
  if (call === undefined) return null;
  const { to, input, traceAddress } = call;
  const contract = to === null ? live?.contractCreatedBy?.(input) : chain.verified(to);
  const { compiled, contractName } = contract ?? {};
  if (steps === undefined || compiled === undefined || contractName === undefined) return null;
  const [code, sourceMap] =
    to === null ? [input, compiled.creation] : [chain.code(to), compiled.runtime];
  const sources = new Sources(compiled);
  const positions = lastPositions(steps, traceAddress.length);
  const blocks = lastBlocks(positions, code, rangesOf(sourceMap), sources);
  const [last] = compiled.isPlain ? blocks : [];
  const failing = last
    ? { range: last.range, isCertain: isPrecise(last.range, sources, false) }
    : failingRange(blocks, sources);
  if (failing) return place(compiled, sources, failing.range, contractName, failing.isCertain);
  // The Yul pipeline maps much code to the whole contract. Then the called function is the place.
  const called = membersOf(contract?.abi ?? []).find(
    ({ type, selector }) => type === "function" && selector === input.slice(0, 10),
  );
  const declared = called && sources.declaration(called.name);
  return declared ? place(compiled, sources, declared, contractName, false) : null;
}

/** Lines before and after the failing line. Nearly every file has fewer lines. */
const AROUND = 2500;
const MAX_LINE = 300;

function place(
  { files }: CompiledFiles,
  sources: Sources,
  range: Range,
  contractName: string,
  isCertain: boolean,
) {
  const { name = "", text = "" } = files.get(range.file) ?? {};
  const above = sources.above(range);
  const line = above.split("\n").length;
  const first = Math.max(1, line - AROUND);
  return {
    file: name,
    line: decimal(line),
    column: decimal(above.length - above.lastIndexOf("\n")),
    is_certain: isCertain,
    contract_name: contractName,
    lines: text
      .split("\n")
      .slice(first - 1, line + AROUND)
      .map((sourceLine) => sourceLine.slice(0, MAX_LINE)),
    first_line: decimal(first),
  };
}
