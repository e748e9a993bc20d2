// The source of a contract in one file: its own file, or the output of the project's flattener.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../../../src/errors/base.ts";
import type { ProjectContract } from "./build-info.ts";
import { ProjectFiles } from "./files.ts";
import type { Project } from "./projects.ts";

/** A source in one file, and the name of the contract in that file. */
export interface SingleFile {
  readonly source: string;
  /**
   * The contract's name. Includes the file name if the source is an original file, so that the
   * metadata can match.
   */
  readonly contractName: string;
}

/** Why a contract has no single-file form. */
export interface NoSingleFile {
  readonly reason: string;
}

/** Limit of a flattener's output in bytes. */
const MAX_SOURCE = 16 * 2 ** 20;

const run = promisify(execFile);

export async function singleFile(
  contract: ProjectContract,
  { folder, flattener }: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SingleFile | NoSingleFile> {
  const { name, file, language, needs, source } = contract;
  if (language !== "Solidity") return { reason: `it is written in ${language}` };
  if (needs === undefined)
    return { reason: "the build-info has no metadata, which names its files" };
  const isNotAsCompiled = `${file} is not in the project as it was compiled: it is missing, outside of it, or has changed since`;
  if (source === "") return { reason: isNotAsCompiled };
  if (needs.length === 1) return { source, contractName: `${file}:${name}` };
  const files = `it needs ${needs.length} files (${needs.join(", ")})`;
  if (flattener === undefined) return { reason: `${files}, and the project has no flattener` };
  // Checks that the project itself contains this source, because the flattener would also read a
  // file outside the project.
  if (new ProjectFiles(folder).source(file) !== source)
    return { reason: `${files}, and ${isNotAsCompiled}` };
  const [command, ...commandArguments] = flattener;
  if (file.startsWith("-"))
    return { reason: `${files}, and ${command} would mistake its name for an option` };
  try {
    const { stdout } = await run(command, [...commandArguments, file], {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      maxBuffer: MAX_SOURCE,
    });
    return { source: stdout, contractName: name };
  } catch (error) {
    return { reason: `${files}, and the flattener failed: ${messageOf(error)}` };
  }
}
