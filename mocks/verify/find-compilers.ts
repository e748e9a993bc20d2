// Finds the installed compilers without loading them: npm packages, and files in folders.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import {
  type CompilerVersion,
  compareVersions,
  readVersion,
  sameVersion,
  writeVersion,
} from "./compiler-version.ts";
import { installAdvice, versionInPackage } from "./npm-releases.ts";

export interface Compiler {
  /** Version in the package or file name, which the loaded compiler may correct. */
  readonly version: CompilerVersion;
  /** The path of its soljson file. */
  readonly file: string;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the compiler in a folder, if the folder is a `solc` package of any name. */
function packagedCompiler(folder: string): Compiler[] {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const packaged = name === "solc" ? versionInPackage(String(version)) : undefined;
    const file = join(folder, "soljson.js");
    // A package manager may be in the middle of writing the package.
    return packaged === undefined || !existsSync(file) ? [] : [{ version: packaged, file }];
  } catch {
    return [];
  }
}

/** Returns the compiler in a published file: soljson-v0.8.20+commit.a1b79de6.js. */
function publishedCompiler(folder: string, name: string): Compiler[] {
  const version = readVersion(/^soljson-(.+)\.js$/.exec(name)?.[1] ?? "");
  return version === undefined ? [] : [{ version, file: join(folder, name) }];
}

const isAlias = (name: string) => name === "solc" || name.startsWith("solc-");

const compilersInNodeModules = (folder: string): Compiler[] =>
  entries(folder)
    .filter(isAlias)
    .flatMap((name) => packagedCompiler(join(folder, name)));

/** Finds published files and solc packages in a folder, which may be a solc package itself. */
function compilersInFolder(path: string): Compiler[] {
  const folder = resolve(path);
  return [
    ...packagedCompiler(folder),
    ...entries(folder).flatMap((name) => publishedCompiler(folder, name)),
    ...entries(folder).flatMap((name) => packagedCompiler(join(folder, name))),
    ...compilersInNodeModules(join(folder, "node_modules")),
  ];
}

/** @throws Error if one of the folders has no compiler */
export function checkFolders(folders: readonly string[]): void {
  for (const folder of folders)
    if (compilersInFolder(folder).length === 0)
      throw new Error(
        `No Solidity compiler in ${resolve(folder)}: expected soljson-v*.js files or installed packages of solc`,
      );
}

function nodeModules(): string[] {
  const from = [join(process.cwd(), "package.json"), import.meta.url];
  return from.flatMap((place) => createRequire(place).resolve.paths("solc") ?? []);
}

/** Finds each compiler once, the oldest first. The folders take precedence over npm packages. */
export function findCompilers(folders: readonly string[] = []): readonly Compiler[] {
  const candidates = [
    ...folders.flatMap(compilersInFolder),
    ...[...new Set(nodeModules())].flatMap(compilersInNodeModules),
  ];
  return candidates
    .filter(
      ({ version }, index) =>
        candidates.findIndex((candidate) => sameVersion(candidate.version, version)) === index,
    )
    .sort((left, right) => compareVersions(left.version, right.version));
}

/** The compilers that a verifier may use. Looks for new compilers when a version is missing. */
export class Compilers {
  readonly #folders: readonly string[];
  /** Versions that loaded compilers report. A package's version has no commit and may be wrong. */
  readonly #reported = new Map<string, CompilerVersion>();
  #installed: readonly Compiler[];

  /** @throws Error if one of the folders has no compiler */
  constructor(folders: readonly string[] = []) {
    checkFolders(folders);
    this.#folders = folders;
    this.#installed = findCompilers(folders);
  }

  /** The available compilers, the oldest first. */
  get all(): readonly Compiler[] {
    return this.#installed
      .map(({ file, version }) => ({ file, version: this.#reported.get(file) ?? version }))
      .sort((left, right) => compareVersions(left.version, right.version));
  }

  /** Notes the version that a loaded compiler reports. */
  noteVersion(file: string, version: CompilerVersion): void {
    this.#reported.set(file, version);
  }

  /**
   * Finds the compiler of a version. If it is missing, looks again, because a user may have
   * installed it.
   */
  find(requested: CompilerVersion): Compiler | undefined {
    const match = () => this.all.find(({ version }) => sameVersion(version, requested));
    const available = match();
    if (available !== undefined) return available;
    this.#installed = findCompilers(this.#folders);
    return match();
  }

  /** Explains why a requested compiler cannot be used, and what to do. */
  missing(requested: string): string {
    const versions = this.all.map((compiler) => writeVersion(compiler.version));
    return [
      `No compiler ${JSON.stringify(requested.slice(0, 80))}`,
      this.#reason(requested),
      `available: ${versions.join(", ") || "none"}`,
    ].join("; ");
  }

  #reason(requested: string): string {
    if (/^vyper/i.test(requested)) return "Vyper is not supported: only Solidity is compiled here";
    const version = readVersion(requested);
    if (version === undefined)
      return "expected a version such as v0.8.20+commit.a1b79de6 or 0.8.20";
    const { release, commit } = version;
    const installed = this.all.find((compiler) => compiler.version.release === release)?.version;
    return commit !== null && installed?.commit
      ? `commit ${commit} is not one of ${release}: expected ${installed.commit}`
      : installAdvice(version);
  }
}
