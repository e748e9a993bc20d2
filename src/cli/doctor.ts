// `mrc-explorer doctor`: asks an explorer one cheap question, and says what is wrong, in the order in which it is to be mended.
import type { Command } from "commander";
import { responseDepartures } from "../contract/conformance.ts";
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import { isObject } from "../models/issues.ts";
import { resolveSettings } from "../settings.ts";
import { type AskedRequest, Asker, type ExplorerResponse } from "./compare/ask.ts";
import { fittingDialect } from "./compare/compare.ts";
import { NO_ADDRESS } from "./compare/list-questions.ts";
import { addConnection, type ConnectionOptions, clientOptions } from "./connection.ts";
import { formatOption, stdoutWriter } from "./format.ts";
import type { Format } from "./output.ts";
import type { ProcessIO } from "./process-io.ts";

/** What was found about one thing. */
interface Finding {
  readonly check: string;
  readonly state: "ok" | "wrong" | "note";
  readonly found: string;
}

const ok = (check: string, found: string): Finding => ({ check, state: "ok", found });
const wrong = (check: string, found: string): Finding => ({ check, state: "wrong", found });
const note = (check: string, found: string): Finding => ({ check, state: "note", found });

/** What ails a connection, by the words of Node's errors. */
const ailments: readonly (readonly [RegExp, string, string])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo/,
    "address",
    "no such host: check the spelling, and the network",
  ],
  [/ECONNREFUSED/, "address", "nothing listens there: check the port"],
  [/bad port/, "address", "a port that fetch refuses: choose another"],
  [/wrong version number|packet length|EPROTO/, "TLS", "the port speaks plain HTTP: use http://"],
  [
    /certificate|self.signed|CERT_|altname/i,
    "TLS",
    "the certificate is refused; for an authority of your own, set NODE_EXTRA_CA_CERTS to its file",
  ],
  [
    /no whole response/,
    "address",
    "no answer in time: check the network and proxies, or raise --timeout",
  ],
];

/** How far two clocks may be apart, in seconds, before signatures and pauses go wrong. */
const MAX_DRIFT = 30;

const cheap = { operation: operations.B1, raw: { block_number: 1 } };

/** What a response says of address, path and key; undefined if it is an explorer's. */
function refusedBy({
  asked: request,
  status,
  headers,
  json,
}: ExplorerResponse): Finding | undefined {
  const asked = `${request} returned HTTP ${status}`;
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location)
    return wrong("path", `${asked} to ${location}: use the address that it leads to`);
  if (status === 401 || status === 403)
    return wrong("key", `${asked}: the key is missing, mistyped, or of another explorer`);
  if (status === 429) return wrong("rate limit", `${asked}: wait, or pass --rate-limit`);
  if (status >= 500) return wrong("explorer", `${asked}: it is out of order; try again later`);
  if (!isObject(json))
    return wrong(
      "path",
      `${asked}, which is no JSON: this is a website or another service, not an explorer's API`,
    );
  if (status === 404 && !("status" in json || "message" in json))
    return wrong("path", `${asked}: nothing is there; the address ends before /v1`);
  return undefined;
}

/** What the headers of an answer say: of browsers, clocks and limits. */
function* saidBy({ headers }: ExplorerResponse): Generator<Finding> {
  const origin = headers.get("access-control-allow-origin");
  yield origin === "*"
    ? ok("browsers", "every origin may read it (CORS)")
    : note("browsers", `no web page may read it (CORS): put a proxy of your own before it`);
  const date = Date.parse(headers.get("date") ?? "");
  const drift = Math.round((date - Date.now()) / 1000);
  if (Math.abs(drift) > MAX_DRIFT)
    yield note("clock", `its clock and yours are ${Math.abs(drift)} s apart`);
  const limit = [...headers].filter(([name]) => /^(x-)?rate-?limit|^retry-after/i.test(name));
  yield limit.length > 0
    ? note("rate limit", limit.map(([name, value]) => `${name}: ${value}`).join(", "))
    : ok("rate limit", "none stated");
}

/** Asks, and yields what is found until something is wrong. */
async function* findings(asker: Asker, address: string): AsyncGenerator<Finding> {
  const ask = async (message: AskedRequest) => {
    try {
      return await asker.ask(message);
    } catch (error) {
      if (!isExplorerError(error, "CONNECTION")) throw error;
      const [, check = "address", advice = error.message] =
        ailments.find(([words]) => words.test(error.message)) ?? [];
      return wrong(check, `${address}: ${advice}`);
    }
  };
  const answer = await ask(cheap);
  if ("check" in answer) return yield answer;
  yield ok("address", address);
  const refusal = refusedBy(answer);
  if (refusal) return yield refusal;
  const raw = { address_hash: NO_ADDRESS };
  const other = await ask({ operation: operations.A4, raw, withoutKey: true });
  const isAbsent = !("check" in other) && other.status === 404;
  const fits = isAbsent && (await fittingDialect(asker));
  if (isAbsent && answer.status === 404 && !fits)
    return yield wrong(
      "path",
      `${answer.asked} and ${other.asked} return HTTP 404: nothing is there; the address ends before /v1`,
    );
  yield ok("path", `${answer.asked} returned HTTP ${answer.status}`);
  if (!("check" in other))
    yield ok("key", other.status === 401 ? "accepted" : "accepted; the explorer asks for none");
  const { status, headers, text } = answer;
  const response = { status, contentType: headers.get("content-type"), text };
  const [departure] = status === 200 ? responseDepartures(operations.B1, response, false) : [];
  if (departure)
    yield note(
      "form",
      `${departure.field}: expected ${departure.expected}, received ${departure.received}; mrc-explorer compare says more`,
    );
  yield* saidBy(answer);
  if (fits) yield wrong("dialect", `it answers in the dialect ${fits}: pass --dialect ${fits}`);
}

async function diagnose(
  options: ConnectionOptions & { readonly format?: Format },
  io: ProcessIO,
): Promise<void> {
  const settings = resolveSettings(clientOptions(options, io));
  const asker = new Asker(settings, {
    rate: settings.rateLimit ?? { requests: 2, perMs: 1000 },
    budget: 20,
    signal: io.signal,
    say: (message) => void io.stderr.write(`${message}\n`),
  });
  const out = stdoutWriter(options.format, io, { all: false, many: false, raw: false });
  const found: Finding[] = [];
  for await (const one of findings(asker, settings.baseUrl.href)) found.push(one);
  await out.page({
    data: found.map((one) => ({ ...one, found: asker.redact(one.found) })),
  });
  await out.end();
  const first = found.find(({ state }) => state === "wrong");
  if (first) throw new Error(`${first.check}: ${asker.redact(first.found)}`);
}

export function addDoctor(program: Command, io: ProcessIO): void {
  const command = program
    .command("doctor")
    .summary("Find out why an explorer cannot be reached")
    .description(
      "Asks the explorer one cheap question and says what is wrong: address, path, TLS, key, CORS for browsers, clock, rate limit, dialect. Never prints the key. Exits with code 1 if something is wrong.",
    );
  addConnection(command, "2 per second");
  command.addOption(formatOption()).action((options) => diagnose(options, io));
}
