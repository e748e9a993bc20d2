// Keeps explorers by name, with address, key and dialect, in a file that only this user may read,
// and chooses the one that a command uses.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { check, explain } from "../models/issues.ts";
import { FileLockedError, lockFile } from "./file-lock.ts";
import { readJson } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

/** The name that is used where nothing else is said. */
export const DEFAULT = "default";

/** Public explorers that `login` knows by name (docs/explorers.md has the sources). */
export const known: Readonly<Record<string, StoredExplorer>> = {
  "metadium-testnet": { baseUrl: "https://testnetapi.metadium.com" },
  wemix: { baseUrl: "https://explorerapi.wemix.com", dialect: "wemix" },
  "wemix-testnet": { baseUrl: "https://explorerapi.test.wemix.com", dialect: "wemix" },
};

export const dialectNames = ["metadium", "wemix"] as const;

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
  // A received value may be a key.
  const problems = issues.map((issue) => explain(issue).replace(/, received .*/, ""));
  throw new InvalidArgumentError(`${file}: ${problems.join("; ")}${advice}`);
}

/** How long to wait for another process that changes the file, and how often to look. */
const [MAX_WAIT_MS, RETRY_MS] = [5_000, 20];

/** Changes what is kept, one process at a time; returns the file. */
export async function changeStored(
  env: Environment,
  change: (explorers: Explorers) => Explorers,
): Promise<string> {
  const file = settingsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await lockWhenFree(`${file}.lock`);
  // A name that nobody knows, and `wx`: a link beside the file must not receive the key.
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
export interface Choice {
  readonly explorer?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly dialect?: StoredExplorer["dialect"];
}

/** The choice, completed by what is kept, and where each part comes from. */
export interface Chosen<Options extends Choice> {
  readonly options: Options;
  /** The environment, without what the choice replaces. */
  readonly env: Environment;
  readonly name: string | undefined;
  readonly from: Readonly<Record<"explorer" | "baseUrl" | "apiKey" | "dialect", string>>;
}

/**
 * Chooses the explorer. Options win over the environment, and both win over what `login` keeps;
 * with --explorer, the environment does not count. A kept key is only sent to the address that it
 * is kept with.
 */
export function chosenExplorer<Options extends Choice>(
  given: Options,
  env: Environment,
): Chosen<Options> {
  const explorers = given.explorer || env.EXPLORER || !given.baseUrl ? stored(env) : {};
  const wanted = given.explorer ?? (env.EXPLORER?.trim() || undefined);
  const names = Object.keys(explorers);
  if (wanted !== undefined && !Object.hasOwn(explorers, wanted))
    throw new InvalidArgumentError(
      `${given.explorer ? "--explorer" : "EXPLORER"}: no explorer "${wanted}"; ${names.length > 0 ? `there are ${names.join(", ")}` : "there are none"}: run mrc-explorer login ${wanted}`,
    );
  const isFree = !given.baseUrl && !env.EXPLORER_BASE_URL && Object.hasOwn(explorers, DEFAULT);
  const name = wanted ?? (isFree ? DEFAULT : undefined);
  const { EXPLORER_BASE_URL, EXPLORER_API_KEY, ...otherVariables } = env;
  const namedExplorer = name === undefined ? undefined : explorers[name];
  const environment: Environment = given.explorer ? otherVariables : env;
  const isUsed = namedExplorer !== undefined && !given.baseUrl && !environment.EXPLORER_BASE_URL;
  const usedExplorer = isUsed ? namedExplorer : undefined;
  const sourceOf = (option: unknown, variable: string, isKept: unknown) =>
    option !== undefined
      ? "option"
      : environment[variable]
        ? variable
        : isKept
          ? "login"
          : "default";
  const key = given.apiKey ?? (environment.EXPLORER_API_KEY ? undefined : usedExplorer?.apiKey);
  return {
    options: {
      ...given,
      ...(usedExplorer && { baseUrl: usedExplorer.baseUrl }),
      ...(key !== undefined && { apiKey: key }),
      ...(usedExplorer?.dialect && !given.dialect && { dialect: usedExplorer.dialect }),
    },
    env: environment,
    name: namedExplorer && name,
    from: {
      explorer: given.explorer ? "--explorer" : env.EXPLORER ? "EXPLORER" : "default",
      baseUrl: sourceOf(given.baseUrl, "EXPLORER_BASE_URL", usedExplorer),
      apiKey: sourceOf(given.apiKey, "EXPLORER_API_KEY", usedExplorer?.apiKey),
      dialect: sourceOf(given.dialect, "", usedExplorer?.dialect),
    },
  };
}
