// The files of a project that verifies a contract.
import * as Hex from "ox/Hex";
import { asObject, isObject, jsonIn } from "../../../src/models/json.ts";
import { lastMetadata } from "../../ingest/metadata.ts";

export interface DroppedFile {
  /** Path below the folder that was dropped. */
  readonly name: string;
  readonly text: string;
}

export interface DroppedProject {
  readonly sources: Readonly<Record<string, string>>;
  /** The compiler's whole input with its settings, if a file holds one. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** The compiler that a build-info names. */
  readonly compiler: string | undefined;
  /** "contracts/Kiosk.sol:Kiosk". Contracts that no other contract inherits from come first. */
  readonly contracts: readonly string[];
  /** The only contract that no other inherits from; undefined if there are several. */
  readonly likely: string | undefined;
}

const DECLARATION =
  /^[ \t]*(?:(?:abstract[ \t]+)?contract|library)[ \t]+([a-z_$][\w$]*)([^{;]{0,2000})\{/gim;

/** The contracts and libraries that sources declare. */
export function contractsIn(
  sources: Readonly<Record<string, string>>,
): Pick<DroppedProject, "contracts" | "likely"> {
  const declared = Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(DECLARATION)].map(([, name = "", bases = ""]) => ({ file, name, bases })),
  );
  const inherited = new Set(declared.flatMap(({ bases }) => bases.match(/[\w$]+/g) ?? []));
  const named = (isBase: boolean) =>
    declared
      .filter(({ name }) => inherited.has(name) === isBase)
      .map(({ file, name }) => `${file}:${name}`);
  const [likely, ...others] = named(false);
  return {
    contracts: [...named(false), ...named(true)],
    likely: others.length === 0 ? likely : undefined,
  };
}

const contents = (sources: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([name, file]) => {
      const { content } = asObject(file);
      return typeof content === "string" ? [[name, content]] : [];
    }),
  );

/** Returns undefined for any other JSON. */
function inputIn(text: string): Pick<DroppedProject, "input" | "compiler"> | undefined {
  const json = jsonIn(text);
  const { input: inBuild, solcLongVersion } = asObject(json);
  const input: unknown = inBuild ?? json;
  if (!isObject(input) || !isObject(input.sources)) return undefined;
  const compiler = typeof solcLongVersion === "string" ? `v${solcLongVersion}` : undefined;
  return { input, compiler };
}

/** Reads dropped files as one project. Throws an Error that says what was expected. */
export function projectOf(files: readonly DroppedFile[]): DroppedProject {
  const isSolidity = ({ name }: DroppedFile) => name.endsWith(".sol");
  const [build] = files.flatMap((file) => (isSolidity(file) ? [] : (inputIn(file.text) ?? [])));
  const sources = build?.input
    ? contents(asObject(build.input.sources))
    : Object.fromEntries(files.filter(isSolidity).map(({ name, text }) => [name, text]));
  const declared = contractsIn(sources);
  const received = files.slice(0, 5).map(({ name }) => name.slice(-60));
  if (declared.contracts.length === 0)
    throw new Error(
      `expected .sol files with a contract, a compiler's standard JSON input or a build-info, received ${received.join(", ") || "nothing"}`,
    );
  return { sources, input: build?.input, compiler: build?.compiler, ...declared };
}

/** The compiler's standard JSON input for sources with these settings. */
export const compilerInputOf = (
  sources: DroppedProject["sources"],
  settings: object,
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
