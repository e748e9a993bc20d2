// The options of commands that send requests to an explorer, such as its address and key.
import { type Command, InvalidArgumentError, Option } from "commander";
import { type DialectName, dialectNames, dialects } from "../contract/dialects.ts";
import { isExplorerError } from "../errors/index.ts";
import { checkedKey } from "../http/api-key.ts";
import { checkUrl } from "../http/base-url.ts";
import type { RateLimit } from "../http/rate-limiter.ts";
import { explain } from "../models/issues.ts";
import { chosenExplorer, stored } from "./explorers.ts";
import { suggestedValues } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

export interface ConnectionOptions {
  /** Name of a saved explorer. */
  readonly explorer?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly rateLimit?: RateLimit;
  /** Time limit of an attempt in seconds. */
  readonly timeout?: number;
  readonly checksum?: boolean;
  readonly dialect?: DialectName;
}

const INTERVALS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a rate limit, such as "5", "5/s" or "100/m". */
function rateLimit(text: string): RateLimit {
  const [, requests, unit = "s"] = /^([1-9]\d{0,5})(?:\/([smh]))?$/.exec(text) ?? [];
  const perMs = INTERVALS[unit];
  if (requests !== undefined && perMs !== undefined) return { requests: Number(requests), perMs };
  throw new InvalidArgumentError(
    `expected requests per second, or per minute or hour (5, 100/m, 1000/h), received "${text}"`,
  );
}

/** Parses a number of seconds above 0. */
export function secondsOption(text: string): number {
  const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError(`expected seconds, such as 5 or 0.5, received "${text}"`);
}

function explorerOption(): Option {
  const option = new Option("--explorer <name>", "a saved explorer (default: EXPLORER)");
  suggestedValues.set(option, (env) => Object.keys(stored(env)));
  return option;
}

export function addConnection(command: Command, defaultRate = "no limit"): void {
  command
    .addOption(explorerOption())
    .option("--base-url <url>", "URL of the service (default: EXPLORER_BASE_URL)")
    .option("--api-key <key>", "your API key (default: EXPLORER_API_KEY)")
    .option(
      "--rate-limit <n>",
      `maximum requests per second; n/m is per minute, n/h per hour (default: ${defaultRate})`,
      rateLimit,
    )
    .option(
      "--timeout <seconds>",
      "time limit for one attempt (default: 15, or 90 to verify a contract)",
      secondsOption,
    )
    .addOption(
      new Option(
        "--dialect <name>",
        "names of paths and parameters that the explorer uses (default: metadium)",
      ).choices(dialectNames),
    )
    .option("--no-checksum", "accept addresses in any mix of upper and lower case");
}

/** Returns a client's options. @throws InvalidArgumentError if the address or the key is missing */
export function clientOptions(connection: ConnectionOptions, io: ProcessIO) {
  const { options, env } = chosenExplorer(connection, io.env);
  const { baseUrl, apiKey, rateLimit, timeout, checksum, dialect } = options;
  const isKeyless = dialect !== undefined && dialects[dialect].key === "optional";
  // Without a key, the client would read the variable, which may hold another explorer's key.
  if (isKeyless && apiKey === undefined && env !== io.env && io.env.EXPLORER_API_KEY)
    throw new InvalidArgumentError(
      `--explorer ${connection.explorer} has no key, and EXPLORER_API_KEY may be another explorer's: unset it, or pass --api-key`,
    );
  return {
    baseUrl: serviceUrl(baseUrl, "--base-url", env),
    apiKey:
      isKeyless && apiKey === undefined && !env.EXPLORER_API_KEY
        ? undefined
        : serviceKey(apiKey, env),
    rateLimit,
    checksum,
    dialect,
    timeout: timeout === undefined ? undefined : 1000 * timeout,
  };
}

/** Checks the URL. @throws InvalidArgumentError that names the option or the variable */
export function serviceUrl(
  value: string | undefined,
  option: string,
  env: ProcessIO["env"],
): string {
  const url = value ?? required(env, "EXPLORER_BASE_URL", option);
  try {
    checkUrl(url, [value === undefined ? "EXPLORER_BASE_URL" : option]);
  } catch (error) {
    if (!isExplorerError(error, "PARAMETER")) throw error;
    throw new InvalidArgumentError(error.issues.map(explain).join("; "));
  }
  return url;
}

/** Checks the API key. @throws InvalidArgumentError that names the option or the variable */
export function serviceKey(value: string | undefined, env: ProcessIO["env"]): string {
  const key = value ?? required(env, "EXPLORER_API_KEY", "--api-key");
  try {
    return checkedKey(key);
  } catch (error) {
    if (!isExplorerError(error, "PARAMETER")) throw error;
    const path = [value === undefined ? "EXPLORER_API_KEY" : "--api-key"];
    const expected = "one or more characters of printable ASCII on one line";
    const issues = error.issues.map((issue) => explain({ ...issue, path, expected }));
    throw new InvalidArgumentError(issues.join("; "));
  }
}

/** Reads a variable, trimmed. @throws InvalidArgumentError that names the option to pass instead */
function required(env: ProcessIO["env"], variable: string, option: string): string {
  const value = env[variable]?.trim();
  if (value) return value;
  const advice =
    variable === "EXPLORER_BASE_URL"
      ? "Your explorer's operator publishes its address; to try without an explorer, run `npx mrc-explorer serve`"
      : "Your explorer's operator gives you a key; `npx mrc-explorer serve` accepts any key";
  throw new InvalidArgumentError(`Missing ${option}: pass it, or set ${variable}. ${advice}`);
}
