// One core behind every door: whatever is asked, however it is broken, the answer is the same through all of them.
import fc from "fast-check";
import { getResponse } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExplorer, type Explorer } from "../../mocks/doors/explorer.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/doors/server.ts";
import type { Fault } from "../../mocks/faults.ts";
import { loadDemo } from "../../mocks/ingest/demo.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { askable, knownIn, requestOf, type Sent } from "../support/requests.ts";

const chain = await loadDemo({ verified: true });
const known = knownIn(chain);
const valid = askable(known);
const baseUrl = "https://explorer.test/api";

/** What a caller hears: all of it that matters. */
type Heard =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string | null>>;
      readonly body: string;
    }
  | { readonly broken: "before the reply" | "in the body" };

async function heard(answer: () => Promise<Response | undefined>): Promise<Heard> {
  let response: Response | undefined;
  try {
    response = await answer();
  } catch {
    return { broken: "before the reply" };
  }
  if (response === undefined || response.type === "error") return { broken: "before the reply" };
  const header = (name: string) => [name, response.headers.get(name)] as const;
  try {
    return {
      status: response.status,
      headers: Object.fromEntries(["content-type", "allow", "retry-after", "x-fault"].map(header)),
      body: await response.text(),
    };
  } catch {
    return { broken: "in the body" };
  }
}

/** The time stands still, so that waits are the same everywhere. */
const options = { chain, baseUrl, apiKeys: ["k"], seed: 7, now: () => 1_700_000_000_000 };

interface Door {
  readonly name: string;
  readonly explorer: Explorer;
  readonly ask: (sent: Sent) => Promise<Heard>;
}

const doors: Door[] = [];
let served: ServedExplorer;
let server: SetupServer;

beforeAll(async () => {
  const [inPlace, handlers, intercepted, onPort] = [0, 1, 2, 3].map(() =>
    createExplorer({ ...options, chain: chain.fork() }),
  ) as [Explorer, Explorer, Explorer, Explorer];
  served = await serveExplorer(onPort);
  server = setupServer(...intercepted.handlers);
  server.listen({ onUnhandledFrame: "bypass" });
  const init = ({ method, headers, body }: Sent) => ({ method, headers, ...(body && { body }) });
  doors.push(
    {
      name: "mock.fetch",
      explorer: inPlace,
      ask: (sent) => heard(() => inPlace.fetch(`${baseUrl}${sent.target}`, init(sent))),
    },
    {
      name: "the handlers",
      explorer: handlers,
      ask: (sent) =>
        heard(() =>
          getResponse([...handlers.handlers], new Request(`${baseUrl}${sent.target}`, init(sent))),
        ),
    },
    {
      name: "MSW's interception",
      explorer: intercepted,
      ask: (sent) => heard(() => fetch(`${baseUrl}${sent.target}`, init(sent))),
    },
    {
      name: "a port",
      explorer: onPort,
      ask: (sent) => heard(() => fetch(`${served.url}${sent.target}`, init(sent))),
    },
  );
});
afterAll(async () => {
  server.close();
  await served.close({ graceMs: 0 });
});

// Requests

const odd = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("0", "-1", "1e3", "null", "9".repeat(30), "../..", "%2e%2e", "\u{1F600}", "0X1"),
);
const account = fc.constantFrom(...known.accounts);
const hash = fc.constantFrom(...known.transactions.map((transaction) => transaction.hash));
const block = fc.integer({ min: 0, max: known.head + 2 }).map(String);
const anyCase = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.boolean()).map(([of, up]) => (up ? `0x${of.slice(2).toUpperCase()}` : of));

/** Values that make sense, by the parameter's name. */
function sensible(name: string): fc.Arbitrary<unknown> {
  if (name === "addresses") return fc.array(anyCase(account), { minLength: 1, maxLength: 20 });
  if (name === "contract_hash" || name === "contract_address" || name === "token_address")
    return anyCase(fc.constantFrom(...known.tokens));
  if (name === "transaction_hash") return anyCase(hash);
  if (/block/i.test(name)) return block;
  if (name === "limit") return fc.integer({ min: 1, max: 20 }).map(String);
  if (name === "offset") return fc.integer({ min: 0, max: 30 }).map(String);
  if (name === "input" || name === "simple") return fc.constantFrom("true", "false");
  if (name === "condition") return fc.constantFrom("all", "to", "from", "contract", "form");
  if (name === "type") return fc.constantFrom("single", "conbine", "combine");
  if (name === "operand") return fc.constantFrom("and", "or");
  if (name === "libraries") return fc.constant([{ name: "Lib", address: known.accounts[0] }]);
  if (operations.C3.places.body.includes(name)) return fc.constant(valid.C3[name] ?? "paris");
  if (name.startsWith("topic_")) return hash;
  return anyCase(account);
}

const ids = Object.keys(operations) as OperationId[];

const requests: fc.Arbitrary<Sent> = fc.constantFrom(...ids).chain((id) => {
  const { places } = operations[id];
  const value = (name: string) =>
    fc.oneof({ weight: 12, arbitrary: sensible(name) }, { weight: 1, arbitrary: odd });
  const given = Object.fromEntries(
    [...places.path, ...places.query, ...places.body].map((name) => [name, value(name)]),
  );
  const optional = fc.record(given, { requiredKeys: [...places.path] });
  const slip = fc.constantFrom(
    "",
    "",
    "",
    "",
    "",
    "",
    "&limit=1&limit=2",
    "&nobody=1",
    "&%zz=%zz",
    "#f",
  );
  const headers = fc.constantFrom<Record<string, string>>(
    {},
    {},
    {},
    {},
    {},
    {},
    { "api-key": "x" },
    { "content-type": "text/plain" },
  );
  return fc.tuple(optional, slip, headers, fc.boolean()).map(([raw, extra, others, whole]) => {
    const sent = requestOf(id, whole ? { ...valid[id], ...raw } : raw);
    const target =
      extra === "" ? sent.target : `${sent.target}${sent.target.includes("?") ? "" : "?"}${extra}`;
    return { ...sent, target, headers: { ...sent.headers, ...others } };
  });
});

/** Paths and methods that no operation has. */
const strays: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
  target: fc.oneof(
    fc.webPath(),
    fc.constantFrom(...ids.map((id) => requestOf(id, valid[id]).target)),
    fc.webPath().map((path) => `/v1/accounts${path}`),
  ),
  headers: fc.constant({ "api-key": "k", "content-type": "application/json" }),
});

/** Asks through every door and compares with the first; tells what was heard. */
async function sameEverywhere(sent: Sent): Promise<Heard> {
  const [first, ...others] = doors as [Door, ...Door[]];
  const expected = await first.ask(sent);
  for (const { name, ask } of others) expect(await ask(sent), name).toEqual(expected);
  return expected;
}

const statusOf = (answer: Heard) => ("status" in answer ? answer.status : answer.broken);

test("a few thousand requests, right and wrong, are answered alike", async () => {
  const statuses = new Map<number | string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 6, arbitrary: requests }, { weight: 1, arbitrary: strays }),
      async (sent) => {
        const status = statusOf(await sameEverywhere(sent));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      },
    ),
    { numRuns: 2000, seed: 1717 },
  );
  // The requests are of all sorts, or the comparison says little.
  for (const status of [200, 400, 401, 404, 405, 415, 501])
    expect(
      statuses.get(status) ?? 0,
      `${status} in ${JSON.stringify([...statuses])}`,
    ).toBeGreaterThan(3);
}, 240_000);

describe("broken on demand", () => {
  const effects: fc.Arbitrary<Fault> = fc.oneof(
    fc.record({
      fault: fc.constant("status" as const),
      status: fc.constantFrom(400, 429, 500, 503, 599),
    }),
    fc.record({
      fault: fc.constant("status" as const),
      status: fc.constant(503),
      headers: fc.constant({ "x-fault": "yes" }),
    }),
    fc.record({ fault: fc.constant("failure" as const), message: fc.string({ minLength: 1 }) }),
    fc.record({
      fault: fc.constant("rate-limit" as const),
      retryAfter: fc.integer({ min: 1, max: 60 }),
    }),
    fc.record({
      fault: fc.constant("token-bucket" as const),
      requests: fc.integer({ min: 1, max: 5 }),
      perMs: fc.constant(1000),
    }),
    fc.constant({ fault: "malformed-json" as const }),
    fc.record({ fault: fc.constant("truncated" as const), keep: fc.constantFrom(0.001, 0.3, 0.9) }),
    fc.constant({ fault: "content-type" as const, type: "text/plain" }),
    fc.constant({ fault: "html" as const }),
    fc.constant({ fault: "html" as const, status: 502 }),
    fc.constant({ fault: "empty" as const }),
    fc.record({
      fault: fc.constant("drip" as const),
      bytes: fc.integer({ min: 200, max: 900 }),
      everyMs: fc.constant(0),
    }),
    fc.constant({ fault: "reset" as const }),
    fc.constant({ fault: "field" as const, path: "data.*.value", value: null }),
    fc.constant({ fault: "field" as const, path: "count" }),
    fc.record({ fault: fc.constant("stale" as const), blocks: fc.integer({ min: 1, max: 80 }) }),
    fc.record({
      fault: fc.constant("pending-traces" as const),
      blocks: fc.integer({ min: 1, max: 80 }),
    }),
  );
  const matches = fc.record(
    {
      operation: fc.subarray(ids, { minLength: 8 }),
      nth: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      probability: fc.double({ min: 0.2, max: 1, noNaN: true }),
      times: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: [] },
  );
  const faults: fc.Arbitrary<Fault> = fc
    .tuple(effects, matches)
    .map(([effect, match]) => ({ ...match, ...effect }));

  test("it breaks alike", async () => {
    const outcomes = new Map<number | string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(faults, { minLength: 1, maxLength: 3 }),
        fc.array(requests, { minLength: 3, maxLength: 3 }),
        async (arranged, asked) => {
          for (const { explorer } of doors) {
            explorer.reset();
            for (const fault of arranged) explorer.faults.add(fault);
          }
          for (const sent of asked) {
            const outcome = statusOf(await sameEverywhere(sent));
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          }
          const [first, ...others] = doors.map(({ explorer }) =>
            explorer.journal.entries.map(({ at: _, duration: __, ...entry }) => entry),
          );
          for (const entries of others) expect(entries).toEqual(first);
        },
      ),
      { numRuns: 250, seed: 1717 },
    );
    for (const outcome of [200, 429, 503, "before the reply", "in the body"])
      expect(
        outcomes.get(outcome),
        `${outcome} in ${JSON.stringify([...outcomes])}`,
      ).toBeGreaterThan(3);
  }, 240_000);
});
