// What a mock answers with a profile, and how the profile meets faults, tenants, ports and clients.
import { describe, expect, test } from "vitest";
import {
  buildChain,
  createExplorer,
  type Explorer,
  type ExplorerOptions,
  type ExplorerProfile,
} from "../../../mocks/index.ts";
import { ExplorerClient, type ExplorerClientOptions } from "../../../src/index.ts";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: 10n ** 20n });
const bob = builder.account({ name: "bob", balance: 0n });
for (let index = 0; index < 9; index++) {
  builder.transfer(alice, bob, 1n);
  builder.mine();
}

type Part = Omit<ExplorerProfile, "profile" | "version" | "differences">;
const profileWith = (part: Part): ExplorerProfile => {
  return { profile: "mrc-explorer", version: 1, differences: [], ...part };
};
const mockWith = (part: Part, options: ExplorerOptions = {}) =>
  createExplorer({ chain: builder, profile: profileWith(part), ...options });

const ask = async ({ baseUrl, fetch }: Explorer, path: string, headers = { "api-key": "k" }) => {
  const response = await fetch(`${baseUrl}/v1/${path}`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: /^\{"\w+":/.test(text) ? JSON.parse(text) : undefined,
  };
};
const list = `accounts/${alice}/transactions`;
const blocksOf = async (mock: Explorer, query: string) => {
  const { json } = await ask(mock, `${list}?${query}`);
  return json.results.data.map((one: { block_number: string }) => Number(one.block_number));
};

describe("lists", () => {
  test("in the other order, page by page", async () => {
    const mock = mockWith({ lists: { A2: { order: "oldest first" } } });
    expect(await blocksOf(mock, "limit=3")).toEqual([1, 2, 3]);
    expect(await blocksOf(mock, "limit=3&offset=7")).toEqual([8, 9]);
  });

  test("in no order, with every record once", async () => {
    const mock = mockWith({ lists: { A2: { order: "unsorted" } } });
    const all = [
      ...(await blocksOf(mock, "limit=5")),
      ...(await blocksOf(mock, "limit=5&offset=5")),
    ];
    expect(all.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(all.slice(0, 4)).toEqual([9, 7, 8, 5]);
  });

  test("with other limits and offsets", async () => {
    const mock = mockWith({ lists: { A2: { defaultLimit: 2, largestPage: 4, offset: "pages" } } });
    expect(await blocksOf(mock, "")).toEqual([9, 8]);
    expect(await blocksOf(mock, "limit=1000")).toEqual([9, 8, 7, 6]);
    expect(await blocksOf(mock, "limit=3&offset=2")).toEqual([3, 2, 1]);
    const fixed = mockWith({
      lists: { A2: { limit: "ignored", defaultLimit: 2, offset: "ignored" } },
    });
    expect(await blocksOf(fixed, "limit=3&offset=2")).toEqual([9, 8]);
  });

  test("without the ends of ranges, empty where nothing is left", async () => {
    const mock = mockWith({ lists: { A2: { startBlock: "exclusive", endBlock: "exclusive" } } });
    expect(await blocksOf(mock, "startBlock=3&endBlock=6")).toEqual([5, 4]);
    expect(await blocksOf(mock, "startBlock=3&endBlock=3")).toEqual([]);
    expect(await blocksOf(mock, "endBlock=0")).toEqual([]);
    expect((await ask(mock, `${list}?startBlock=6&endBlock=3`)).status).toBe(400);
  });

  test("with the count of the page", async () => {
    const { json } = await ask(mockWith({ lists: { A2: { count: "page" } } }), `${list}?limit=3`);
    expect(json.results.count).toBe("3");
  });
});

test("fields in their forms: a record that has none of them stays as it is", async () => {
  const mock = mockWith({
    fields: {
      A2: {
        "data.*.value": ["a number"],
        "data.*.timestamp": ["milliseconds and an offset"],
        "data.*.max_fee_per_gas": ["a number", "missing for null"],
        "data.*.nonce": [{ value: "7" }],
      },
    },
  });
  const [record] = (await ask(mock, `${list}?limit=1`)).json.results.data;
  expect(record).toMatchObject({ value: 1, nonce: "7", block_number: "9" });
  expect(record.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/);
});

describe("errors", () => {
  const errors = { ok: false, error: { code: "{code}", text: "{message}" } };

  test("have the explorer's envelope: those of operations, of paths and of faults", async () => {
    const mock = mockWith({ errors });
    const messages = [];
    for (const path of [`${list}?limit=0`, "nothing", "blocks/999"]) {
      const { status, json } = await ask(mock, path);
      expect(json).toEqual({ ok: false, error: { code: status, text: expect.any(String) } });
      messages.push(json.error.text);
    }
    expect(messages).toEqual([
      expect.stringMatching(/^limit: expected/),
      expect.stringMatching(/^no operation at GET/),
      expect.stringMatching(/999/),
    ]);
  });

  test("a fault on top has it, too, and may break it", async () => {
    const mock = mockWith({ errors });
    mock.faults.add({ fault: "status", status: 503, message: "later", times: 1 });
    expect((await ask(mock, "blocks/1")).json).toEqual({
      ok: false,
      error: { code: 503, text: "later" },
    });
    mock.faults.add({ fault: "malformed-json" });
    expect((await ask(mock, "blocks/999")).text).toMatch(/^\{"ok"false/);
  });

  test("have the explorer's statuses, by what was asked; what it accepts is no error", async () => {
    const mock = mockWith({
      answers: {
        "*": {
          unknown: { status: 200, own: "404" },
          "without a key": { accepted: true },
          "limit above": { accepted: true },
          "limit twice": { accepted: true },
          "trailing slash": { accepted: true },
          "unknown path": { type: "text/html", text: "<h1>404</h1>" },
          "another method": { status: 404 },
        },
        A2: { "limit malformed": { status: 422 }, "empty list": { status: 404 } },
      },
    });
    const { status, json } = await ask(mock, "blocks/999");
    expect([status, json.status, json.results]).toEqual([200, "404", null]);
    // A fault's status is its own.
    mock.faults.add({ fault: "status", status: 404, times: 1 });
    expect((await ask(mock, "blocks/1")).status).toBe(404);
    expect((await ask(mock, "blocks/1", {} as never)).status).toBe(200);
    expect(await blocksOf(mock, "limit=5000")).toHaveLength(9);
    expect(await blocksOf(mock, "limit=2&limit=3")).toHaveLength(2);
    expect((await ask(mock, `${list}?limit=x`)).status).toBe(422);
    expect((await ask(mock, `${list}?limit=0`)).status).toBe(400);
    expect((await ask(mock, "blocks/1/?x=/")).status).toBe(200);
    expect((await ask(mock, "nothing")).text).toBe("<h1>404</h1>");
    expect((await ask(mock, `accounts/0x${"9".repeat(40)}/transactions`)).json).toEqual({
      status: "404",
      message: "nothing found",
      results: null,
    });
    expect(await blocksOf(mock, "offset=99")).toEqual([]);
    const put = await mock.fetch(`${mock.baseUrl}/v1/blocks/1`, { method: "PUT" });
    expect([put.status, await put.json()]).toMatchObject([404, { status: "404" }]);
    // What it answered is what the journal has.
    expect(mock.journal.entries.map((entry) => entry.status).slice(0, 2)).toEqual([200, 404]);
  });
});

test("delays and the rate limit are faults: reset restores them, clear removes them", async () => {
  const mock = mockWith({
    delays: { median: 1, percentile95: 2 },
    rateLimit: { requests: 2, perMs: 60_000 },
  });
  const statuses = async () =>
    [await ask(mock, "blocks/1"), await ask(mock, "blocks/1"), await ask(mock, "blocks/1")].map(
      ({ status }) => status,
    );
  expect(await statuses()).toEqual([200, 200, 429]);
  // Of a log-normal distribution with this median and 95 %.
  const [latency] = mock.faults.list.map(({ fault }) => fault);
  expect(latency).toMatchObject({ ms: { median: 1, p99: expect.closeTo(2.66, 1) } });
  mock.reset();
  expect(await statuses()).toEqual([200, 200, 429]);
  expect(mock.journal.entries[2]?.faults).toEqual(["latency", "token-bucket"]);
  mock.faults.clear();
  expect(await statuses()).toEqual([200, 200, 200]);
});

test("forks and tenants answer so, too", async () => {
  const mock = mockWith({ lists: { A2: { order: "oldest first" } } }, { tenant: "api-key" });
  expect(await blocksOf(mock, "limit=1")).toEqual([1]);
  expect(await blocksOf(mock.fork(), "limit=1")).toEqual([1]);
});

test("a profile that is none is refused with its field", () => {
  const profile = { ...profileWith({}), delays: { median: 0, percentile95: 5 } };
  expect(() => createExplorer({ profile })).toThrow(
    new TypeError("profile: delays.median: expected an integer of 1 or more, received 0"),
  );
});

describe("a client", () => {
  const part: Part = {
    lists: { A2: { order: "oldest first", largestPage: 3, sorted: "unsorted" } },
  };

  test("that knows what count is reads a short list with one request, not two", async () => {
    const lists = { A2: { order: "oldest first", count: "list" } } as const;
    const read = async (options: ExplorerClientOptions) => {
      const mock = mockWith({ lists });
      const { baseUrl, fetch } = mock;
      const explorer = new ExplorerClient({ baseUrl, fetch, apiKey: "k", ...options });
      const all = await explorer.accounts.transactions(alice, { limit: 50 }).collect();
      expect(all.map((one) => Number(one.block_number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      return { requests: mock.journal.count("A2"), explorer };
    };
    const { requests, explorer } = await read({});
    expect(requests).toBe(2);
    for (const profile of [profileWith({ lists }), { lists: explorer.profile() }])
      expect((await read({ profile })).requests).toBe(1);
  });

  test("takes what is its own, and refuses what is no profile", () => {
    const create = (profile: object) =>
      new ExplorerClient({ baseUrl: "https://explorer.test", apiKey: "k", profile });
    expect(create(profileWith(part)).profile()).toEqual({
      A2: { order: "oldest first", largestPage: 3 },
    });
    expect(() => create({ lists: { A2: { order: "new" } } })).toThrow(
      'profile.lists.A2.order: expected one of newest first, oldest first, unsorted, received "new"',
    );
  });
});
