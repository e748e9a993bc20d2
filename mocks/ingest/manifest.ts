// `store.json` in a chain folder that grows: whose chain it is, and which of its blocks the recorded calls belong to.
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { check, explain } from "../../src/models/issues.ts";
import { IngestError } from "./read.ts";

const NAME = "store.json";
const VERSION = 1;

const count = z.int().check(z.nonnegative());

const manifestSchema = z.object({
  version: z.literal(VERSION),
  chainId: count,
  /** The number of the block whose state `calls.ndjson` has; null if it has none, or that of a block that was removed. */
  stateAt: z.nullable(count),
  /** The accounts that this block and later ones touched are to be asked about again. */
  unknownFrom: count,
  /** The bytes of `calls.ndjson` that belong to this state; null: all. */
  calls: z.nullable(count),
  /** Whether all blocks with transactions have traces. */
  traced: z.boolean(),
});

export type Manifest = z.output<typeof manifestSchema>;

/** The manifest of a folder; undefined if the folder does not grow. @throws IngestError if it cannot be understood */
export function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, NAME);
  if (!existsSync(file)) return undefined;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new IngestError(`${file} cannot be read; delete the folder to begin anew`, {}, error);
  }
  const { value, issues } = check(manifestSchema, given);
  if (value !== undefined) return value;
  throw new IngestError(
    `${file} is not one that this version wrote (${explain(issues[0])}); delete the folder to begin anew`,
  );
}

/** Replaces the manifest of a folder at once: whoever reads it sees the old one or the new one. */
export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, "version">,
): Promise<void> {
  const file = join(folder, NAME);
  const handle = await open(`${file}.new`, "w");
  try {
    await handle.writeFile(`${JSON.stringify({ version: VERSION, ...manifest })}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
