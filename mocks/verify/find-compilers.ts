// Finds the installed compilers without loading them: npm packages, and files in folders.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { compareVersions, readVersion, sameVersion } from "./compiler-version.ts";
import { type Compiler, Compilers } from "./compilers.ts";
import { installAdvice, versionInPackage } from "./npm-releases.ts";

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

/** Returns the compilers of a verifier, which may grow. @throws Error if a given folder has none */
export function installedCompilers(folders: readonly string[] = []): Compilers {
  checkFolders(folders);
  return new Compilers(() => findCompilers(folders), installAdvice);
}
