// Faults: which requests they match, effects that take time or state, and invalid faults.
import { describe, expect, test } from "vitest";
import { buildChain, coins } from "../mocks/builder/index.ts";
import { createExplorer, type Explorer } from "../mocks/explorer.ts";
import type { Fault } from "../mocks/faults/fault.ts";
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

describe("a fault applies to", () => {
  const { builder, alice } = smallChain();
  const made = (...faults: Fault[]) => createExplorer({ chain: builder.chain.fork(), faults });

  test("the operations that are named by the client's method, alone or in a list", async () => {
    const targets = [head, `/v1/accounts/${alice}/mined-blocks`, `/v1/accounts/${alice}/tokens`];
    const one = made({ fault: "status", status: 503, operation: "accounts.minedBlocks" });
    expect(await statuses(one, targets)).toEqual([200, 503, 200]);
    const both = made({ fault: "status", status: 503, operation: ["accounts.tokens", "B1"] });
    expect(await statuses(both, targets)).toEqual([503, 200, 503]);
  });

  test("requests whose parameters are as it says, sent or by default, in any form", async () => {
    const list = `/v1/accounts/${alice}/transactions`;
    const paged = made({
      ...{ fault: "status", status: 503 },
      where: { offset: 50, address_hash: alice.toUpperCase().replace("0X", "0x") },
    });
    const targets = [list, `${list}?offset=50`, `${list}?offset=50&limit=5`, `${list}?offset=500`];
    expect(await statuses(paged, targets)).toEqual([200, 503, 503, 200]);
    const byDefault = made({ fault: "status", status: 503, where: { limit: "50", simple: false } });
    expect(await statuses(byDefault, [list, `${list}?simple=true`])).toEqual([503, 200]);
    const blocks = made({ fault: "status", status: 503, where: { block_number: 1n } });
    expect(await statuses(blocks, [head, "/v1/blocks/0"])).toEqual([503, 200]);
  });

  test("requests of one API key, which no list or message shows", async () => {
    const key = "secret-key-of-ci";
    const mock = made({ fault: "status", status: 503, key });
    expect((await ask(mock, head, "other")).status).toBe(200);
    expect(JSON.stringify(mock.faults.list)).not.toContain(key);
    expect(() => mock.faults.expectMatched()).toThrow(/^(?!.*secret-key).*\[api-key\]/s);
    expect((await ask(mock, head, key)).status).toBe(503);
    mock.reset();
    expect((await ask(mock, head, key)).status).toBe(503);
  });

  test("requests after the first ones, and from a moment on", async () => {
    const late = made({ fault: "status", status: 503, afterCalls: 2, times: 2 });
    expect(await statuses(late, Array(5).fill(head))).toEqual([200, 200, 503, 503, 200]);
    const clock = { now: 1_000 };
    const mock = createExplorer({ chain: builder.chain.fork(), now: () => clock.now });
    mock.faults.add({ fault: "status", status: 503, from: "1970-01-01T00:00:02Z", until: 3000 });
    const seen = [];
    for (clock.now of [1999, 2000, 2999, 3000]) seen.push((await ask(mock, head)).status);
    expect(seen).toEqual([200, 503, 503, 200]);
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

describe("a response by hand", () => {
  const { builder, alice } = smallChain();
  const list = `/v1/accounts/${alice}/transactions`;
  const body = (results: unknown) => JSON.stringify({ status: "200", message: "success", results });
  const answer = async (fault: Fault, target = list) => {
    const mock = createExplorer({ chain: builder.chain.fork(), faults: [fault] });
    const served = await serveExplorer(mock);
    const received = await ask(mock, target);
    const port = await fetch(`${served.url}${target}`, { headers: { "api-key": "k" } });
    expect([port.status, await port.text()]).toEqual([received.status, received.body]);
    await served.close();
    return received;
  };

  test("is a body, results alone, or made of the correct results, with status and headers", async () => {
    const empty = { count: "0", data: [] };
    const operation = "A2";
    expect(await answer({ fault: "response", operation, body: empty })).toMatchObject({
      ...{ status: 200, body: body(empty) },
    });
    const whole = { status: "429", message: "slow down", results: null };
    const refused = await answer({
      ...{ fault: "response", status: 429, headers: { "retry-after": "3" }, body: whole },
    });
    expect([refused.status, refused.body]).toEqual([429, JSON.stringify(whole)]);
    expect(refused.headers.get("retry-after")).toBe("3");
    const counted = await answer({
      ...{ fault: "response", operation, where: { offset: 0 } },
      body: (results: object) => ({ ...results, count: "7" }),
    });
    expect(JSON.parse(counted.body).results).toMatchObject({
      count: "7",
      data: [{ value: "1000000000000000000" }],
    });
  });

  test("is checked against the contract, unless the fault says otherwise", async () => {
    const wrong = { count: "7", data: "none" };
    expect(() =>
      createExplorer({ faults: [{ fault: "response", operation: "A2", body: wrong }] }),
    ).toThrow(/body of the fault response: .*violates the contract.*set checked: false/);
    const made = await answer({ fault: "response", operation: "A2", body: () => wrong });
    expect([made.status, made.body]).toEqual([500, expect.stringContaining("checked: false")]);
    const sent = await answer({ fault: "response", body: wrong, checked: false });
    expect([sent.status, sent.body]).toEqual([200, body(wrong)]);
    const page = await answer({ fault: "response", status: 502, body: "<html>", checked: false });
    expect([page.status, page.body]).toEqual([502, "<html>"]);
  });
});

test("a parameter that no matched operation has is refused with a suggestion", () => {
  const { faults } = createExplorer();
  const fault = { fault: "status", status: 503, where: { ofset: 1 } } as const;
  expect(() => faults.add(fault)).toThrow('has a parameter ofset; did you mean "offset"?');
  expect(() => faults.add({ ...fault, operation: "B1", where: { offset: 1 } })).toThrow(
    "no operation that it matches has a parameter offset",
  );
});
