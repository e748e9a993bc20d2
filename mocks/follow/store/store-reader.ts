// Reads a store into a chain, block by block, up to a line that a killed process left incomplete.
import { isObject } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { Chain } from "../../chain/chain.ts";
import type { ChainOrigin } from "../../chain/reader.ts";
import { linkReserved, readBlock } from "../../ingest/block.ts";
import { isDamaged } from "../../ingest/checksum.ts";
import { HeadStateReader } from "../../ingest/head-state.ts";
import type { Manifest } from "../../ingest/load-chain.ts";
import { IngestError } from "../../ingest/read.ts";
import { readSource } from "../../ingest/sources.ts";
import { pauseIfBusy } from "../../message/event-loop.ts";
import type { LineFile } from "./line-file.ts";

export interface StoredChain {
  readonly chain: Chain;
  /** Number of the first block. */
  readonly first: number;
  /** Offset in `blocks.ndjson` at which the line of each block ends. */
  readonly ends: number[];
  /** Number of the first block whose accounts must be requested again. */
  readonly unknownFrom: number;
}

export type StoreFiles = Readonly<Record<"blocks" | "calls" | "sources", LineFile>>;

export async function readStore(
  { blocks, calls, sources }: StoreFiles,
  { chainId, stateAt, unknownFrom, calls: callBytes }: Manifest,
  origin: ChainOrigin | undefined,
): Promise<StoredChain> {
  const chain = new Chain({ chainId, origin });
  const state = new HeadStateReader();
  const applyState = () => chain.applyHeadState(state.headState(chain));
  const callEnds = await readLines(calls, (call) => state.add(call));
  const ends = await readLines(blocks, async ({ block, receipts, traces }) => {
    const input = readBlock(
      { block, receipts, traces },
      {
        chainId,
        missingTraces: "accept",
        isTaken: (hash) => chain.transaction(hash) !== undefined,
      },
    );
    linkReserved(input, chain.length > 0 ? chain.head : undefined);
    try {
      chain.append(input);
    } catch {
      return false;
    }
    if (input.block.number === stateAt) applyState();
    // Lets a port that has already opened report the progress.
    await pauseIfBusy();
    return true;
  });
  if (chain.length === 0) return { chain, first: 0, ends, unknownFrom: 0 };
  const last = chain.head.number;
  if (stateAt === null || stateAt > last) applyState();
  const context = { codes: state.codes(), verifiedAt: chain.head.timestamp };
  const addSource = (source: object) => {
    const contract = readSource(source, context);
    if (contract !== undefined) chain.applyHeadState({ verified: [contract] });
  };
  // Refuses a damaged line, because a node has no sources, so a removed source would be lost.
  await readLines(sources, addSource, (line) => {
    const advice = "restore the file, or delete the line and verify the contract again";
    throw new IngestError(`the disk has changed the line, whose checksum differs: ${advice}`, {
      file: "sources.ndjson",
      line,
    });
  });
  const hasState = (callEnds.at(-1) ?? 0) >= callBytes && (stateAt ?? 0) <= last;
  return { chain, first: last - chain.length + 1, ends, unknownFrom: hasState ? unknownFrom : 0 };
}

// Reads the lines of a file up to a line that is incomplete or damaged, or for which `add` returns
// false, and removes the rest. Returns the offset at which each line ends.
async function readLines(
  file: LineFile,
  add: (record: Readonly<Record<string, unknown>>) => unknown,
  refuseDamage?: (line: number) => void,
): Promise<number[]> {
  const ends: number[] = [];
  for await (const { text, end } of file.lines()) {
    const damaged = isDamaged(text);
    if (damaged) refuseDamage?.(ends.length + 1);
    const record = damaged ? undefined : jsonIn(text);
    if (!isObject(record) || (await add(record)) === false) break;
    ends.push(end);
  }
  await file.cut(ends.at(-1) ?? 0);
  return ends;
}
