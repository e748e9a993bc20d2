// Loads a chain from a folder of raw node responses, as a stream; Node only.
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { check, describe, explain } from "../../src/models/issues.ts";
import type { Chain } from "../chain/chain.ts";
import type { ChainOrigin } from "../chain/reader.ts";
import { isDamaged, withChecksum } from "./checksum.ts";
import {
  ChainAssembly,
  type ChainFile,
  checkLoadOptions,
  type Line,
  type LoadOptions,
} from "./parse-chain.ts";
import { IngestError } from "./read.ts";

const NAME = "store.json";
const VERSION = 1;

const count = z.int().check(z.nonnegative());

const manifestSchema = z.object({
  version: z.literal(VERSION),
  chainId: count,
  /** Number of the block whose state `calls.ndjson` has; null if that block was removed. */
  stateAt: z.nullable(count),
  /** Number of the first block whose accounts must be requested again. */
  unknownFrom: count,
  /** Length of the part of `calls.ndjson` that belongs to this state, in bytes. */
  calls: count,
  /** Whether all blocks with transactions have traces. */
  traced: z.boolean(),
});

export type Manifest = z.output<typeof manifestSchema>;

/**
 * Reads the manifest of a folder; undefined if it has none.
 *
 * @throws IngestError if it is not valid
 */
export function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, NAME);
  if (!existsSync(file)) return undefined;
  let json: unknown;
  try {
    const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
    if (isDamaged(text.trimEnd())) throw new Error("its checksum differs");
    json = JSON.parse(text);
  } catch (error) {
    throw new IngestError(`${file} cannot be read; delete the folder to begin anew`, {}, error);
  }
  const { value, issues } = check(manifestSchema, json);
  if (value !== undefined) return value;
  throw new IngestError(
    `${file} was not written by this version (${explain(issues[0])}); delete the folder to begin anew`,
  );
}

/** Replaces the manifest of a folder atomically: readers see either the old or the new manifest. */
export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, "version">,
): Promise<void> {
  const file = join(folder, NAME);
  await rm(`${file}.new`, { force: true });
  const handle = await open(`${file}.new`, "wx");
  try {
    await handle.writeFile(`${withChecksum(JSON.stringify({ version: VERSION, ...manifest }))}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

// Reads the lines of a file. In a folder that is still being written (it has a manifest), skips an
// incomplete last line.
async function* linesOf(
  folder: string,
  file: ChainFile,
  manifest: Manifest | undefined,
): AsyncGenerator<Line, void> {
  const names = [`${file}.ndjson.gz`, `${file}.ndjson`];
  const name = names.find((name) => existsSync(join(folder, name)));
  if (name === undefined) {
    if (file === "calls") return;
    throw new IngestError(`expected ${names.join(" or ")} in ${folder}, found neither`);
  }
  let unfinished = "";
  let line = 0;
  try {
    const isZipped = name.endsWith(".gz");
    const bytes = file === "calls" && !isZipped ? manifest?.calls : undefined;
    if (bytes === 0) return;
    const stored = createReadStream(join(folder, name), {
      end: bytes === undefined ? undefined : bytes - 1,
    });
    const decoder = new TextDecoder();
    for await (const chunk of isZipped ? stored.pipe(createGunzip()) : stored) {
      if (line === 0 && unfinished === "" && /^(fffe|feff)/.test(chunk.toString("hex", 0, 2)))
        throw new Error("it is UTF-16; save it as UTF-8");
      const texts = (unfinished + decoder.decode(chunk, { stream: true })).split("\n");
      unfinished = texts.pop() ?? "";
      for (const text of texts) {
        if (isDamaged(text))
          throw new Error(
            "the disk has changed the line, whose checksum differs: restore the file, or follow the node again with this folder as the store",
          );
        line += 1;
        yield { file: name, line, text };
      }
    }
  } catch (error) {
    // The file is truncated, damaged or not gzip.
    throw new IngestError(
      `cannot be read: ${messageOf(error)}`,
      { file: name, line: line + 1 },
      error,
    );
  }
  if (unfinished !== "" && manifest === undefined)
    yield { file: name, line: line + 1, text: unfinished };
}

/**
 * Loads a chain from a folder: `blocks.ndjson.gz` (one `{ block, receipts, traces }` per line),
 * and `calls.ndjson.gz`. With `verified`, it also loads `sources.ndjson.gz`. Each file may be
 * uncompressed.
 *
 * Throws an {@link IngestError} that names file, line and block.
 *
 * @example
 * const chain = await loadChain("chains/devnet", { verified: true });
 */
export async function loadChain(folder: string, options: LoadOptions = {}): Promise<Chain> {
  if (typeof folder !== "string")
    throw new TypeError(`loadChain: expected a folder, received ${describe(folder)}`);
  checkLoadOptions("loadChain", options);
  return loadFolder(folder, options, { kind: "folder", name: basename(resolve(folder)) });
}

async function loadFolder(
  folder: string,
  options: LoadOptions,
  origin: ChainOrigin,
): Promise<Chain> {
  const manifest = readManifest(folder);
  // A folder with a manifest was written by a follower, and has the contracts verified during that
  // time.
  const { verified = manifest !== undefined, ...others } = options;
  const missingTraces =
    options.missingTraces ?? (manifest?.traced === false ? "accept" : undefined);
  const assembly = new ChainAssembly(
    { ...others, verified, missingTraces },
    origin,
    manifest?.stateAt,
  );
  for (const file of assembly.files) {
    for await (const line of linesOf(folder, file, manifest)) assembly.add(file, line);
    assembly.end(file);
  }
  return assembly.chain();
}

// Finds the demo chain: sources and built files are at different depths below the package's root.
function demoFolder(): string {
  for (const root of ["../../", "../"]) {
    const folder = new URL(`${root}mocks/demo/`, import.meta.url);
    if (existsSync(new URL("blocks.ndjson.gz", folder))) return fileURLToPath(folder);
  }
  throw new Error(
    `The demo chain is missing: found no mocks/demo near ${import.meta.url}; reinstall mrc-explorer`,
  );
}

/**
 * Loads the demo chain: 93 blocks executed by a real node, with tokens of both standards, failures
 * and internal transactions.
 *
 * @example
 * const chain = await loadDemo();
 * chain.head.number; // 92
 */
export async function loadDemo(options: LoadOptions = {}): Promise<Chain> {
  checkLoadOptions("loadDemo", options);
  return loadFolder(demoFolder(), options, { kind: "demo", name: null });
}
