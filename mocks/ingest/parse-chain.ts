// Assembles a chain from the lines of a chain folder; the caller supplies the lines.
import { messageOf } from "../../src/errors/base.ts";
import { isObject } from "../../src/models/issues.ts";
import { Chain } from "../chain/chain.ts";
import type { ChainOrigin } from "../chain/reader.ts";
import type { BlockInput, Hash } from "../chain/records.ts";
import { linkReserved, type ReadBlockOptions, readBlock } from "./block.ts";
import { HeadStateReader } from "./head-state.ts";
import { count, IngestError, type InputLocation, read, withLocation } from "./read.ts";
import { readSource } from "./sources.ts";

/** The files of a chain folder, by their names without the ending. */
export type ChainFile = "blocks" | "calls" | "parity" | "sources";

export interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** How to load a chain folder. */
export interface LoadOptions {
  /** Load `sources` as verified contracts. Default false. */
  readonly verified?: boolean | undefined;
  /** The chain's id, if `calls` do not contain it. */
  readonly chainId?: number | undefined;
  /**
   * Whether to `refuse` blocks without traces (default), or `accept` them without internal
   * transactions.
   */
  readonly missingTraces?: ReadBlockOptions["missingTraces"];
  /**
   * Called with what a block lacks, or has in a form that cannot be read: block, field and reason.
   * It is null, or left out; what identifies blocks, transactions and events must be there.
   * @default a warning on the console, with the first and how many there are
   */
  readonly onMissing?: ((what: string) => void) | undefined;
}

/**
 * Yields the file to read next, receives its line (undefined at the end), and returns the chain.
 */
export type ChainAssembly = Generator<ChainFile, Chain, Line | undefined>;

interface JsonRecord {
  readonly value: Readonly<{ [field: string]: unknown }>;
  readonly location: InputLocation;
}

function parseLine({ file, line, text }: Line): JsonRecord {
  const location = { file, line };
  let value: unknown;
  try {
    value = JSON.parse(line === 1 ? text.replace(/^\ufeff/, "") : text);
  } catch (error) {
    throw new IngestError(
      `expected a JSON object, received broken JSON (${messageOf(error)})`,
      location,
      error,
    );
  }
  if (!isObject(value)) throw new IngestError("expected a JSON object", location);
  return { value, location };
}

function* nextRecord(
  file: ChainFile,
): Generator<ChainFile, JsonRecord | undefined, Line | undefined> {
  for (let line = yield file; line !== undefined; line = yield file) {
    if (line.text.trim() !== "") return parseLine(line);
  }
  return undefined;
}

/** Reads each record of a file that has one after another. */
function* readEach<Value>(
  file: ChainFile,
  readOne: (value: JsonRecord["value"]) => Value,
): Generator<ChainFile, Value[], Line | undefined> {
  const values: Value[] = [];
  for (;;) {
    const next = yield* nextRecord(file);
    if (next === undefined) return values;
    values.push(
      withLocation(
        () => next.location,
        () => readOne(next.value),
      ),
    );
  }
}

/** The trace_block of a block from the `parity` file; undefined if it is not there. */
function* traceBlock(
  number: number,
  ahead: Map<number, JsonRecord>,
): Generator<ChainFile, JsonRecord | undefined, Line | undefined> {
  while (!ahead.has(number)) {
    const next = yield* nextRecord("parity");
    if (next === undefined) return undefined;
    const { value, location } = next;
    const position = withLocation(
      () => location,
      () => read(count, value.number, ["number"]),
    );
    ahead.set(position, next);
  }
  const traces = ahead.get(number);
  ahead.delete(number);
  return traces;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function checkParent(input: BlockInput, head: BlockInput | undefined): void {
  if (head === undefined) return;
  const { number, parentHash } = input.block;
  const expected = head.block.number + 1;
  if (number !== expected) {
    throw new IngestError(`expected block ${expected}, received block ${number}`, {
      block: Math.min(number, expected),
    });
  }
  if (parentHash !== head.block.hash) {
    throw new IngestError(
      `expected the parent hash ${head.block.hash} (that of block ${head.block.number}), received ${parentHash}`,
      { block: number, field: "parentHash" },
    );
  }
}

/** Locates an error about traces in the file the traces come from. */
function locatedInTraces(error: unknown, { location }: JsonRecord): unknown {
  const isOfTraces = error instanceof IngestError && error.location.field?.startsWith("traces");
  return isOfTraces ? error.at(location) : error;
}

/** Reads the blocks one by one into `append`. */
function* readBlocks(
  options: ReadBlockOptions,
  append: (input: BlockInput) => void,
): Generator<ChainFile, void, Line | undefined> {
  let head: BlockInput | undefined;
  const ahead = new Map<number, JsonRecord>();
  for (;;) {
    const next = yield* nextRecord("blocks");
    if (next === undefined) break;
    const { value, location } = next;
    const { block, receipts } = value;
    let traces = [value.traces, value.parity, value.trace_block].find(isGiven);
    let separate: JsonRecord | undefined;
    if (traces === undefined && isObject(block)) {
      const number = withLocation(
        () => location,
        () => read(count, block.number, ["block", "number"]),
      );
      separate = yield* traceBlock(number, ahead);
      traces = separate?.value.trace_block;
    }
    const readInput = () => {
      try {
        return readBlock({ block, receipts, traces }, options);
      } catch (error) {
        throw separate === undefined ? error : locatedInTraces(error, separate);
      }
    };
    const input = withLocation(
      () => location,
      () => {
        const input = readInput();
        linkReserved(input, head?.block);
        checkParent(input, head);
        return input;
      },
    );
    try {
      append(input);
    } catch (error) {
      throw new IngestError(messageOf(error), { ...location, block: input.block.number }, error);
    }
    head = input;
  }
  if (head === undefined) throw new IngestError("expected at least one block", { file: "blocks" });
}

export interface GrowingFolder {
  /** The number of the block that the calls are of; null: the last one. */
  readonly stateAt: number | null;
}

/** Assembles a chain, requesting the lines it needs: first `calls`, then `blocks`. */
export function* assembleChain(
  options: LoadOptions,
  origin: ChainOrigin,
  growing?: GrowingFolder,
): ChainAssembly {
  const stateAt = growing?.stateAt ?? Number.POSITIVE_INFINITY;
  const headState = new HeadStateReader();
  yield* readEach("calls", (value) => headState.add(value));
  const { missingTraces } = options;
  const missing: string[] = [];
  const onMissing = options.onMissing ?? ((what: string) => void missing.push(what));
  const chainId = options.chainId ?? headState.chainId;
  // Without an id, nothing that depends on it was needed.
  const chain = new Chain({ chainId: chainId ?? 0, origin });
  const applyState = () => chain.applyHeadState(headState.headState(chain));
  const isTaken = (hash: Hash) => chain.transaction(hash) !== undefined;
  const reading = { chainId, missingTraces, onMissing, isTaken };
  yield* readBlocks(reading, (input) => {
    const genesis = chain.length === 0 ? headState.genesis(input.block.number) : [];
    chain.append({ ...input, credits: [...genesis, ...(input.credits ?? [])] });
    if (input.block.number === stateAt) applyState();
  });
  if (stateAt > chain.head.number) applyState();
  const [first] = missing;
  if (first !== undefined) {
    const more = missing.length > 1 ? `; and ${missing.length - 1} more` : "";
    console.warn(`mrc-explorer: the chain was loaded without some of its data: ${first}${more}`);
  }
  if (options.verified === true) {
    const context = { codes: headState.codes(), verifiedAt: chain.head.timestamp };
    const verified = yield* readEach("sources", (value) => readSource(value, context));
    chain.applyHeadState({ verified: verified.flatMap((contract) => contract ?? []) });
  }
  return chain;
}

/** The contents of a chain folder's files, unzipped. Only `blocks` is required. */
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
 * Parses the files of a chain folder into a chain, in Node or a browser. Throws an {@link
 * IngestError} that names file, line and block.
 *
 * @example
 * const chain = parseChain({ blocks: await readFile("blocks.ndjson", "utf8") });
 */
export function parseChain(texts: ChainTexts, options: LoadOptions = {}): Chain {
  const sources = new Map<ChainFile, Generator<Line, undefined>>();
  const assembly = assembleChain(options, { kind: "folder", name: null });
  let step = assembly.next();
  while (step.done !== true) {
    const file = step.value;
    const source = sources.get(file) ?? lines(file, texts[file] ?? []);
    sources.set(file, source);
    step = assembly.next(source.next().value);
  }
  return step.value;
}
