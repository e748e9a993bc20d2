// What the admin API does beside mining and faults in whole: the journal by changes, single faults, reorganising and rewinding.
import { afterEach, describe, expect, test, vi } from "vitest";
import { generateChain } from "../../../mocks/builder/generator.ts";
import { continueChain } from "../../../mocks/builder/index.ts";
import { items } from "../../../mocks/chain/listing.ts";
import { createExplorer, type ExplorerOptions, serviceOf } from "../../../mocks/explorer.ts";
import type { JournalChanges } from "../../../mocks/journal/request-log.ts";
import { TOKEN_HEADER } from "../../../mocks/port/admin/operations.ts";
import { type ServedExplorer, serveExplorer } from "../../../mocks/port/server.ts";
import { packageFile } from "../../../scripts/package-file.ts";
import { ParameterError } from "../../../src/index.ts";
import { PATIENCE, skipTime } from "../../http/server.ts";
import { rawAdmin } from "../../support/raw-admin.ts";
import { buildSampleChain } from "../../support/sample-chain.ts";

const open: ServedExplorer[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close({ graceMs: 0 });
});

async function serve(options: ExplorerOptions = {}) {
  const explorer = createExplorer({ chain: buildSampleChain().builder, ...options });
  const served = await serveExplorer(explorer, { admin: true });
  open.push(served);
  const ask = async (target: string, apiKey = "k") => {
    const response = await fetch(`${served.url}${target}`, { headers: { "api-key": apiKey } });
    await response.text();
    return response.status;
  };
  return { explorer, ask, admin: rawAdmin(served), url: served.url };
}

const account = `0x${"a1".repeat(20)}` as const;

describe("expectations on the journal", () => {
  test("counts requests, of an operation and with parameters", async () => {
    const { ask, admin } = await serve();
    await ask("/v1/blocks/1");
    await ask("/v1/blocks/2");
    await ask(`/v1/accounts/${account}/transactions?condition=to`);
    const count = (body: object) => admin.call("POST requests/count", body);
    expect(await count({})).toEqual({ count: 3 });
    expect(await count({ operation: "blocks.get" })).toEqual({ count: 2 });
    expect(await count({ operation: "B1", parameters: { block_number: 2 } })).toEqual({ count: 1 });
    expect(await count({ operation: "A2", parameters: { condition: "from" } })).toEqual({
      count: 0,
    });
  });

  test("an expectation that fails is a 409 with the text that JavaScript has", async () => {
    const { ask, admin, explorer, url } = await serve();
    await ask(`/v1/accounts/${account}/transactions?condition=to`);
    const expectation = { operation: "A2", parameters: { condition: "from" } };
    const met = { ...expectation, parameters: { condition: "to" }, times: 1 };
    expect(await admin.call("POST expect", met)).toMatchObject({ entries: [{ operation: "A2" }] });
    await expect(admin.call("POST expect", { ...met, times: 0 })).rejects.toThrow("no request");
    const response = await fetch(`${url}/admin/expect`, {
      method: "POST",
      headers: { "content-type": "application/json", [TOKEN_HEADER]: admin.token },
      body: JSON.stringify(expectation),
    });
    const { message } = (await response.json()) as { message: string };
    expect(response.status).toBe(409);
    expect(() => explorer.journal.expect("A2", { condition: "from" })).toThrow(message);
    expect(message).toContain('differs in condition: expected "from", received "to"');
  });
});

describe("the journal by changes", () => {
  test("tells each request when it arrives and when it is answered, and near misses as recorded", async () => {
    const { ask, admin } = await serve();
    const changes = async (query: string) =>
      (await admin.call(`GET journal?${query}`)) as JournalChanges;
    const start = await changes("limit=5");
    expect(start).toEqual({ generation: 1, revision: 0, first: null, entries: [] });

    await ask("/v1/blocks/2?limt=1");
    await ask("/v1/blocsk/1");
    const next = await changes(`after=${start.revision}`);
    expect(next.entries.map(({ number, status }) => [number, status])).toEqual([
      [1, 200],
      [2, 404],
    ]);
    expect(next.entries[1]?.message).toContain("did you mean");
    expect(await changes(`after=${next.revision}`)).toEqual({ ...next, entries: [] });
  });

  test("tells a pending request again once it is answered", async () => {
    const { ask, admin, explorer } = await serve();
    skipTime();
    explorer.faults.add({ fault: "latency", ms: PATIENCE, operation: "B1" });
    const answered = ask("/v1/blocks/1");
    const changes = async (after: number) =>
      (await admin.call(`GET journal?after=${after}`)) as JournalChanges;
    let arrived = await changes(0);
    while (arrived.entries.length === 0) arrived = await changes(0);
    expect(arrived.entries).toMatchObject([{ number: 1, status: 0 }]);
    vi.advanceTimersByTime(PATIENCE);
    expect(await answered).toBe(200);
    const done = await changes(arrived.revision);
    expect(done.entries).toMatchObject([{ number: 1, status: 200, faults: ["latency"] }]);
  });

  test("comes in bounded parts unless it is wanted whole, and says when it was cleared", async () => {
    const { ask, admin, explorer } = await serve();
    for (let block = 0; block < 12; block++) await ask(`/v1/blocks/${block}`);
    const read: number[] = [];
    let after = 0;
    for (;;) {
      const part = (await admin.call(`GET journal?after=${after}&limit=5`)) as JournalChanges;
      if (part.entries.length === 0) break;
      expect(part.entries.length).toBeLessThanOrEqual(5);
      read.push(...part.entries.map(({ number }) => number));
      after = part.revision;
    }
    expect(read).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    const newest = (await admin.call("GET journal?limit=2")) as JournalChanges;
    expect(newest.entries.map(({ number }) => number)).toEqual([11, 12]);
    expect(newest.revision).toBe(after);
    const arrival = { method: "GET", target: "/", operation: undefined, at: 0 };
    for (let count = 12; count < 1200; count++) serviceOf(explorer).requests.open(arrival);
    for (const [query, count] of [
      ["", 1200],
      ["?after=0", 1000],
    ] as const)
      expect(await admin.call(`GET journal${query}`)).toHaveProperty("entries.length", count);

    await admin.call("DELETE journal");
    await ask("/v1/blocks/1");
    const cleared = (await admin.call(`GET journal?after=${after}`)) as JournalChanges;
    expect(cleared.generation).toBe(newest.generation + 1);
    expect(cleared).toMatchObject({ first: 1, entries: [{ number: 1 }] });
  });

  test("is that of the tenant, and refuses what it does not know", async () => {
    const { ask, admin } = await serve({ tenant: "api-key" });
    await ask("/v1/blocks/1", "one");
    const of = async (apiKey: string) =>
      ((await admin.call("GET journal?after=0", undefined, { apiKey })) as JournalChanges).entries
        .length;
    expect([await of("one"), await of("two")]).toEqual([1, 0]);
    for (const query of ["after=x", "limit=0", "limit=10001", "before=1", "after=1&after=2"])
      await expect(admin.call(`GET journal?${query}`)).rejects.toThrow(/expected/);
  });
});

describe("single faults", () => {
  test("are removed by their id, which stays theirs", async () => {
    const { admin, explorer } = await serve();
    await admin.call("POST faults", [{ fault: "reset" }, { fault: "never" }, { fault: "empty" }]);
    await admin.call("DELETE faults/2");
    expect(await admin.call("GET faults")).toMatchObject({
      faults: [
        { id: 1, fault: { fault: "reset" } },
        { id: 3, fault: { fault: "empty" } },
      ],
    });
    await expect(admin.call("DELETE faults/2")).rejects.toThrow("no fault 2");
    explorer.restore(explorer.snapshot());
    await admin.call("POST faults", { fault: "html" });
    expect(explorer.faults.list.map(({ id }) => id)).toEqual([1, 3, 4]);
  });

  test("are added by the name of a preset, for what it names", async () => {
    const { admin, ask } = await serve();
    const added = await admin.call("POST faults", { preset: "503 twice", operation: "B1" });
    const fault = { fault: "status", status: 503, times: 2, operation: "B1" };
    expect(added).toEqual({
      faults: [{ id: 1, fault, preset: "503 twice", matched: 0, applied: 0 }],
    });
    const statuses: number[] = [];
    for (const block of [1, 1, 1]) statuses.push(await ask(`/v1/blocks/${block}`));
    expect(statuses).toEqual([503, 503, 200]);
    await expect(admin.call("POST faults", { preset: "offlin" })).rejects.toThrow(
      "did you mean offline?",
    );
  });
});

test("mines blocks for a miner", async () => {
  const { admin, explorer } = await serve();
  const { chain } = explorer;
  const { number } = chain.head;
  const miner = `0x${"c".repeat(40)}` as const;
  const mined = await admin.call("POST mine", { blocks: 3, miner: `0x${"C".repeat(40)}` });
  expect(mined).toEqual({ head: `${number + 3}` });
  expect(items(chain.blocksMinedBy(miner)).map((block) => block.number)).toEqual(
    [1, 2, 3].map((more) => number + more),
  );
});

describe("recipes", () => {
  const transactions = [{ send: "coins", from: "payer", to: "payee", value: "3" }];
  const accounts = [{ name: "payer", balance: "1000000000000000000" }, { name: "payee" }];

  test("continue the chain, or start another, and a reset undoes both", async () => {
    const { explorer, admin } = await serve();
    const { head, chainId } = explorer.chain;
    const recipe = { accounts, blocks: [{ transactions }, { wait: 60 }] };
    const built = Object(await admin.call("POST recipe", recipe));
    expect(built).toMatchObject({ head: `${head.number + 2}`, transaction_hashes: [/^0x/] });
    expect(explorer.chain.balance(built.accounts.payee)).toBe(3n);
    const chain = { chainId: 5, freeGas: true, blockTime: 3 };
    expect(await admin.call("POST recipe", { ...recipe, chain })).toMatchObject({ head: "2" });
    expect(explorer.chain.chainId).toBe(5);
    // The rules of the new chain hold for later blocks, too.
    expect(explorer.builder.mine().timestamp - (explorer.chain.block(2)?.timestamp ?? 0)).toBe(3);
    await admin.call("POST reset");
    expect([explorer.chain.head, explorer.chain.chainId]).toEqual([head, chainId]);
    expect(explorer.chain.balance(built.accounts.payee)).toBe(0n);
  });

  test("change nothing if one of their steps is refused", async () => {
    const { explorer, admin } = await serve();
    const { head, revision } = explorer.chain;
    for (const [recipe, message] of [
      [
        {
          accounts,
          blocks: [{ transactions }, { transactions: [{ ...transactions[0], from: "payee" }] }],
        },
        "blocks.1.transactions.0: payee",
      ],
      [{ account: accounts }, "account"],
      [
        { blocks: [{ transactions: [{ ...transactions[0], value: 3 }] }] },
        "value: expected an amount",
      ],
    ] as const)
      await expect(admin.call("POST recipe", recipe)).rejects.toThrow(message);
    expect([explorer.chain.head, explorer.chain.revision]).toEqual([head, revision]);
  });
});

describe("setting the chain back", () => {
  test("replaces the last blocks, and drops what is asked", async () => {
    const { admin, explorer } = await serve();
    const { chain } = explorer;
    const { number, hash } = chain.head;
    const transactions = chain.transactionCount;
    expect(await admin.call("POST reorganise", { blocks: 2 })).toEqual({
      head: `${number}`,
      dropped: [],
    });
    expect(chain.head.hash).not.toBe(hash);
    expect(chain.transactionCount).toBe(transactions);
    const { dropped } = (await admin.call("POST reorganise", { drop: "all" })) as {
      dropped: string[];
    };
    expect(dropped.length).toBeGreaterThan(0);
    expect(chain.transactionCount).toBe(transactions - dropped.length);
    const kept = chain.transactionCount;
    const { hash: last = "0x" } = chain.allTransactions({}).at(kept - 1);
    const drop = [`0x${last.slice(2).toUpperCase()}`];
    expect(await admin.call("POST reorganise", { blocks: 3, drop })).toMatchObject({
      dropped: [last],
    });
    expect(chain.transactionCount).toBe(kept - 1);
  });

  test("removes the last blocks, but never the first", async () => {
    const { admin, explorer } = await serve();
    const { number } = explorer.chain.head;
    expect(await admin.call("POST rewind", { blocks: 3 })).toEqual({ head: `${number - 3}` });
    await admin.call("POST rewind", { blocks: number - 3 });
    expect(explorer.chain.head.number).toBe(0);
    await expect(admin.call("POST rewind")).rejects.toThrow("blocks: expected at most 0");
  });

  test("lets others have their turn, gives way to them, and ends with who asked", async () => {
    const statuses: number[] = [];
    const { admin, explorer, url } = await serve({
      chain: generateChain({ transactions: 8_000, blocks: 300 }),
      onRequest: ({ status }) => statuses.push(status),
    });
    const { chain } = explorer;
    const { hash, number } = chain.head;
    // As where each slice takes long: whoever reads the clock finds that others have waited too long.
    let now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
    /** Runs something in each turn of the event loop, once the work has begun on its fork. */
    const inTurns = (run: () => void) => {
      const fork = chain.fork.bind(chain);
      vi.spyOn(chain, "fork").mockImplementationOnce(() => {
        const turn = () => {
          run();
          if (turns < 10_000) setImmediate(turn);
        };
        setImmediate(turn);
        return fork();
      });
    };
    let turns = 0;
    const heads: string[] = [];
    inTurns(() => {
      turns++;
      heads.push(chain.head.hash);
    });
    await admin.call("POST reorganise", { blocks: 280 });
    expect(chain.head.hash).not.toBe(hash);
    // Some 7,400 transactions are removed, and added again, in slices of 500.
    expect(heads.filter((one) => one === hash).length).toBeGreaterThan(20);

    turns = 10_000;
    inTurns(() => continueChain(chain).mine());
    await expect(admin.call("POST rewind", { blocks: 280 })).rejects.toThrow(
      "the chain was changed meanwhile; nothing was set back",
    );
    const gone = new AbortController();
    inTurns(() => gone.abort());
    const headers = { "content-type": "application/json", [TOKEN_HEADER]: admin.token };
    const init = { method: "POST", headers, body: '{"blocks":280}', signal: gone.signal };
    await expect(fetch(`${url}/admin/rewind`, init)).rejects.toThrow();
    await expect.poll(() => statuses.length).toBe(3);
    expect(statuses).toEqual([200, 409, 503]);
    expect(chain.head.number).toBe(number + 1);
  });

  test("refuses what no chain allows, and changes nothing", async () => {
    const { admin, explorer } = await serve();
    const { hash } = explorer.chain.head;
    for (const body of [
      { blocks: 0 },
      { blocks: 1001 },
      { blocks: 500 },
      { drop: "some" },
      { drop: ["0x12"] },
      { drop: [`0x${"1".repeat(64)}`], blocks: -1 },
      { depth: 1 },
    ])
      await expect(admin.call("POST reorganise", body)).rejects.toThrow();
    for (const body of [{ blocks: 0 }, { blocks: 4711 }, { blocks: "x" }])
      await expect(admin.call("POST rewind", body)).rejects.toThrow();
    expect(explorer.chain.head.hash).toBe(hash);
  });
});

test("the OpenAPI documents are served: the service's to everybody, this API's to those who have the token", async () => {
  const { url, admin } = await serve();
  const target = `${url}/admin/openapi.json`;
  expect((await fetch(target)).status).toBe(401);
  const document = await (await fetch(target, { headers: { [TOKEN_HEADER]: admin.token } })).json();
  expect(document).toEqual(JSON.parse(packageFile("admin.openapi.json").read()));
  const ofService = await fetch(`${url}/openapi.json`);
  expect(ofService.headers.get("access-control-allow-origin")).toBe("*");
  expect(await ofService.json()).toEqual(JSON.parse(packageFile("openapi.json").read()));
});

test("every operation is called by its name, and its results are decoded", async () => {
  const explorer = createExplorer({ chain: buildSampleChain().builder, tenant: "api-key" });
  const served = await serveExplorer(explorer, { admin: true });
  open.push(served);
  const { admin } = served;
  const { number } = explorer.chain.head;
  expect(await admin.request("mine", { blocks: 2 })).toEqual({ head: number + 2 });
  expect(await admin.request("mine", {}, { apiKey: "one" })).toMatchObject({ head: number + 3 });
  const recipe = {
    accounts: [{ name: "payer", balance: `${10n ** 18n}` }],
    blocks: [{ timestamp: new Date("2040-01-01") }],
  };
  await admin.request("recipe", { recipe }, { apiKey: "two" });
  expect(explorer.tenant("two").chain.head.timestamp).toBe(2_208_988_800);
  const { snapshot } = await admin.request("snapshot", {});
  const { faults } = await admin.request("addFaults", { faults: [{ fault: "reset" }] });
  expect(faults).toMatchObject([{ id: 1, fault: { fault: "reset" }, matched: 0, applied: 0 }]);
  await admin.request("addFaults", { preset: "503 twice" });
  await admin.request("addFaults", [{ fault: "empty" }]);
  expect(explorer.faults.size).toBe(3);
  await admin.request("clearFaults", {});
  await admin.request("rewind", { blocks: 2 });
  await admin.request("restore", { snapshot });
  expect(explorer.chain.head.number).toBe(number + 2);
  expect(await admin.request("journal", { after: 0 })).toMatchObject({ entries: [] });
  await expect(admin.request("mine", { blocks: 0 })).rejects.toBeInstanceOf(ParameterError);
});
