// A user's project: the packed package with the dependencies that it declares, and nothing else.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { environmentFolder, isInstalled } from "../support/environments.ts";
import { createProject, type Project } from "../support/project.ts";
import { packed } from "./packed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Consumer extends Project {
  /** Runs Node in the project. */
  node(words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  /** Runs any program in the project. */
  run(program: string, words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  /** Runs a program of the project's node_modules/.bin. */
  bin(name: string, words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly bin?: string | Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The packages that an installed package declares as its dependencies. */
export const dependenciesOf = (folder: string): readonly string[] =>
  Object.keys(manifestOf(folder).dependencies);

/** Puts the programs of an installed package where npm puts them. */
function linkPrograms(name: string, modules: string): void {
  const folder = join(modules, name);
  const { bin = {} } = manifestOf(folder);
  for (const [program, path] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin))
    symlinkSync(join(folder, path), join(modules, ".bin", program));
}

const consumers = environmentFolder("consumers");
const recipes = join(root, "examples/recipes/");
const tools = `${consumers}node_modules/`;

/** Whether there are other compilers, runtimes, bundlers, jest and older versions of MSW. */
export const hasTools = isInstalled(consumers);

/** The binary of a runtime, where npm has one for this machine. */
function binary(scope: string, name: string): string | undefined {
  const folder = join(tools, scope);
  const platforms = existsSync(folder) ? readdirSync(folder) : [];
  return platforms
    .flatMap((platform) => [join(folder, platform, name), join(folder, platform, "bin", name)])
    .find((path) => existsSync(path));
}

export const bun = binary("@oven", "bun");
export const deno = binary("@deno", "deno");

/** Whether the packages that the recipes import are installed. */
export const hasRecipes = () => isInstalled(recipes);

/**
 * Links a package of our node_modules, of the consumers or of the recipes. "msw=msw-2" links msw-2
 * as msw.
 */
function link(wanted: string, modules: string): void {
  const [name = "", alias = name] = wanted.split("=");
  const place = join(modules, name);
  const source = [join(root, "node_modules"), tools, join(recipes, "node_modules")]
    .map((folder) => join(folder, alias))
    .find((path) => existsSync(path));
  if (existsSync(place) || source === undefined) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(source, place);
  linkPrograms(name, modules);
}

/** The environment of a user, who has not started npm to run us. */
export const userEnv: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
);

/** Whether a project consists of ES modules, or is as `npm init -y` makes it with the npm at hand. */
type ProjectKind = "module" | "npm init";

/** Writes the package.json of a project. */
function initialise({ folder, write }: Project, kind: ProjectKind): void {
  if (kind === "npm init") execFileSync("npm", ["init", "-y"], { cwd: folder, env: userEnv });
  else write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
}

/**
 * Creates a project with the packed package. `also` adds packages that we have for tests,
 * `without` leaves out peers.
 */
export function createConsumer(
  also: readonly string[] = [],
  without: readonly string[] = [],
  kind: ProjectKind = "module",
): Consumer {
  const project = createProject("consumer");
  const { folder } = project;
  initialise(project, kind);
  const modules = join(folder, "node_modules");
  const installed = join(modules, "mrc-explorer");
  mkdirSync(installed, { recursive: true });

  execFileSync("tar", ["-xzf", packed(), "-C", installed, "--strip-components=1"]);

  mkdirSync(join(modules, ".bin"));
  linkPrograms("mrc-explorer", modules);
  const { dependencies, peerDependencies } = manifestOf(installed);
  for (const name of [...also, ...Object.keys({ ...dependencies, ...peerDependencies })])
    if (!without.includes(name)) link(name, modules);

  const run: Consumer["run"] = (program, words, env = {}) => {
    const { status, stdout, stderr, error } = spawnSync(program, words, {
      cwd: folder,
      encoding: "utf8",
      timeout: 600_000,
      env: { ...userEnv, NO_COLOR: "1", ...env },
    });
    if (error) throw error;
    return { code: status, stdout, stderr };
  };
  return {
    ...project,
    run,
    node: (words, env) => run(process.execPath, words, env),
    bin: (name, words, env) => run(process.execPath, [join(modules, ".bin", name), ...words], env),
  };
}

/** The packed service on a port, while `use` runs; it must end well then, unless it was killed. */
export async function served<Result>(
  { folder }: Project,
  options: readonly string[],
  use: (url: string, service: ChildProcess) => Result,
): Promise<Awaited<Result>> {
  const cli = join(folder, "node_modules/.bin/mrc-explorer");
  const service = spawn(process.execPath, [cli, "serve", "--port", "0", ...options], {
    cwd: folder,
    env: userEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(service, "exit");
  try {
    const [line = ""] = (await once(createInterface(service.stdout), "line")) as [string];
    return await use(line.slice(line.indexOf("http")), service);
  } finally {
    const isKilled = service.killed;
    service.kill("SIGTERM");
    expect(await ended).toEqual(isKilled ? [null, "SIGKILL"] : [0, null]);
  }
}
