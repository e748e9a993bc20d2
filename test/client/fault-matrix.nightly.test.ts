// Every fault of the service x every operation over a real port: what the client promises, asserted and written as a table.
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createExplorer, type Effect, type Explorer } from "../../mocks/index.ts";
import { loadDemo, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { faultKinds } from "../../mocks/page/format/fault-form.ts";
import {
  type Address,
  type ErrorCode,
  ExplorerClient,
  type Hash,
  isExplorerError,
  type OperationId,
  operations,
} from "../../src/index.ts";
import { PATIENCE, skipTime } from "../http/server.ts";
import { samplesOf } from "../support/samples.ts";

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection = "0x71c95911e9a5d330f4d621842ec243ee1343292e";
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const miner = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";
/** Names of the demo chain. Each call fills in the hash of a transaction. */
const names = { token, collection, account, miner, transaction: "0x", block: 40n } as const;
const questions = samplesOf(names);

interface Promised {
  readonly fault: string;
  readonly effect: Effect | ((field: string) => Effect);
  /** The outcome of a call whose first attempt fails: the right result, or an error. */
  readonly once: "answer" | ErrorCode;
  /** The outcome of a call whose every attempt fails. */
  readonly always: "answer" | ErrorCode;
  /** The outcome of C3, once and always, where it differs: it is sent again only if the service asks for it (R20). */
  readonly unsafe?: ErrorCode;
  /** The outcome of the next call, without the fault. @default "answer" */
  readonly after?: ErrorCode;
  /** Whether nothing but its time limit ends an attempt. */
  readonly isSilent?: true;
}

const passing = (code: ErrorCode) => ({ once: "answer", always: code, unsafe: code }) as const;
const final = (code: ErrorCode) => ({ once: code, always: code }) as const;
const harmless = { once: "answer", always: "answer" } as const;

const status = (code: number): Effect => ({ fault: "status", status: code });

/** The promises, one a row. */
const promises: readonly Promised[] = [
  { fault: "HTTP 400", effect: status(400), ...final("INVALID_REQUEST") },
  { fault: "HTTP 401", effect: status(401), ...final("AUTHENTICATION") },
  { fault: "HTTP 403", effect: status(403), ...final("AUTHENTICATION") },
  { fault: "HTTP 404", effect: status(404), ...final("NOT_FOUND") },
  { fault: "HTTP 408", effect: status(408), ...passing("API") },
  { fault: "HTTP 500", effect: status(500), ...passing("SERVER") },
  { fault: "HTTP 502", effect: status(502), ...passing("SERVER") },
  { fault: "HTTP 503", effect: status(503), ...passing("SERVER") },
  {
    fault: "HTTP 503 with Retry-After",
    effect: { fault: "status", status: 503, headers: { "retry-after": "0" } },
    once: "answer",
    always: "SERVER",
  },
  {
    fault: "HTTP 429 with Retry-After",
    effect: { fault: "status", status: 429, headers: { "retry-after": "0" } },
    once: "answer",
    always: "RATE_LIMIT",
  },
  { fault: "HTTP 429 without Retry-After", effect: status(429), ...passing("RATE_LIMIT") },
  {
    fault: "HTTP 429 with a Retry-After of an hour",
    effect: { fault: "rate-limit", retryAfter: 3600 },
    ...final("RATE_LIMIT"),
    // The client keeps to the pause.
    after: "RATE_LIMIT",
  },
  {
    fault: "HTTP 200 with a failure message",
    effect: { fault: "failure", message: "indexing is paused" },
    ...final("API"),
    unsafe: "VERIFICATION",
  },
  { fault: "20 ms of latency", effect: { fault: "latency", ms: 20 }, ...harmless },
  {
    fault: "body in small chunks",
    effect: { fault: "drip", bytes: 2048, everyMs: 1 },
    ...harmless,
  },
  { fault: "connection reset", effect: { fault: "reset" }, ...passing("CONNECTION") },
  { fault: "no response", effect: { fault: "never" }, isSilent: true, ...passing("TIMEOUT") },
  { fault: "truncated body", effect: { fault: "truncated" }, ...passing("CONNECTION") },
  { fault: "invalid JSON", effect: { fault: "malformed-json" }, ...final("RESPONSE_VALIDATION") },
  {
    fault: "content type text/html",
    effect: { fault: "content-type", type: "text/html" },
    ...harmless,
  },
  {
    fault: "content type image/png",
    effect: { fault: "content-type", type: "image/png" },
    ...final("RESPONSE_VALIDATION"),
  },
  {
    fault: "HTML page with HTTP 200",
    effect: { fault: "html" },
    ...final("RESPONSE_VALIDATION"),
  },
  {
    fault: "HTML page with HTTP 502",
    effect: { fault: "html", status: 502 },
    ...passing("SERVER"),
  },
  { fault: "empty body", effect: { fault: "empty" }, ...final("RESPONSE_VALIDATION") },
  {
    fault: "invalid field",
    effect: (field) => ({ fault: "field", path: field, value: 1.5 }),
    ...final("RESPONSE_VALIDATION"),
  },
  {
    fault: "missing field",
    effect: (field) => ({ fault: "field", path: field }),
    ...final("RESPONSE_VALIDATION"),
  },
  { fault: "stale index", effect: { fault: "stale", blocks: 2 }, ...harmless },
  {
    fault: "pending traces",
    effect: { fault: "pending-traces", blocks: 2 },
    ...harmless,
  },
];

test("every fault of the service has a promise, but a bucket, which is a rate limit, and a response by hand", () => {
  const promised = promises.map(({ effect }) =>
    typeof effect === "function" ? effect("data") : effect,
  );
  const missing = new Set(Object.keys(faultKinds));
  for (const { fault } of promised) missing.delete(fault);
  expect([...missing]).toEqual(["token-bucket", "response"]);
});

const ids = Object.keys(questions) as OperationId[];
const unsafe = (id: OperationId) => !operations[id].safe;

describe("the fault matrix", () => {
  let mock: Explorer;
  let served: ServedExplorer;
  let transaction: Hash;
  let tried = 0;

  beforeAll(async () => {
    const chain = await loadDemo({ verified: true });
    const verifier = {
      // What it is submitted for here is verified already.
      verify: async (_: unknown, { address }: { readonly address: Address }) => {
        const contract = chain.verified(address);
        return contract
          ? ({ verified: true, contract, message: "" } as const)
          : ({ verified: false, message: "unknown" } as const);
      },
      close: async () => {},
    };
    mock = createExplorer({ chain, verifier, apiKeys: ["matrix"] });
    served = await serveExplorer(mock);
    const explorer = connect();
    const [latest] = (await explorer.accounts.transactions(account, { limit: 1 })).data;
    transaction = latest?.transaction_hash ?? "0x";
  });
  afterEach(() => mock.faults.clear());
  afterAll(() => served.close({ graceMs: 0 }));

  const connect = () =>
    new ExplorerClient({
      baseUrl: served.url,
      apiKey: "matrix",
      timeout: PATIENCE,
      retry: { limit: 2, delay: () => 1, maxRetryAfter: 50 },
    });

  const ask = async (explorer: ExplorerClient, id: OperationId): Promise<"answer" | ErrorCode> => {
    const [input] = questions[id];
    const about = "transaction_hash" in input ? { transaction_hash: transaction } : {};
    tried++;
    try {
      await explorer.request(operations[id], { ...input, ...about } as never, {
        timeout: PATIENCE,
      });
      return "answer";
    } catch (error) {
      if (isExplorerError(error)) return error.code;
      throw error;
    }
  };

  test.each(promises)("$fault", async (promised) => {
    const { effect, once, always, unsafe: other, after = "answer", isSilent } = promised;
    if (isSilent) skipTime();
    const clients = ids.map((id) => [id, connect()] as const);
    const faults = ids.map((id) => ({
      ...(typeof effect === "function" ? effect(questions[id][1]) : effect),
      operation: id,
    }));
    /** Asks every operation. Each time that so many requests are without a response, their time is over. */
    const outcomes = async (silent: readonly number[]) => {
      mock.journal.clear();
      const asked = Promise.all(
        clients.map(async ([id, client]) => [id, await ask(client, id)] as const),
      );
      for (const requests of isSilent ? silent : []) {
        await expect.poll(() => mock.journal.entries.length).toBe(requests);
        vi.advanceTimersByTime(PATIENCE);
      }
      return Object.fromEntries(await asked);
    };
    const all = (outcome: "answer" | ErrorCode, ofC3 = outcome) =>
      Object.fromEntries(ids.map((id) => [id, unsafe(id) ? ofC3 : outcome]));

    const single = faults.map((fault) => mock.faults.add({ ...fault, times: 1 }));
    expect(await outcomes([ids.length])).toEqual(all(once, other));
    for (const fault of single) fault.remove();
    const lasting = faults.map((fault) => mock.faults.add(fault));
    // Two retries of all but C3.
    const retried = ids.length - 1;
    const silent = [ids.length, ids.length + retried, ids.length + 2 * retried];
    expect(await outcomes(silent)).toEqual(all(always, other));
    for (const fault of lasting) fault.remove();
    // The client is none the worse for it.
    expect(await outcomes([])).toEqual(all(after));
  });

  test("the table in docs/reliability.md is what was asserted", () => {
    const words = (promise: "answer" | ErrorCode) =>
      promise === "answer" ? "succeeds" : `\`${promise}\``;
    const rows = promises.map(
      ({ fault, once, always, unsafe: other }) =>
        `| ${[fault, ...[once, always, ...(other ? [other, other] : [once, always])].map(words)].join(" | ")} |`,
    );
    const table = [
      "| fault | on the first attempt | on every attempt | C3, on the first | C3, on every |",
      "| --- | --- | --- | --- | --- |",
      ...rows,
      "",
      `${promises.length} faults × ${ids.length} operations × (once, always, afterwards) = ${promises.length * ids.length * 3} calls over HTTP.`,
    ].join("\n");
    expect(tried).toBe(promises.length * ids.length * 3);

    const file = new URL("../../docs/reliability.md", import.meta.url);
    const page = readFileSync(file, "utf8");
    const between = /(<!-- fault matrix -->\n)[\s\S]*?(\n<!-- \/fault matrix -->)/;
    if (process.env.UPDATE_DOCS) writeFileSync(file, page.replace(between, `$1${table}$2`));
    else expect(page, "UPDATE_DOCS=1 writes it").toContain(table);
  });
});
