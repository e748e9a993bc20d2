// A project that uses the package as published: the packed tarball, and of its dependencies only what it declares.
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Consumer {
  readonly folder: string;
  /** Writes a file of the project. */
  write(name: string, text: string): void;
  /** Runs Node in the project. */
  node(words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  /** Runs a program of the project's node_modules/.bin. */
  bin(name: string, words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  remove(): void;
}

/** Puts `name` of our node_modules into the project's. */
function link(name: string, modules: string): void {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(join(root, "node_modules", name)) && !existsSync(place))
    symlinkSync(join(root, "node_modules", name), place);
}

/** Builds and packs the package and installs it into a new project, with `also` of our development dependencies. */
export function createConsumer(also: readonly string[] = []): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-consumer-"));
  const modules = join(folder, "node_modules");
  const installed = join(modules, "mrc-explorer");
  mkdirSync(installed, { recursive: true });

  execFileSync("npm", ["run", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", installed, "--strip-components=1"]);

  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest & {
    readonly bin: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
    link(name, modules);
  for (const name of also) link(name, modules);
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const [name, path] of Object.entries(manifest.bin))
    symlinkSync(join(installed, path), join(modules, ".bin", name));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );

  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      timeout: 120_000,
      env: { ...process.env, NO_COLOR: "1", ...env },
    });
    if (error) throw error;
    return { code: status, stdout, stderr };
  };
  return {
    folder,
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    node: run,
    bin: (name, words, env) => run([join(modules, ".bin", name), ...words], env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
