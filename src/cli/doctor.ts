// `mrc-explorer doctor`: sends a few cheap requests, and lists problems in the order to fix them.
import type { Command } from "commander";
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import { retryAfter } from "../http/retry-after.ts";
import { isObject } from "../models/issues.ts";
import { resolveSettings } from "../settings.ts";
import { Asker, type ExplorerResponse } from "./compare/ask.ts";
import { fittingDialect } from "./compare/compare.ts";
import { UNUSED_ADDRESS } from "./compare/sample.ts";
import { addConnection, type ConnectionOptions, clientOptions } from "./connection.ts";
import { formatOption, stdoutWriter } from "./format.ts";
import type { Format } from "./output.ts";
import type { ProcessIO } from "./process-io.ts";
import { duration } from "./progress.ts";

interface CheckResult {
  readonly check: string;
  readonly state: "ok" | "wrong" | "note";
  readonly found: string;
}

const ok = (check: string, found: string): CheckResult => ({ check, state: "ok", found });
const wrong = (check: string, found: string): CheckResult => ({ check, state: "wrong", found });
const note = (check: string, found: string): CheckResult => ({ check, state: "note", found });

/** For each error of Node: words in its message, the check that fails, and advice. */
const connectionProblems: readonly (readonly [RegExp, string, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, "address", "no such host: check spelling and network"],
  [/ECONNREFUSED/, "address", "no server listens there: check the port"],
  [/bad port/, "address", "fetch refuses this port: choose another"],
  [/wrong version number|packet length|EPROTO/, "TLS", "the port speaks plain HTTP: use http://"],
  [/certificate|self.signed|CERT_|altname/i, "TLS", "bad certificate; see NODE_EXTRA_CA_CERTS"],
  [/no whole response/, "address", "no answer in time: check network and proxies, or --timeout"],
];

/** If clocks differ by more seconds than this, the pauses of rate limits are wrong. */
const MAX_DRIFT = 30;

/** Finds a problem with address, path or key in a response; undefined if there is none. */
function problemIn({ request, status, headers, json }: ExplorerResponse): CheckResult | undefined {
  const outcome = `${request} returned HTTP ${status}`;
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location)
    return wrong("path", `${outcome} to ${location}: use that address instead`);
  if (status === 401 || status === 403)
    return wrong("key", `${outcome}: the key is missing, mistyped, or another explorer's`);
  if (status === 429) {
    const pause = retryAfter(headers, true);
    const wait = pause === undefined ? "wait" : `wait ${duration(pause / 1000)}`;
    return wrong("rate limit", `${outcome}: ${wait}, and pass --rate-limit`);
  }
  if (status >= 500) return wrong("explorer", `${outcome}: it has a problem; try again later`);
  if (!isObject(json))
    return wrong("path", `${outcome} without JSON: this is a website, not an explorer's API`);
  if (status === 404 && !("status" in json || "message" in json))
    return wrong("path", `${outcome}: no API is there; pass the address without /v1`);
  return undefined;
}

/** Checks the headers about browsers, clocks and limits. */
function* headerChecks({ headers }: ExplorerResponse): Generator<CheckResult> {
  const origin = headers.get("access-control-allow-origin");
  const readers = origin
    ? `only web pages of ${origin}`
    : "no web page, unless its origin is allowed,";
  yield origin === "*"
    ? ok("browsers", "every web page may read responses (CORS)")
    : note("browsers", `${readers} may read responses (CORS): others need a proxy of your own`);
  const date = Date.parse(headers.get("date") ?? "");
  const drift = Math.round((date - Date.now()) / 1000);
  if (Math.abs(drift) > MAX_DRIFT)
    yield note("clock", `the explorer's clock and yours are ${Math.abs(drift)} s apart`);
  const limit = [...headers].filter(([name]) => /^(x-)?rate-?limit|^retry-after/i.test(name));
  yield limit.length > 0
    ? note("rate limit", limit.map(([name, value]) => `${name}: ${value}`).join(", "))
    : ok("rate limit", "none stated");
}

/** Yields the results of all checks until one is wrong. */
async function* runChecks(asker: Asker, address: string): AsyncGenerator<CheckResult> {
  let answer: ExplorerResponse;
  try {
    answer = await asker.ask(operations.B1, { block_number: 1 });
  } catch (error) {
    if (!isExplorerError(error, "CONNECTION")) throw error;
    const [, check = "address", advice = error.message] =
      connectionProblems.find(([words]) => words.test(error.message)) ?? [];
    return yield wrong(check, `${address}: ${advice}`);
  }
  yield ok("address", address);
  const problem = problemIn(answer);
  if (problem) return yield problem;
  const input = { address_hash: UNUSED_ADDRESS };
  const keyless = await asker.ask(operations.A4, input, { withoutKey: true });
  const isAbsent = keyless.status === 404;
  const dialect = isAbsent && (await fittingDialect(asker));
  if (isAbsent && answer.status === 404 && !dialect)
    return yield wrong(
      "path",
      `${answer.request} and ${keyless.request} return HTTP 404: no API is there; pass the address without /v1`,
    );
  yield ok("path", `${answer.request} returned HTTP ${answer.status}`);
  yield ok("key", keyless.status === 401 ? "accepted" : "accepted; the explorer needs no key");
  yield* headerChecks(answer);
  if (dialect)
    yield wrong("dialect", `the explorer uses the dialect ${dialect}: pass --dialect ${dialect}`);
}

async function diagnose(
  options: ConnectionOptions & { readonly format?: Format },
  io: ProcessIO,
): Promise<void> {
  const settings = resolveSettings(clientOptions(options, io));
  const asker = new Asker(settings, {
    rate: settings.rateLimit ?? { requests: 2, perMs: 1000 },
    // Reports a rate limit instead of waiting for its pause.
    maxPause: 0,
    signal: io.signal,
    say: (message) => void io.stderr.write(`${message}\n`),
  });
  const out = stdoutWriter(options.format, io, { all: false, many: false, raw: false });
  const results: CheckResult[] = [];
  for await (const result of runChecks(asker, settings.baseUrl.href))
    results.push({ ...result, found: asker.redact(result.found) });
  await out.page({ data: results });
  await out.end();
  const first = results.find(({ state }) => state === "wrong");
  if (first) throw new Error(`${first.check}: ${first.found}`);
}

export function addDoctor(program: Command, io: ProcessIO): void {
  const command = program
    .command("doctor")
    .summary("Find out why an explorer cannot be reached")
    .description(
      "Sends the explorer a few cheap requests and says what is wrong: address, path, TLS, key, CORS for browsers, clock, rate limit, dialect. Never prints the key. Exits with code 1 if something is wrong.",
    );
  addConnection(command, "2 per second");
  command.addOption(formatOption()).action((options) => diagnose(options, io));
}
