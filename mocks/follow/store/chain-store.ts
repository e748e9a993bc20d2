// Stores a followed chain in a folder that `loadChain` reads. The folder stays readable if the
// process is killed at any moment.

import { mkdirSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { FileLockedError, lockFile } from "../../../src/cli/file-lock.ts";
import { messageOf } from "../../../src/errors/base.ts";
import type { ChainOrigin } from "../../chain/reader.ts";
import type { ContractVerification } from "../../chain/records.ts";
import type { RpcBlock } from "../../ingest/block-fields.ts";
import { type Manifest, readManifest, writeManifest } from "../../ingest/load-chain.ts";
import { LineFile } from "./line-file.ts";
import { readStore, type StoredChain, type StoreFiles } from "./store-reader.ts";

/** Thrown if the folder that keeps a followed chain cannot be used. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Advice for the user, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on the disk",
  EDQUOT: "free some space on the disk",
  EACCES: "give this user the right to write to the folder",
  EPERM: "give this user the right to write to the folder",
  EROFS: "choose a folder that can be written to",
  ENOENT: "choose a folder that can be written to",
  ENOTDIR: "choose a path that is a folder",
  EEXIST: "choose a path that is a folder",
};

/** Converts an error of the file system: the message says what failed, why, and what to do. */
export function storeError(what: string, cause: unknown): StoreError {
  const advice = ADVICE[String(Object(cause).code)];
  const hint = advice === undefined ? "" : `. What to do: ${advice}`;
  return new StoreError(`${what}: ${messageOf(cause)}${hint}`, { cause });
}

const sourceLine = ({
  contractName,
  optimizationEnabled,
  libraries,
  compiled,
  ...others
}: ContractVerification): string =>
  JSON.stringify({
    ...others,
    name: contractName,
    optimizer: optimizationEnabled,
    libraries: Object.fromEntries(libraries.map(({ name, address }) => [name, address])),
    ...(compiled && { compiled: { ...compiled, files: [...compiled.files] } }),
  });

// Locks a folder, and returns a function that unlocks it.
// @throws StoreError if another process holds the lock
function lockFolder(folder: string): () => void {
  const file = join(folder, "store.lock");
  try {
    return lockFile(file);
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error;
    throw new StoreError(
      `${folder} is in use by ${error.holder}; stop it, or choose another folder (if it is no mrc-explorer, delete ${file})`,
    );
  }
}

/** Blocks that a follower appended. */
export interface StoredUpdate {
  /** Number of earlier blocks of the chain that stay. */
  readonly kept: number;
  readonly from: number;
  /** The blocks as the node returned them. */
  readonly blocks: readonly RpcBlock[];
}

export interface ChainStoreOptions {
  // Whether blocks come with traces. May become false later, when the node turns out to have none.
  readonly isTraced: () => boolean;
  /**
   * Whether to set the recorded chain aside, instead of throwing, if the node has another chain.
   */
  readonly replace?: boolean | undefined;
  /** Called once if a write fails. Earlier writes stay. */
  readonly onError: (error: StoreError) => void;
}

export class ChainStore {
  readonly folder: string;
  readonly #options: ChainStoreOptions;
  #unlock: () => void;
  #manifest: Manifest | undefined;
  #files: StoreFiles | undefined;
  #first = 0;
  /** Offset in `blocks.ndjson` at which the line of each block ends. */
  #ends: number[] = [];
  #failed = false;
  #running: Promise<unknown> = Promise.resolve();

  // Locks a folder, which is created if it does not exist.
  // @throws StoreError if it cannot be used
  constructor(folder: string, options: ChainStoreOptions) {
    this.folder = folder;
    this.#options = options;
    try {
      mkdirSync(folder, { recursive: true });
      this.#manifest = readManifest(folder);
      const foreign = ["blocks.ndjson", "blocks.ndjson.gz"].find(
        (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
      );
      if (this.#manifest === undefined && foreign !== undefined)
        throw new StoreError(
          `${folder} has a ${foreign} that is not one of a store; choose another folder, or serve it with --chain`,
        );
      this.#unlock = lockFolder(folder);
    } catch (error) {
      throw error instanceof StoreError ? error : storeError(`Cannot use ${folder}`, error);
    }
  }

  // Reads the stored chain; undefined if there is none. Removes a line that a killed process left
  // incomplete.
  async load(origin?: ChainOrigin): Promise<StoredChain | undefined> {
    const files = await this.#open();
    const manifest = this.#manifest;
    if (manifest === undefined) return undefined;
    if (files.calls.length > manifest.calls) await files.calls.cut(manifest.calls);
    const stored = await readStore(files, manifest, origin);
    this.#ends = stored.ends;
    if (this.#ends.length === 0) return undefined;
    this.#first = stored.first;
    this.#manifest = { ...manifest, unknownFrom: stored.unknownFrom };
    return stored;
  }

  /**
   * Begins a new chain.
   *
   * @param found the node's chain, for the error message
   * @throws StoreError if another chain is recorded and `replace` is not set
   */
  async startOver(chainId: number, found = `chain ${chainId}`): Promise<void> {
    const recorded = this.#manifest?.chainId;
    if (recorded !== undefined && (recorded !== chainId || this.#ends.length > 0)) {
      if (!this.#options.replace)
        throw new StoreError(
          `${this.folder} has ${this.#ends.length} blocks of chain ${recorded}, and the node has ${found}. What to do: follow the node that was recorded, choose another folder, or start a new recording (--replace, or replace: true), which moves this one to a folder next to it`,
        );
      await this.#setAside();
    }
    await this.#write(async () => {
      await this.#cut(0);
      const { calls } = await this.#open();
      await calls.cut(0);
      await calls.append([chainIdLine(chainId)]);
      await this.#save({
        chainId,
        stateAt: null,
        unknownFrom: 0,
        calls: calls.length,
        traced: this.#options.isTraced(),
      });
    });
  }

  get hasFailed(): boolean {
    return this.#failed;
  }

  /** Number of the first block whose accounts and tokens may have a state that is not stored. */
  get unknownFrom(): number {
    return this.#manifest?.unknownFrom ?? 0;
  }

  /** Stores appended blocks. Resolves once they are on the disk. */
  async update({ kept, from, blocks }: StoredUpdate): Promise<void> {
    await this.#write(async () => {
      const manifest = this.#manifest;
      if (manifest === undefined) throw new StoreError("the store has no chain yet");
      if (kept < this.#ends.length) {
        // Discards the stored state, because accounts that the removed blocks touched may have
        // another state now.
        if (this.#first + kept < manifest.unknownFrom)
          await this.#save({ ...manifest, stateAt: null, unknownFrom: 0 });
        await this.#cut(kept);
      }
      if (kept === 0) this.#first = from;
      if (this.#manifest?.traced && !this.#options.isTraced())
        await this.#save({ ...this.#manifest, traced: false });
      const files = await this.#open();
      this.#ends.push(...(await files.blocks.append(blocks.map(blockLine))));
    });
  }

  /** Adds calls of a sweep. `load` ignores them until `endSweep`. */
  async addCalls(lines: readonly unknown[]): Promise<void> {
    await this.#write(async () => {
      const { calls } = await this.#open();
      await calls.append(lines.map((call) => JSON.stringify(call)));
    });
  }

  // Ends a sweep: the added calls are the state at `head`. If some calls failed, the next sweep
  // begins at the same block.
  async endSweep(head: number, isComplete: boolean): Promise<void> {
    await this.#write(async () => {
      const manifest = this.#manifest;
      if (manifest === undefined) throw new StoreError("the store has no chain yet");
      const { calls } = await this.#open();
      await this.#save({
        ...manifest,
        stateAt: head,
        unknownFrom: isComplete ? head + 1 : manifest.unknownFrom,
        calls: calls.length,
      });
    });
  }

  async addVerified(contract: ContractVerification): Promise<void> {
    await this.#write(async () => {
      const { sources } = await this.#open();
      await sources.append([sourceLine(contract)]);
    });
  }

  /** Waits for pending writes, and unlocks the folder. */
  async close(): Promise<void> {
    await this.#running;
    for (const file of Object.values(this.#files ?? {})) await file.close();
    this.#unlock();
  }

  async #cut(count: number): Promise<void> {
    const { blocks } = await this.#open();
    this.#ends.length = Math.min(this.#ends.length, count);
    await blocks.cut(this.#ends.at(-1) ?? 0);
  }

  /** Moves the recorded chain to a new folder next to this folder, and leaves this folder empty. */
  async #setAside(): Promise<void> {
    await this.#running;
    for (const file of Object.values(this.#files ?? {})) await file.close();
    const date = new Date(Date.now()).toISOString().slice(0, -1).replaceAll(":", "");
    try {
      this.#unlock();
      await rename(this.folder, `${this.folder}.${date}`);
      mkdirSync(this.folder);
      this.#unlock = lockFolder(this.folder);
    } catch (error) {
      throw storeError(`Cannot set ${this.folder} aside`, error);
    }
    this.#files = undefined;
    this.#manifest = undefined;
    this.#ends = [];
    this.#first = 0;
  }

  async #save(manifest: Omit<Manifest, "version">): Promise<void> {
    await writeManifest(this.folder, manifest);
    this.#manifest = { version: 1, ...manifest };
  }

  async #open(): Promise<StoreFiles> {
    if (this.#files !== undefined) return this.#files;
    const opened: LineFile[] = [];
    const open = async (name: string) => {
      const file = await LineFile.open(join(this.folder, `${name}.ndjson`));
      opened.push(file);
      return file;
    };
    try {
      this.#files = {
        blocks: await open("blocks"),
        calls: await open("calls"),
        sources: await open("sources"),
      };
      return this.#files;
    } catch (error) {
      for (const file of opened) await file.close();
      throw storeError(`Cannot open the files in ${this.folder}`, error);
    }
  }

  // Runs writes one after another. Writes nothing after a failure, because later lines would not
  // continue the stored ones.
  async #write(work: () => Promise<void>): Promise<void> {
    const done = this.#running.then(async () => {
      if (this.#failed) return;
      try {
        await work();
      } catch (error) {
        this.#failed = true;
        this.#options.onError(
          storeError(
            `Stopped storing the chain in ${this.folder}; what is stored remains, and the next start continues from it`,
            error,
          ),
        );
      }
    });
    this.#running = done;
    await done;
  }
}

/** The first line of `calls.ndjson`. */
const chainIdLine = (chainId: number): string =>
  JSON.stringify({
    group: "chain",
    method: "eth_chainId",
    params: [],
    result: `0x${chainId.toString(16)}`,
  });

const blockLine = ({ block, receipts, traces }: RpcBlock): string =>
  JSON.stringify({ block, receipts, traces });
