// The files that somebody drops to verify a contract: sources, a compiler's standard JSON input, or the build-info of a tool; and what the chain says of it.

import * as Hex from "ox/Hex";
import { isObject } from "../../../src/models/issues.ts";
import { asObject, jsonIn } from "../../../src/models/json.ts";
import { lastMetadata } from "../../ingest/metadata.ts";

export interface DroppedFile {
  /** With the folders it was dropped with. */
  readonly name: string;
  readonly text: string;
}

/** What is submitted: a compiler's input, and the contracts in its sources. */
export interface DroppedProject {
  readonly sources: Readonly<Record<string, string>>;
  /** The whole input, where a file was one: its settings count. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** Of the compiler, where a tool wrote it down. */
  readonly compiler: string | undefined;
  /** "contracts/Kiosk.sol:Kiosk", the likeliest first. */
  readonly contracts: readonly string[];
}

/** A contract's declaration, and what it is. */
const DECLARATION = /^[ \t]*(?:abstract[ \t]+)?contract[ \t]+([a-z_$][\w$]*)([^{;]{0,2000})\{/gim;

/** The contracts that sources declare; those that others build on come last. */
export function contractsIn(sources: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(DECLARATION)].map(([, name = "", bases = ""]) => ({ file, name, bases })),
  );
  const isBase = ({ name }: { name: string }) =>
    found.some(({ bases }) => new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b`).test(bases));
  return [...found.filter((one) => !isBase(one)), ...found.filter(isBase)].map(
    ({ file, name }) => `${file}:${name}`,
  );
}

const contents = (sources: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([name, file]) => {
      const { content } = asObject(file);
      return typeof content === "string" ? [[name, content]] : [];
    }),
  );

/** A compiler's input in a file, with the version of its compiler; undefined in any other JSON. */
function inputIn(text: string): Pick<DroppedProject, "input" | "compiler"> | undefined {
  const json = jsonIn(text);
  const { input, solcLongVersion } = asObject(json);
  const found: unknown = input ?? json;
  if (!isObject(found) || !isObject(found.sources)) return undefined;
  return {
    input: found,
    compiler: typeof solcLongVersion === "string" ? `v${solcLongVersion}` : undefined,
  };
}

/** What dropped files are together. Throws an Error that says what was expected. */
export function projectOf(files: readonly DroppedFile[]): DroppedProject {
  const solidity = files.filter(({ name }) => name.endsWith(".sol"));
  const [found] = files.flatMap(({ text, name }) =>
    name.endsWith(".sol") ? [] : (inputIn(text) ?? []),
  );
  const sources = found?.input
    ? contents(asObject(found.input.sources))
    : Object.fromEntries(solidity.map(({ name, text }) => [name, text]));
  const contracts = contractsIn(sources);
  if (contracts.length === 0)
    throw new Error(
      `expected .sol files with a contract, a compiler's standard JSON input or a build-info, received ${
        files
          .map(({ name }) => name.slice(-60))
          .slice(0, 5)
          .join(", ") || "nothing"
      }`,
    );
  return { sources, input: found?.input, compiler: found?.compiler, contracts };
}

/** The compiler's input for sources with these settings. */
export const compilerInputOf = (
  sources: DroppedProject["sources"],
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  language: "Solidity",
  sources: Object.fromEntries(
    Object.entries(sources).map(([name, content]) => [name, { content }]),
  ),
  settings,
});

/** The release of the compiler in the metadata of code: "0.8.28". */
export const compilerIn = (code: Hex.Hex): string | undefined =>
  lastMetadata(Hex.toBytes(code))?.compiler ?? undefined;

/** The constructor arguments: what follows the metadata in the input that created the contract; undefined where that is not plain. */
export function argumentsIn(creation: string, code: Hex.Hex): string | undefined {
  const metadata = lastMetadata(Hex.toBytes(code));
  if (metadata === null) return undefined;
  const text = code.slice(2 + 2 * metadata.start);
  const at = creation.lastIndexOf(text);
  const found = creation.slice(at + text.length);
  return at >= 0 && found.length % 64 === 0 ? found : undefined;
}
