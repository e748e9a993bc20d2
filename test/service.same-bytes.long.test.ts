// One service behind every transport: each sends the same bytes for a request, faults included.
import fc from "fast-check";
import { getResponse } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer, type Explorer } from "../mocks/explorer.ts";
import { loadDemo } from "../mocks/ingest/load-chain.ts";
import { createHandlers } from "../mocks/msw/handlers.ts";
import { type ServedExplorer, serveExplorer } from "../mocks/port/server.ts";
import { faults, type Heard, heard, requestsAbout, statusOf } from "./support/generated.ts";
import type { Sent } from "./support/requests.ts";
import { runs } from "./support/runs.ts";

const chain = await loadDemo({ verified: true });
const baseUrl = "https://explorer.test/api";

/** A fixed clock, so that waits are the same everywhere. */
const options = { chain, baseUrl, apiKeys: ["k"], seed: 7, now: () => 1_700_000_000_000 };

interface TransportUnderTest {
  readonly name: string;
  readonly explorer: Explorer;
  readonly ask: (sent: Sent) => Promise<Heard>;
}

const transports: TransportUnderTest[] = [];
let served: ServedExplorer;
let server: SetupServer;

beforeAll(async () => {
  const [inPlace, handlers, intercepted, onPort] = [0, 1, 2, 3].map(() =>
    createExplorer({ ...options, chain: chain.fork() }),
  ) as [Explorer, Explorer, Explorer, Explorer];
  served = await serveExplorer(onPort);
  const ofMsw = createHandlers(handlers);
  server = setupServer(...createHandlers(intercepted));
  server.listen({ onUnhandledFrame: "bypass" });
  const init = ({ method, headers, body }: Sent) => ({ method, headers, ...(body && { body }) });
  transports.push(
    {
      name: "mock.fetch",
      explorer: inPlace,
      ask: (sent) => heard(() => inPlace.fetch(`${baseUrl}${sent.target}`, init(sent))),
    },
    {
      name: "the handlers",
      explorer: handlers,
      ask: (sent) =>
        heard(() => getResponse(ofMsw, new Request(`${baseUrl}${sent.target}`, init(sent)))),
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

const { requests, strays } = requestsAbout(chain);

/** Sends a request over every transport and compares the responses with the first, which it returns. */
async function sameEverywhere(sent: Sent): Promise<Heard> {
  const [first, ...others] = transports as [TransportUnderTest, ...TransportUnderTest[]];
  const expected = await first.ask(sent);
  for (const { name, ask } of others) expect(await ask(sent), name).toEqual(expected);
  return expected;
}

test("hundreds of requests, valid and invalid, get the same responses", async () => {
  const statuses = new Map<number | string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 6, arbitrary: requests }, { weight: 1, arbitrary: strays }),
      async (sent) => {
        const status = statusOf(await sameEverywhere(sent));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      },
    ),
    { numRuns: runs(500) },
  );
  // The requests are of all sorts, or the comparison says little.
  for (const status of [200, 400, 401, 404, 405, 415, 501])
    expect(
      statuses.get(status) ?? 0,
      `${status} in ${JSON.stringify([...statuses])}`,
    ).toBeGreaterThan(0);
  expect(statuses.get(500), "failures of the explorer itself").toBeUndefined();
});

test("what is broken on demand breaks alike", async () => {
  const outcomes = new Map<number | string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(faults, { minLength: 1, maxLength: 3 }),
      fc.array(requests, { minLength: 3, maxLength: 3 }),
      async (active, requests) => {
        for (const { explorer } of transports) {
          explorer.reset();
          for (const fault of active) explorer.faults.add(fault);
        }
        for (const sent of requests) {
          const outcome = statusOf(await sameEverywhere(sent));
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
        const [first, ...others] = transports.map(({ explorer }) =>
          explorer.journal.entries.map(({ at: _, duration: __, target, ...entry }) => ({
            ...entry,
            // Node 22 sends no empty query.
            target: target.replace(/\?$/, ""),
          })),
        );
        for (const entries of others) expect(entries).toEqual(first);
      },
    ),
    { numRuns: Math.max(120, runs(250)) },
  );
  for (const outcome of [200, 429, 503, "before the reply", "in the body"])
    expect(outcomes.get(outcome), `${outcome} in ${JSON.stringify([...outcomes])}`).toBeGreaterThan(
      0,
    );
  expect(outcomes.get(500), "failures of the explorer itself").toBeUndefined();
});
