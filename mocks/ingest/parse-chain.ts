// Builds a chain from the lines of a chain folder, all or nothing; where the lines come from is the caller's matter.
import { messageOf } from "../../src/errors/error-message.ts";
import { isObject } from "../../src/models/issues.ts";
import type { BlockInput } from "../chain/block-input.ts";
import { Chain } from "../chain/chain.ts";
import type { VerifiedContract } from "../chain/records.ts";
import { type ReadingOptions, readBlock } from "./block.ts";
import { HeadStateReader } from "./head-state.ts";
import { IngestError, type InputLocation, placed } from "./ingest-error.ts";
import { read } from "./read.ts";
import { readSource } from "./sources.ts";
import { count } from "./values.ts";

/** The files of a chain folder, by their names without the ending. */
export type ChainFile = "blocks" | "calls" | "parity" | "sources";

/** One line of a file. */
export interface Line {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** How a chain folder is read. */
export interface LoadOptions {
  /** Load `sources` as contracts whose source is proven. Default false. */
  readonly verified?: boolean | undefined;
  /** The chain's id, where `calls` do not tell it. */
  readonly chainId?: number | undefined;
  /** Blocks with transactions and no traces: `refuse` them (default), or `accept` them without internal transactions. */
  readonly missingTraces?: ReadingOptions["missingTraces"];
}

/** Asks for the next line of a file, is given it (or undefined at its end), and returns the chain. */
export type ChainAssembly = Generator<ChainFile, Chain, Line | undefined>;

interface Record {
  readonly value: Readonly<{ [field: string]: unknown }>;
  readonly place: InputLocation;
}

function record({ file, line, text }: Line): Record {
  const place = { file, line };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new IngestError(
      `expected a JSON object, got broken JSON (${messageOf(error)})`,
      place,
      error,
    );
  }
  if (!isObject(value)) throw new IngestError("expected a JSON object", place);
  return { value, place };
}

function* records(file: ChainFile): Generator<ChainFile, Record | undefined, Line | undefined> {
  for (let line = yield file; line !== undefined; line = yield file) {
    if (line.text.trim() !== "") return record(line);
  }
  return undefined;
}

function* readCalls(): Generator<ChainFile, HeadStateReader, Line | undefined> {
  const answers = new HeadStateReader();
  for (let next = yield* records("calls"); next !== undefined; next = yield* records("calls")) {
    const { value, place } = next;
    placed(
      () => place,
      () => answers.add(value),
    );
  }
  return answers;
}

/** The trace_block of a block, from the file that has these apart; undefined if it has none. */
function* traceBlock(
  number: number,
  ahead: Map<number, Record>,
): Generator<ChainFile, Record | undefined, Line | undefined> {
  while (!ahead.has(number)) {
    const next = yield* records("parity");
    if (next === undefined) return undefined;
    const { value, place } = next;
    const of = placed(
      () => place,
      () => read(count, value.number, ["number"]),
    );
    ahead.set(of, next);
  }
  const traces = ahead.get(number);
  ahead.delete(number);
  return traces;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function follows(body: BlockInput, head: BlockInput | undefined): void {
  if (head === undefined) return;
  const { number, parentHash } = body.block;
  const expected = head.block.number + 1;
  if (number !== expected) {
    throw new IngestError(`expected block ${expected}, got block ${number}`, {
      block: Math.min(number, expected),
    });
  }
  if (parentHash !== head.block.hash) {
    throw new IngestError(
      `expected the parent hash ${head.block.hash} (that of block ${head.block.number}), got ${parentHash}`,
      { block: number, field: "parentHash" },
    );
  }
}

interface PlacedBody {
  readonly body: BlockInput;
  readonly place: InputLocation;
}

/** What is wrong with traces from a file of their own is wrong there. */
function inTraces(error: unknown, { place }: Record): unknown {
  const isOfTraces = error instanceof IngestError && error.place.field?.startsWith("traces");
  return isOfTraces ? error.at(place) : error;
}

function* readBlocks(
  options: ReadingOptions,
): Generator<ChainFile, PlacedBody[], Line | undefined> {
  const bodies: PlacedBody[] = [];
  const ahead = new Map<number, Record>();
  for (let next = yield* records("blocks"); next !== undefined; next = yield* records("blocks")) {
    const { value, place } = next;
    const { block, receipts } = value;
    let traces = [value.traces, value.parity, value.trace_block].find(isGiven);
    let apart: Record | undefined;
    if (traces === undefined && isObject(block)) {
      const number = placed(
        () => place,
        () => read(count, block.number, ["block", "number"]),
      );
      apart = yield* traceBlock(number, ahead);
      traces = apart?.value.trace_block;
    }
    const bodyHere = () => {
      try {
        return readBlock({ block, receipts, traces }, options);
      } catch (error) {
        throw apart === undefined ? error : inTraces(error, apart);
      }
    };
    const body = placed(
      () => place,
      () => {
        const body = bodyHere();
        follows(body, bodies.at(-1)?.body);
        return body;
      },
    );
    bodies.push({ body, place });
  }
  if (bodies.length === 0) throw new IngestError("expected at least one block", { file: "blocks" });
  return bodies;
}

function* readSources(
  answers: HeadStateReader,
  verifiedAt: number,
): Generator<ChainFile, VerifiedContract[], Line | undefined> {
  const context = { codes: answers.codes(), verifiedAt };
  const contracts: VerifiedContract[] = [];
  for (let next = yield* records("sources"); next !== undefined; next = yield* records("sources")) {
    const { value, place } = next;
    contracts.push(
      placed(
        () => place,
        () => readSource(value, context),
      ),
    );
  }
  return contracts;
}

/** The assembly of a chain, which asks for the lines it needs; `calls` come first, then `blocks`. */
export function* assembleChain(options: LoadOptions = {}): ChainAssembly {
  const answers = yield* readCalls();
  const { missingTraces } = options;
  const known = options.chainId ?? answers.chainId;
  const bodies = yield* readBlocks({ chainId: known, missingTraces });
  // Whoever does not say which chain it is needs none of what depends on it.
  const chain = new Chain({ chainId: known ?? 0 });
  for (const [index, { body, place }] of bodies.entries()) {
    const genesis = index === 0 ? answers.genesis(body.block.number) : [];
    try {
      chain.append({ ...body, credits: [...genesis, ...(body.credits ?? [])] });
    } catch (error) {
      throw new IngestError(messageOf(error), { ...place, block: body.block.number }, error);
    }
  }
  chain.applyHeadState(answers.facts(chain));
  if (options.verified === true) {
    chain.applyHeadState({ verified: yield* readSources(answers, chain.head.timestamp) });
  }
  return chain;
}

/** The texts of a chain folder's files, unzipped; every file but `blocks` may be left out. */
export type ChainTexts = { readonly [File in ChainFile]?: string | Iterable<string> | undefined };

function* lines(file: ChainFile, source: string | Iterable<string>): Generator<Line, undefined> {
  let line = 0;
  for (const text of typeof source === "string" ? source.split("\n") : source) {
    line += 1;
    yield { file: `${file}.ndjson`, line, text };
  }
  return undefined;
}

/**
 * A chain from the texts of a chain folder, in Node or a browser. All or nothing: what is wrong is an IngestError that
 * names file, line and block.
 *
 * @example
 * const chain = parseChain({ blocks: await readFile("blocks.ndjson", "utf8") });
 */
export function parseChain(texts: ChainTexts, options: LoadOptions = {}): Chain {
  const sources = new Map<ChainFile, Generator<Line, undefined>>();
  const assembly = assembleChain(options);
  let step = assembly.next();
  while (step.done !== true) {
    const file = step.value;
    const source = sources.get(file) ?? lines(file, texts[file] ?? []);
    sources.set(file, source);
    step = assembly.next(source.next().value);
  }
  return step.value;
}
