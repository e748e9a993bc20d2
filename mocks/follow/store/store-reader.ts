// Reads a store into a chain, block by block, up to what a killed process left half written.

import { isObject } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { Chain } from "../../chain/chain.ts";
import type { ChainOrigin } from "../../chain/reader.ts";
import type { BlockInput, Hash } from "../../chain/records.ts";
import { linkReserved, readBlock } from "../../ingest/block.ts";
import { isDamaged } from "../../ingest/checksum.ts";
import { HeadStateReader } from "../../ingest/head-state.ts";
import type { Manifest } from "../../ingest/load-chain.ts";
import { readSource } from "../../ingest/sources.ts";
import { pauseIfBusy } from "../../message/event-loop.ts";
import type { LineFile } from "./line-file.ts";
import { StoreError } from "./store-error.ts";

export interface StoredChain {
  readonly chain: Chain;
  readonly first: number;
  readonly ends: number[];
  /** The blocks from this number on touched accounts whose state is to be asked for again. */
  readonly unknownFrom: number;
}

type StoreFiles = Readonly<Record<"blocks" | "calls" | "sources", LineFile>>;

export class StoreReader {
  readonly #files: StoreFiles;
  readonly #manifest: Manifest;
  readonly #chain: Chain;
  readonly #state = new HeadStateReader();
  readonly #ends: number[] = [];

  constructor(files: StoreFiles, manifest: Manifest, origin?: ChainOrigin) {
    this.#files = files;
    this.#manifest = manifest;
    this.#chain = new Chain({ chainId: manifest.chainId, origin });
  }

  async read(): Promise<StoredChain> {
    const { stateAt, unknownFrom } = this.#manifest;
    const chain = this.#chain;
    const hasCalls = await this.#readCalls();
    await this.#readBlocks();
    if (chain.length > 0) {
      if (stateAt === null || stateAt > chain.head.number) this.#applyState();
      await this.#readSources();
    }
    const first = chain.length === 0 ? 0 : chain.head.number - chain.length + 1;
    return {
      chain,
      first,
      ends: this.#ends,
      unknownFrom: hasCalls && (stateAt ?? 0) <= chain.length - 1 + first ? unknownFrom : 0,
    };
  }

  /** Whether all calls are there. */
  async #readCalls(): Promise<boolean> {
    const { calls } = this.#files;
    let end = 0;
    for await (const { bytes, end: next } of calls.lines()) {
      const call = parsed(bytes.toString());
      if (call === undefined) break;
      this.#state.add(call);
      end = next;
    }
    await calls.cut(end);
    return end >= this.#manifest.calls;
  }

  async #readBlocks(): Promise<void> {
    const { blocks } = this.#files;
    const options = {
      chainId: this.#manifest.chainId,
      missingTraces: "accept",
      isTaken: (hash: Hash) => this.#chain.transaction(hash) !== undefined,
    } as const;
    for await (const line of blocks.lines()) {
      const stored = parsed(line.bytes.toString());
      if (stored === undefined) break;
      const { block, receipts, traces } = stored;
      if (!(await this.#append(readBlock({ block, receipts, traces }, options)))) break;
      this.#ends.push(line.end);
    }
    await blocks.cut(this.#ends.at(-1) ?? 0);
  }

  async #append(input: BlockInput): Promise<boolean> {
    const chain = this.#chain;
    linkReserved(input, chain.length > 0 ? chain.head : undefined);
    try {
      chain.append(input);
    } catch {
      return false;
    }
    if (input.block.number === this.#manifest.stateAt) this.#applyState();
    // A port that opened already says how far it is.
    await pauseIfBusy();
    return true;
  }

  #applyState(): void {
    this.#chain.applyHeadState(this.#state.headState(this.#chain));
  }

  /** The verified contracts that are still there with the same code. */
  async #readSources(): Promise<void> {
    const { sources } = this.#files;
    const context = { codes: this.#state.codes(), verifiedAt: this.#chain.head.timestamp };
    let end = 0;
    for await (const line of sources.lines()) {
      const text = line.bytes.toString();
      // No node has sources to read again.
      if (isDamaged(text))
        throw new StoreError(
          "sources.ndjson has a damaged line (its checksum differs). What to do: restore the file, or delete the line and verify the contract again",
        );
      const source = parsed(text);
      if (source === undefined) break;
      end = line.end;
      const contract = readSource(source, context);
      if (contract !== undefined) this.#chain.applyHeadState({ verified: [contract] });
    }
    await sources.cut(end);
  }
}

/** A line as an object; undefined if it is damaged. */
function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = isDamaged(line) ? undefined : jsonIn(line);
  return isObject(value) ? value : undefined;
}
