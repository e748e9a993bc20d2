// Packs the package once for all tests that install it, even if several run at a time.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(
  tmpdir(),
  `mrc-explorer-packed-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`,
);
/** Files and folders that the package is built from. */
const sources = [
  ...["src", "mocks", "scripts", "tsup.config.ts", "vite.config.ts", "package.json"],
  ...["tsconfig.json", "openapi.json", "NOTICE.md", "README.md"],
];

function changedAt(path: string): number {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  return statSync(path).isDirectory()
    ? Math.max(mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
    : mtimeMs;
}

const tarball = (): string | undefined =>
  existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".tgz")) : undefined;

const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Whether the process that wrote the lock still runs. */
function isHeld(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, "utf8"));
    // A lock file is empty for a moment after its creation.
    return holder === 0 || process.kill(holder, 0);
  } catch {
    return false;
  }
}

/** Builds write into one folder: one at a time. */
function alone<Made>(run: () => Made): Made {
  const lock = `${folder}.lock`;
  for (;;) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: "wx" });
      break;
    } catch {
      if (!isHeld(lock)) rmSync(lock, { recursive: true, force: true });
      pause(100);
    }
  }
  try {
    return run();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The last file that `npm run build` writes. */
const lastBuilt = join(root, "dist/page/index.html.br");

/** The tarball of the package as its sources are now. */
export const packed = (): string =>
  alone(() => {
    const tarballName = tarball();
    const newest = Math.max(...sources.map((path) => changedAt(join(root, path))));
    if (tarballName !== undefined && changedAt(join(folder, tarballName)) > newest)
      return join(folder, tarballName);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    // npm builds before it packs; what is built of these sources already, as in CI, is packed as it is.
    const isBuilt = changedAt(lastBuilt) > newest;
    const how = isBuilt ? ["--ignore-scripts"] : [];
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, ...how], { cwd: root });
    return join(folder, tarball() ?? "");
  });
