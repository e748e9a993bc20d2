// Pages that are sent again: always those of the chain as it is, whatever changed and whoever asks, in memory and over a port.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/create-explorer.ts";
import { continueChain } from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/ingest/load-chain.ts";
import { bodyText, jsonHeaders } from "../../mocks/message/message.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import { RecentPages } from "../../mocks/service/recent-pages.ts";
import { runs } from "../support/runs.ts";

const chain = await loadDemo();
/** The token with most transactions. */
const token = chain
  .tokens()
  .map(({ address }) => ({ address, count: chain.transactions(address, "all", {}).count }))
  .reduce((most, one) => (one.count > most.count ? one : most));
const sender = chain.transactions(token.address, "to", {}).at(0).from;

const mock = createExplorer({ chain, tenant: "api-key" });
let served: ServedExplorer;
beforeAll(async () => {
  served = await serveExplorer(mock);
});
afterAll(() => served.close());

const keys = ["a", "b"] as const;
const change = fc.constantFrom("mine", "replace", "verify", "reset", "fault");
const step = fc.record({
  key: fc.constantFrom(...keys),
  limit: fc.constantFrom(3, 100),
  before: fc.option(change, { freq: 3 }),
});

function make(what: string, key: string): void {
  const own = mock.tenant(key);
  const builder = continueChain(own.chain);
  if (what === "verify") builder.verify(token.address, { abi: [{ type: "event", name: key }] });
  else if (what === "replace") builder.reorg(1);
  else if (what === "reset") mock.reset();
  else if (what === "fault")
    own.faults.add({ fault: "field", path: "data.0.value", value: "7", times: 1 });
  else {
    builder.transfer(sender, token.address, 1n);
    builder.mine();
  }
}

test("a page is that of the caller's chain as it is, however often it was sent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      mock.reset();
      for (const { key, limit, before } of steps) {
        if (before !== null) make(before, key);
        for (const target of [
          `/v1/accounts/${sender}/transactions?limit=${limit}`,
          `/v1/event-logs?address=${token.address}&limit=${limit}`,
        ]) {
          const headers = { "api-key": key };
          // It has sent nothing yet, and has the same faults.
          const fresh = mock.tenant(key).fork();
          const request = { method: "GET", target, headers };
          for (let time = 0; time < 3; time++) {
            const expected = bodyText((await fresh.dispatch(request)).body);
            fresh.chain.applyHeadState({});
            const received = await fetch(`${served.url}${target}`, { headers });
            expect(await received.text()).toBe(expected);
            expect(received.headers.get("content-length")).toBe(`${Buffer.byteLength(expected)}`);
          }
        }
      }
    }),
    { numRuns: runs(20) },
  );
});

test("is sent again as it is, until the chain changes", async () => {
  const one = createExplorer({ chain: chain.fork() });
  const request = {
    method: "GET",
    target: `/v1/accounts/${sender}/transactions`,
    headers: { "api-key": "k" },
  };
  const bodies: unknown[] = [];
  const ask = async () => bodies.push((await one.dispatch(request)).body);
  await ask();
  await ask();
  expect(bodies[1]).toBe(bodies[0]);
  one.chain.applyHeadState({});
  await ask();
  expect(bodies[2]).toEqual(bodies[0]);
  expect(bodies[2]).not.toBe(bodies[0]);
});

test("the sixteen kept last are there, each for its own chain, and none above 256 kB with its target", () => {
  const pages = new RecentPages();
  const page = (body: string | string[]) => ({ status: 200, headers: jsonHeaders, body });
  for (let at = 0; at < 17; at++) pages.keep(`/${at}`, chain, page([`${at}`]));
  expect(pages.find("/0", chain)).toBeUndefined();
  for (let at = 1; at < 17; at++)
    expect(pages.find(`/${at}`, chain)).toEqual({ ...page([`${at}`]), isRepeated: true });
  for (const at of ["/1", "/new"]) pages.keep(at, chain, page(["x"]));
  expect([pages.find("/1", chain), pages.find("/2", chain)]).toMatchObject([{}, undefined]);
  pages.keep("/most", chain, page(["x".repeat(2 ** 18 - 5)]));
  pages.keep("/long", chain, page(["x".repeat(2 ** 18 - 4)]));
  pages.keep("/text", chain, page("x"));
  const found = ["/most", "/long", "/text"].map((at) => pages.find(at, chain) !== undefined);
  expect(found).toEqual([true, false, false]);
  expect(pages.find("/16", chain.fork())).toBeUndefined();
});
