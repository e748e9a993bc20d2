// Reads the files of an untrusted project: only regular files of limited size, which are inside the
// project after links are resolved.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type * as z from "zod/mini";
import type { AnySchema } from "../../../src/contract/index.ts";
import { messageOf } from "../../../src/errors/base.ts";
import { check, explain } from "../../../src/models/issues.ts";

/** Limit of a file in bytes. Build-infos of large projects have tens of megabytes. */
const MAX_FILE_BYTES = 50 * 2 ** 20;

export class ProjectFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /**
   * Reads a file by its path in the project.
   * @throws Error that names the file if it is missing, outside the project, or not a regular file
   */
  text(path: string): string {
    const place = resolve(this.root, path);
    try {
      const real = realpathSync(place);
      if (!real.startsWith(`${this.root}${sep}`))
        throw new Error(`is outside the project ${this.root}, and is not read`);
      const stats = statSync(real);
      if (!stats.isFile()) throw new Error("is not a regular file, and is not read");
      if (stats.size > MAX_FILE_BYTES)
        throw new Error(`has ${stats.size} bytes; at most ${MAX_FILE_BYTES} are read`);
      return readFileSync(real, "utf8");
    } catch (error) {
      throw new Error(`${place}: ${messageOf(error)}`);
    }
  }

  /** Returns the text of a source; empty if it cannot be read. */
  source(path: string): string {
    try {
      return this.text(path);
    } catch {
      return "";
    }
  }

  json(path: string): unknown {
    const text = this.text(path);
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (error) {
      throw new Error(`${resolve(this.root, path)}: ${messageOf(error)}`);
    }
  }

  /** Reads a JSON file. @throws Error that names the file and what is wrong with it */
  read<Schema extends AnySchema>(path: string, schema: Schema): z.output<Schema> {
    const { value, issues } = check(schema, this.json(path));
    if (issues) throw new Error(`${resolve(this.root, path)}: ${issues.map(explain).join("; ")}`);
    return value as z.output<Schema>;
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  changedAt(path: string): number {
    return statSync(join(this.root, path)).mtimeMs;
  }

  /**
   * Lists files below a folder, as paths in the project. `pattern` matches the path in the folder.
   * Links to folders are not followed.
   */
  below(folder: string, pattern: RegExp): string[] {
    const top = resolve(this.root, folder);
    const pathsIn = (path: string): string[] =>
      readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? pathsIn(join(path, entry.name)) : [join(path, entry.name)],
      );
    return (existsSync(top) ? pathsIn(top) : [])
      .filter((path) => pattern.test(relative(top, path).replaceAll("\\", "/")))
      .sort()
      .map((path) => relative(this.root, path));
  }
}
