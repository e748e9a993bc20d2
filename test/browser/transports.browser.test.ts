// The worker's door and `mock.fetch` answer alike, in a real browser, faults included.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createExplorer, setupExplorerWorker } from "../../mocks/browser.ts";
import { faults, type Heard, heard, requestsAbout, statusOf } from "../support/generated.ts";
import type { Sent } from "../support/requests.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const { chain } = buildSampleChain();
const { requests, strays } = requestsAbout(chain);
const baseUrl = "https://explorer.example/api";
/** The time stands still, so that waits are the same everywhere. */
const options = { baseUrl, apiKeys: ["k"], seed: 7, now: () => 1_700_000_000_000 };
const worked = createExplorer({ ...options, chain: chain.fork() });
const inPlace = createExplorer({ ...options, chain: chain.fork() });
const { start, stop } = setupExplorerWorker(worked);

const warnings: unknown[] = [];

beforeAll(async () => {
  // The page of an app with a worker of its own, in a folder below MSW's.
  const other = { scriptURL: "https://page.example/app/worker.js" } as ServiceWorker;
  const controlled = vi.spyOn(navigator.serviceWorker, "controller", "get");
  controlled.mockReturnValue(other);
  const warn = vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(text));
  await start();
  controlled.mockRestore();
  warn.mockRestore();
});
afterAll(() => stop());

test("a page whose requests another service worker has is named, with what to do", () => {
  expect(warnings).toEqual([
    expect.stringMatching(/belongs to another service worker, .*\/app\/worker\.js, so MSW's/),
  ]);
});

/** Asks through both doors, and compares. */
async function same({ target, ...init }: Sent): Promise<Heard> {
  const [byWorker, byFetch] = await Promise.all([
    heard(() => fetch(`${baseUrl}${target}`, init)),
    heard(() => inPlace.fetch(`${baseUrl}${target}`, init)),
  ]);
  expect({ target, ...byWorker }).toEqual({ target, ...byFetch });
  return byWorker;
}

test("requests, right and wrong, are answered alike", async () => {
  const statuses = new Map<number | string, number>();
  const asked = fc.sample(
    fc.oneof({ weight: 6, arbitrary: requests }, { weight: 1, arbitrary: strays }),
    { numRuns: 400, seed: 1717 },
  );
  const atOnce = 15;
  for (let at = 0; at < asked.length; at += atOnce) {
    for (const answer of await Promise.all(asked.slice(at, at + atOnce).map(same))) {
      const status = statusOf(answer);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  // The requests are of all sorts, or the comparison says little.
  for (const status of [200, 400, 401, 404, 405, 415, 501])
    expect(statuses.get(status) ?? 0, `${status} in ${[...statuses]}`).toBeGreaterThan(0);
});

test("what is broken on demand breaks alike", async () => {
  const outcomes = new Map<number | string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(faults, { minLength: 1, maxLength: 3 }),
      fc.array(requests, { minLength: 3, maxLength: 3 }),
      async (arranged, asked) => {
        for (const explorer of [worked, inPlace]) {
          explorer.reset();
          for (const fault of arranged) explorer.faults.add(fault);
        }
        for (const sent of asked) {
          const outcome = statusOf(await same(sent));
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      },
    ),
    { numRuns: 90, seed: 1717 },
  );
  for (const outcome of [200, 429, 503, "before the reply", "in the body"])
    expect(outcomes.get(outcome) ?? 0, `${outcome} in ${[...outcomes]}`).toBeGreaterThan(0);
});
