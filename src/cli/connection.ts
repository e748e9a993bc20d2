// The options of every command that asks an explorer: its address, the key, the rate and the timeout.
import { type Command, InvalidArgumentError, Option } from "commander";
import { type DialectName, dialects } from "../contract/dialects.ts";
import { isExplorerError } from "../errors/index.ts";
import { checkedKey } from "../http/api-key.ts";
import { checkUrl } from "../http/base-url.ts";
import type { RateLimit } from "../http/rate-limiter.ts";
import { explain } from "../models/issues.ts";
import { chosenExplorer } from "./explorers.ts";
import type { ProcessIO } from "./process-io.ts";

export interface ConnectionOptions {
  /** The name of one that login keeps. */
  readonly explorer?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly rateLimit?: RateLimit;
  /** In seconds. */
  readonly timeout?: number;
  readonly checksum?: boolean;
  readonly dialect?: DialectName;
}

const INTERVALS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Requests per second, minute or hour: "5", "5/s", "100/m". */
function rateLimit(text: string): RateLimit {
  const [, requests, unit = "s"] = /^([1-9]\d{0,5})(?:\/([smh]))?$/.exec(text) ?? [];
  const perMs = INTERVALS[unit];
  if (requests !== undefined && perMs !== undefined) return { requests: Number(requests), perMs };
  throw new InvalidArgumentError(
    `expected requests per second, or per minute or hour (5, 100/m, 1000/h), received "${text}"`,
  );
}

/** A number of seconds above 0. */
export function secondsOption(text: string): number {
  const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError(`expected seconds, such as 5 or 0.5, received "${text}"`);
}

export function addConnection(command: Command, defaultRate = "no limit"): void {
  command
    .option("--explorer <name>", "an explorer that login keeps (default: EXPLORER)")
    .option("--base-url <url>", "URL of the service (default: EXPLORER_BASE_URL)")
    .option("--api-key <key>", "your API key (default: EXPLORER_API_KEY)")
    .addOption(
      new Option(
        "--rate-limit <n>",
        `maximum requests per second; n/m is per minute, n/h per hour (default: ${defaultRate})`,
      ).argParser(rateLimit),
    )
    .addOption(
      new Option(
        "--timeout <seconds>",
        "time limit for one attempt (default: 15, or 90 to verify a contract)",
      ).argParser(secondsOption),
    )
    .addOption(
      new Option(
        "--dialect <name>",
        "how the explorer differs in names (default: metadium)",
      ).choices(["metadium", "wemix"]),
    )
    .option("--no-checksum", "accept addresses in any mix of upper and lower case");
}

/** The options of a client. @throws InvalidArgumentError if the address or the key is missing */
export function clientOptions(given: ConnectionOptions, io: ProcessIO) {
  const { options, env } = chosenExplorer(given, io.env);
  const { baseUrl, apiKey, rateLimit, timeout, checksum, dialect } = options;
  const isKeyless = dialect !== undefined && dialects[dialect].key === "optional";
  // Without a key, the client reads the variable by itself: no other explorer's key may go to this one.
  if (isKeyless && apiKey === undefined && env !== io.env && io.env.EXPLORER_API_KEY)
    throw new InvalidArgumentError(
      `--explorer ${given.explorer} has no key, and EXPLORER_API_KEY may be another explorer's: unset it, or pass --api-key`,
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

/** @throws InvalidArgumentError that names the option or the variable if it is missing or wrong */
export function serviceUrl(
  given: string | undefined,
  option: string,
  env: ProcessIO["env"],
): string {
  const url = given ?? required(env, "EXPLORER_BASE_URL", option);
  try {
    checkUrl(url, [given === undefined ? "EXPLORER_BASE_URL" : option]);
  } catch (error) {
    if (!isExplorerError(error, "PARAMETER")) throw error;
    throw new InvalidArgumentError(error.issues.map(explain).join("; "));
  }
  return url;
}

/** @throws InvalidArgumentError that names the option or the variable if it is missing or wrong */
export function serviceKey(given: string | undefined, env: ProcessIO["env"]): string {
  const key = given ?? required(env, "EXPLORER_API_KEY", "--api-key");
  try {
    return checkedKey(key);
  } catch (error) {
    if (!isExplorerError(error, "PARAMETER")) throw error;
    const path = [given === undefined ? "EXPLORER_API_KEY" : "--api-key"];
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
      ? "Your explorer's operator publishes its address; to try without one, run `npx mrc-explorer serve`"
      : "Your explorer's operator gives you a key; `npx mrc-explorer serve` accepts any";
  throw new InvalidArgumentError(`Missing ${option}: pass it, or set ${variable}. ${advice}`);
}
