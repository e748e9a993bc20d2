// Saves explorers by name, with address, key and dialect, in a file that only this user may read,
// and chooses the explorer of a command.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { dialectNames } from "../contract/dialects.ts";
import { check, explain } from "../models/issues.ts";
import { FileLockedError, lockFile } from "./file-lock.ts";
import { readJson } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

/** Name of the explorer that commands use without an option or a variable. */
export const DEFAULT = "default";

/** Public explorers that `login` knows by name (docs/explorers.md has the sources). */
export const publicExplorers: Readonly<Record<string, StoredExplorer>> = {
  "metadium-testnet": { baseUrl: "https://testnetapi.metadium.com" },
  wemix: { baseUrl: "https://explorerapi.wemix.com", dialect: "wemix" },
  "wemix-testnet": { baseUrl: "https://explorerapi.test.wemix.com", dialect: "wemix" },
};

const explorerSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.optional(z.string()),
  dialect: z.optional(z.enum(dialectNames)),
});
export type StoredExplorer = z.infer<typeof explorerSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  explorers: z.record(z.string(), explorerSchema),
});

type Environment = ProcessIO["env"];
type Explorers = Readonly<Record<string, StoredExplorer>>;

function settingsFile(env: Environment): string {
  // A relative path in XDG_CONFIG_HOME is invalid:
  // https://specifications.freedesktop.org/basedir-spec/latest/
  const configFolder = [env.XDG_CONFIG_HOME, env.APPDATA].find((path) => path && isAbsolute(path));
  return join(
    configFolder || join(env.HOME || homedir(), ".config"),
    "mrc-explorer",
    "explorers.json",
  );
}

/** @throws InvalidArgumentError without the content, if the file cannot be read */
export function stored(env: Environment): Explorers {
  const file = settingsFile(env);
  if (!existsSync(file)) return {};
  const advice = "; remove it, and run mrc-explorer login";
  const { value, issues } = check(fileSchema, readJson(file, advice));
  if (value) return value.explorers;
  // Hides received values, because one may be an API key.
  const problems = issues.map((issue) => explain(issue).replace(/, received .*/, ""));
  throw new InvalidArgumentError(`${file}: ${problems.join("; ")}${advice}`);
}

/** How long to wait for another process that changes the file, and how often to try. */
const [MAX_WAIT_MS, RETRY_MS] = [5_000, 20];

/** Changes the saved explorers, one process at a time, and returns their file. */
export async function changeStored(
  env: Environment,
  change: (explorers: Explorers) => Explorers,
): Promise<string> {
  const file = settingsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await lockWhenFree(`${file}.lock`);
  // A random name and `wx`, so that a link beside the file cannot receive the key.
  const draft = `${file}.${randomUUID()}`;
  try {
    const explorers = change(stored(env));
    const text = `${JSON.stringify({ version: 1, explorers }, null, 2)}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
    return file;
  } finally {
    rmSync(draft, { force: true });
    unlock();
  }
}

async function lockWhenFree(path: string): Promise<() => void> {
  for (const end = Date.now() + MAX_WAIT_MS; ; ) {
    try {
      return lockFile(path);
    } catch (error) {
      if (!(error instanceof FileLockedError) || Date.now() > end) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}

/** Options that choose the explorer. */
export interface ExplorerChoice {
  readonly explorer?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly dialect?: StoredExplorer["dialect"];
}

/** The chosen explorer, and the source of each of its settings. */
export interface ChosenExplorer<Options extends ExplorerChoice> {
  /** The options, completed by the saved explorer. */
  readonly options: Options;
  /** The environment without the variables that options replace. */
  readonly env: Environment;
  readonly name: string | undefined;
  readonly from: Readonly<Record<"explorer" | "baseUrl" | "apiKey" | "dialect", string>>;
}

/**
 * Chooses the explorer of a command. Options win over the environment, and both win over the saved
 * explorer; with --explorer, the environment is ignored. A saved key is only sent to the address
 * that it was saved with.
 */
export function chosenExplorer<Options extends ExplorerChoice>(
  options: Options,
  env: Environment,
): ChosenExplorer<Options> {
  const { explorer, baseUrl, apiKey, dialect } = options;
  const explorers = explorer || env.EXPLORER || !baseUrl ? stored(env) : {};
  const selected = explorer ?? (env.EXPLORER?.trim() || undefined);
  if (selected !== undefined && !Object.hasOwn(explorers, selected)) {
    const names = Object.keys(explorers).join(", ");
    throw new InvalidArgumentError(
      `${explorer ? "--explorer" : "EXPLORER"}: no explorer "${selected}"; ${names ? `the known names are ${names}` : "no name is known"}: run mrc-explorer login ${selected}`,
    );
  }
  const usesDefault = !baseUrl && !env.EXPLORER_BASE_URL && Object.hasOwn(explorers, DEFAULT);
  const name = selected ?? (usesDefault ? DEFAULT : undefined);
  const { EXPLORER_BASE_URL, EXPLORER_API_KEY, ...otherVariables } = env;
  const environment: Environment = explorer ? otherVariables : env;
  const named = name === undefined ? undefined : explorers[name];
  const saved = baseUrl || environment.EXPLORER_BASE_URL ? undefined : named;
  const sourceOf = (option: unknown, variable: string, savedValue: unknown) => {
    if (option !== undefined) return "option";
    if (environment[variable]) return variable;
    return savedValue ? "login" : "default";
  };
  const key = apiKey ?? (environment.EXPLORER_API_KEY ? undefined : saved?.apiKey);
  return {
    options: {
      ...options,
      ...(saved && { baseUrl: saved.baseUrl }),
      ...(key !== undefined && { apiKey: key }),
      ...(saved?.dialect && !dialect && { dialect: saved.dialect }),
    },
    env: environment,
    name: named && name,
    from: {
      explorer: explorer ? "--explorer" : env.EXPLORER ? "EXPLORER" : "default",
      baseUrl: sourceOf(baseUrl, "EXPLORER_BASE_URL", saved),
      apiKey: sourceOf(apiKey, "EXPLORER_API_KEY", saved?.apiKey),
      dialect: sourceOf(dialect, "", saved?.dialect),
    },
  };
}
