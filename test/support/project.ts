// A folder for one test, outside the repository: files are written into it, and it is removed at the end.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

export interface Project {
  readonly folder: string;
  /** Writes a file, and the folders above it; a script can be run. */
  write(path: string, text: string | Uint8Array): void;
  remove(): void;
}

export function createProject(name: string): Project {
  const folder = mkdtempSync(join(tmpdir(), `mrc-explorer-${name}-`));
  return {
    folder,
    write: (path, text) => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (text.toString().startsWith("#!")) chmodSync(file, 0o755);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A folder for all tests of a file; with `onTestFinished`, for one test. */
export function temporaryFolder(name: string, atTheEnd: (remove: () => void) => void = afterAll) {
  const { folder, remove } = createProject(name);
  atTheEnd(remove);
  return folder;
}
