// Faults: which requests they match, effects that take time or state, and invalid faults.
import { describe, expect, test } from "vitest";
import { buildChain, coins } from "../mocks/builder/index.ts";
import { createExplorer, type Explorer } from "../mocks/explorer.ts";
import { type Fault, FaultError } from "../mocks/faults/index.ts";
import { createHandlers } from "../mocks/msw/handlers.ts";
import { serveExplorer } from "../mocks/port/server.ts";

const smallChain = () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  builder.transfer(alice, bob, coins(1));
  builder.mine();
  return { builder, alice, bob };
};

/** Sends a request to `mock.fetch` and reads status, headers and body. */
async function ask(mock: Explorer, target: string, key = "k") {
  const response = await mock.fetch(`${mock.baseUrl}${target}`, { headers: { "api-key": key } });
  const body = await response.text();
  return { status: response.status, headers: response.headers, body };
}

const statuses = async (mock: Explorer, targets: readonly string[]): Promise<number[]> => {
  const received: number[] = [];
  for (const target of targets) received.push((await ask(mock, target)).status);
  return received;
};

const head = "/v1/blocks/1";

describe("a fault strikes", () => {
  const { builder, alice } = smallChain();
  const made = (...faults: Fault[]) => createExplorer({ chain: builder.chain.fork(), faults });

  test("the operations that are named by the client's method, alone or in a list", async () => {
    const targets = [head, `/v1/accounts/${alice}/mined-blocks`, `/v1/accounts/${alice}/tokens`];
    const one = made({ fault: "status", status: 503, operation: "accounts.minedBlocks" });
    expect(await statuses(one, targets)).toEqual([200, 503, 200]);
    const both = made({ fault: "status", status: 503, operation: ["accounts.tokens", "B1"] });
    expect(await statuses(both, targets)).toEqual([503, 200, 503]);
  });

  test("by chance the same after a reset, and in a fork, whatever was added before", async () => {
    const mock = made();
    const run = (on: Explorer) => {
      on.faults.add({ fault: "status", status: 503, probability: 0.5 });
      return statuses(on, new Array(20).fill(head));
    };
    const first = await run(mock);
    mock.reset();
    const fork = mock.fork();
    expect(await run(mock)).toEqual(first);
    expect(await run(fork)).toEqual(first);
    const other = createExplorer({ chain: builder.chain.fork(), seed: 2 });
    expect(await run(other)).not.toEqual(first);
  });
});

describe("what a transport cannot express", () => {
  const beyond: Fault = { fault: "status", status: 700 };

  test("is refused when the transport is in use", async () => {
    const mock = createExplorer({ chain: smallChain().builder.chain });
    expect(mock.fetch).toBeTypeOf("function");
    expect(() => mock.faults.add(beyond)).toThrow(
      "expected 200 to 599, the range of a Response (fetch), received 700",
    );
  });

  test("refuses the transport when the fault was added first, and works where it can", async () => {
    const mock = createExplorer({ chain: smallChain().builder.chain, faults: [beyond] });
    expect(() => createHandlers(mock)).toThrow("the range of a Response (msw)");
    expect(() => mock.fetch).toThrow(FaultError);
    const served = await serveExplorer(mock);
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) =>
      request(`${served.url}${head}`, { headers: { "api-key": "k" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end(),
    );
    expect(status).toBe(700);
    await served.close();
  });
});

test("a dripping body fails when its request is aborted", async () => {
  const mock = createExplorer({ faults: [{ fault: "drip", bytes: 1, everyMs: 3_600_000 }] });
  const controller = new AbortController();
  const response = await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, {
    headers: { "api-key": "k" },
    signal: controller.signal,
  });
  const body = response.text();
  controller.abort(new Error("enough"));
  await expect(body).rejects.toThrow("enough");
});
