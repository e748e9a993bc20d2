// Assembles a chain from the lines of a chain folder; the caller supplies the lines.
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { describe, isObject } from "../../src/models/issues.ts";
import { Chain } from "../chain/chain.ts";
import type { ChainOrigin } from "../chain/reader.ts";
import { validOptions } from "../input/options.ts";
import { linkReserved, type ReadBlockOptions, readBlock } from "./block.ts";
import { HeadStateReader } from "./head-state.ts";
import { IngestError, withLocation } from "./read.ts";
import { readSource } from "./sources.ts";

/** The files of a chain folder, by their names without the ending. */
export type ChainFile = "blocks" | "calls" | "sources";

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
   * Called with block, field and reason for data that a block lacks, or that cannot be read. Such a
   * field is null or left out. Fields that identify blocks, transactions and events are required.
   *
   * @default a warning on the console with the first field and the number of the others
   */
  readonly onMissing?: ((what: string) => void) | undefined;
}

const loadSchema = z.strictObject({
  verified: z.optional(z.boolean()),
  chainId: z.optional(z.int()),
  missingTraces: z.optional(z.enum(["refuse", "accept"])),
  onMissing: z.optional(z.custom<never>((value) => typeof value === "function", "a function")),
} satisfies Record<keyof LoadOptions, z.ZodMiniType>);

/** Throws a TypeError that names every wrong option. */
export const checkLoadOptions = (caller: string, options: LoadOptions): void =>
  void validOptions(caller, loadSchema, options);

/** Builds a chain from the lines of `files`, which the caller adds in this order. */
export class ChainAssembly {
  readonly files: readonly ChainFile[];
  readonly #options: LoadOptions;
  readonly #origin: ChainOrigin;
  readonly #stateAt: number;
  readonly #state = new HeadStateReader();
  readonly #missing: string[] = [];
  #chain: Chain | undefined;

  /** @param stateAt number of the block that the calls belong to; null for the last block */
  constructor(options: LoadOptions, origin: ChainOrigin, stateAt: number | null = null) {
    this.files = options.verified === true ? ["calls", "blocks", "sources"] : ["calls", "blocks"];
    this.#options = options;
    this.#origin = origin;
    this.#stateAt = stateAt ?? Number.POSITIVE_INFINITY;
  }

  add(name: ChainFile, { file, line, text }: Line): void {
    if (text.trim() === "") return;
    withLocation(
      () => ({ file, line }),
      () => {
        const record = parseLine(line === 1 ? text.replace(/^\ufeff/, "") : text);
        if (name === "calls") this.#state.add(record);
        else if (name === "blocks") this.#addBlock(record);
        else this.#addSource(record);
      },
    );
  }

  #addBlock({ block, receipts, traces }: Readonly<Record<string, unknown>>): void {
    const { missingTraces, onMissing = (what) => void this.#missing.push(what) } = this.#options;
    const chainId = this.#options.chainId ?? this.#state.chainId;
    // Uses 0 if the chain id is unknown, because `readBlock` throws if it needs the id.
    this.#chain ??= new Chain({ chainId: chainId ?? 0, origin: this.#origin });
    const chain = this.#chain;
    const input = readBlock(
      { block, receipts, traces },
      {
        ...{ chainId, missingTraces, onMissing },
        isTaken: (hash) => chain.transaction(hash) !== undefined,
      },
    );
    const { number } = input.block;
    linkReserved(input, chain.length > 0 ? chain.head : undefined);
    const genesis = chain.length === 0 ? this.#state.genesis(number) : [];
    try {
      chain.append({ ...input, credits: [...genesis, ...(input.credits ?? [])] });
    } catch (error) {
      throw new IngestError(messageOf(error), { block: number }, error);
    }
    if (number === this.#stateAt) this.#applyState(chain);
  }

  #applyState(chain: Chain): void {
    chain.applyHeadState(this.#state.headState(chain));
  }

  #addSource(record: unknown): void {
    const chain = this.chain();
    const context = { codes: this.#state.codes(), verifiedAt: chain.head.timestamp };
    const contract = readSource(record, context);
    if (contract !== undefined) chain.applyHeadState({ verified: [contract] });
  }

  /** Ends a file. @throws IngestError if there were no blocks */
  end(name: ChainFile): void {
    if (name !== "blocks") return;
    const chain = this.chain();
    if (this.#stateAt > chain.head.number) this.#applyState(chain);
    const [first] = this.#missing;
    if (first === undefined) return;
    const more = this.#missing.length > 1 ? `; and ${this.#missing.length - 1} more` : "";
    console.warn(`mrc-explorer: the chain was loaded without some of its data: ${first}${more}`);
  }

  chain(): Chain {
    if (this.#chain === undefined)
      throw new IngestError("expected at least one block", { file: "blocks" });
    return this.#chain;
  }
}

function parseLine(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new IngestError(
      `expected a JSON object, received broken JSON (${messageOf(error)})`,
      {},
      error,
    );
  }
  if (!isObject(value)) throw new IngestError("expected a JSON object");
  return value;
}

/** The contents of a chain folder's files, unzipped. Only `blocks` is required. */
export type ChainTexts = { readonly [File in ChainFile]?: string | Iterable<string> | undefined };

/**
 * Parses the files of a chain folder into a chain, in Node or a browser. Throws an {@link
 * IngestError} that names file, line and block.
 *
 * @example
 * const chain = parseChain({ blocks: await readFile("blocks.ndjson", "utf8") });
 */
export function parseChain(texts: ChainTexts, options: LoadOptions = {}): Chain {
  if (!isObject(texts))
    throw new TypeError(
      `parseChain: expected the texts of blocks, calls and sources, received ${describe(texts)}`,
    );
  checkLoadOptions("parseChain", options);
  const assembly = new ChainAssembly(options, { kind: "folder", name: null });
  for (const file of assembly.files) {
    const source = texts[file] ?? [];
    let line = 0;
    for (const text of typeof source === "string" ? source.split("\n") : source) {
      line += 1;
      assembly.add(file, { file: `${file}.ndjson`, line, text });
    }
    assembly.end(file);
  }
  return assembly.chain();
}
