// What `compare` finds: nothing at correct explorers of any size, and exactly the difference at those that depart in one thing.
import { expect, test } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type Explorer,
  generateChain,
  loadDemo,
} from "../../../mocks/node.ts";
import { Asker } from "../../../src/cli/compare/ask.ts";
import { compare } from "../../../src/cli/compare/compare.ts";
import type { DialectName } from "../../../src/contract/dialects.ts";
import { resolveSettings } from "../../../src/settings.ts";

const chain = await loadDemo({ verified: true });

async function comparisonOf(
  { baseUrl, fetch }: Pick<Explorer, "baseUrl" | "fetch">,
  dialect?: DialectName,
  say: (message: string) => void = () => {},
  addresses: readonly string[] = [],
) {
  const settings = resolveSettings({ baseUrl, apiKey: "s3cret-key", fetch, dialect });
  const rate = { requests: 1_000_000, perMs: 1 };
  const { signal } = new AbortController();
  const asker = new Asker(settings, { rate, maxPause: 5000, signal, say });
  return await compare(asker, { addresses, tokens: [], contracts: [] });
}

function chainOfTransfers() {
  const builder = buildChain();
  const [alice, bob] = ["alice", "bob"].map((name) =>
    builder.account({ name, balance: coins(10) }),
  );
  for (let block = 1; block <= 5; block++) {
    if (alice && bob) builder.transfer(alice, bob, coins(1));
    builder.mine();
  }
  return builder;
}

test.each([
  ["the demo chain", () => createExplorer({ chain })],
  ["an empty chain", () => createExplorer({})],
  [
    "a chain of 5 blocks with coin transfers only",
    () => createExplorer({ chain: chainOfTransfers() }),
  ],
  [
    "a long chain with tokens of both kinds",
    () => createExplorer({ chain: generateChain({ transactions: 3000, blocks: 150 }) }),
  ],
] as const)("a correct explorer is not blamed: %s", async (_, create) => {
  expect((await comparisonOf(create())).differences).toEqual([]);
});

test("the other dialect is not blamed either, and is named where it is not expected", async () => {
  const mock = createExplorer({ chain, dialect: "wemix" });
  expect((await comparisonOf(mock, "wemix")).differences).toEqual([]);
  await expect(comparisonOf(mock)).rejects.toThrow("pass --dialect wemix");
});

test("an operation without a record to ask about is said to have none", async () => {
  const builder = chainOfTransfers();
  const address = builder.account({ name: "alice" });
  const mock = createExplorer({ chain: builder });
  const { operations, differences } = await comparisonOf(mock, undefined, undefined, [address]);
  const empty = operations.filter(({ hasRecords }) => !hasRecords).map((tally) => tally.operation);
  expect(empty).toContain("T1");
  expect(empty).not.toContain("A2");
  expect(differences).toEqual([]);
});

type Json = Record<string, unknown>;

interface Exchange {
  readonly path: string;
  readonly query: URLSearchParams;
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  json: any;
}

/** What an explorer changes in requests and answers, and the fields in which that shows. */
interface Deviation {
  readonly ask?: (query: URLSearchParams, path: string) => void;
  readonly answer?: (exchange: Exchange) => void;
  readonly shows: readonly string[];
}

/** The mock explorer, with one deviation. */
function departing(
  mock: Explorer,
  { ask, answer }: Deviation,
): Pick<Explorer, "baseUrl" | "fetch"> {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(new Request(input, init).url);
    const path = url.pathname;
    const query = new URLSearchParams(url.searchParams);
    ask?.(url.searchParams, path);
    const response = await mock.fetch(url.href, init);
    const type = response.headers.get("content-type") ?? "";
    const exchange = { path, query, status: response.status, type, json: await response.json() };
    answer?.(exchange);
    const headers = { "content-type": exchange.type };
    return new Response(JSON.stringify(exchange.json), { status: exchange.status, headers });
  };
  return { baseUrl: mock.baseUrl, fetch };
}

/** Changes the records of each page, and perhaps its count. */
const pages =
  (change: (data: Json[], page: Json, exchange: Exchange) => Json[]) => (exchange: Exchange) => {
    const { results } = exchange.json;
    if (Array.isArray(results?.data)) results.data = change(results.data, results, exchange);
  };

const records = (change: (record: Json) => void) =>
  pages((data) => {
    for (const record of data) change(record);
    return data;
  });

const moveBlock = (name: string, by: number) => (query: URLSearchParams) => {
  const block = query.get(name);
  if (block !== null) query.set(name, `${Number(block) + by}`);
};

const deviations: Readonly<Record<string, Deviation>> = {
  "oldest first": {
    answer: pages((data, _, { path }) => (/transactions$/.test(path) ? data.reverse() : data)),
    shows: ["limit=1", "limit=2, offset=1", "no limit", "order"],
  },
  "the count of the page": {
    answer: pages((data, page) => {
      if ("count" in page) page.count = `${data.length}`;
      return data;
    }),
    shows: ["count"],
  },
  "pages of at most 100": {
    ask: (query) => {
      if (Number(query.get("limit")) > 100) query.set("limit", "100");
    },
    shows: ["longest page"],
  },
  "a default limit of 10": {
    ask: (query, path) => {
      if (/transactions$/.test(path) && !query.has("limit")) query.set("limit", "10");
    },
    shows: ["no limit"],
  },
  "no offset": {
    ask: (query, path) => void (/transactions$/.test(path) && query.delete("offset")),
    shows: ["limit=2, offset=1", "longest page", "offset beyond the end"],
  },
  "an exclusive endBlock": { ask: moveBlock("endBlock", -1), shows: ["endBlock"] },
  "an exclusive startBlock": { ask: moveBlock("startBlock", 1), shows: ["startBlock"] },
  "no block ranges": {
    ask: (query) => {
      for (const name of ["startBlock", "endBlock"]) query.delete(name);
    },
    shows: ["endBlock", "startBlock"],
  },
  "an empty string for null": {
    answer: records((record) => {
      if (record.contract_address === null) record.contract_address = "";
    }),
    shows: ["data[].contract_address"],
  },
  "a missing field": {
    answer: records((record) => {
      delete record.block_hash;
    }),
    shows: ["data[].block_hash"],
  },
  "a field too many": {
    answer: records((record) => {
      if ("tx_status" in record) record.nonce = "7";
    }),
    shows: ["data[].nonce"],
  },
  "404 with a list for an empty list": {
    answer: (exchange) => {
      if (exchange.json.results?.data?.length !== 0 || exchange.path.includes("abi")) return;
      exchange.status = 404;
      exchange.json = { status: "404", message: "nothing found", results: [] };
    },
    shows: ["HTTP status", "envelope of errors"],
  },
  "JSON as text/plain": {
    answer: (exchange) => {
      exchange.type = "text/plain";
    },
    shows: ["content type"],
  },
};

test.each(Object.entries(deviations))("names the difference: %s", async (_, deviation) => {
  const { differences } = await comparisonOf(departing(createExplorer({ chain }), deviation));
  const fields = [...new Set(differences.map(({ field }) => field))];
  expect(fields.sort()).toEqual([...deviation.shows].sort());
});

test("an operation that fails is named with its status", async () => {
  const mock = createExplorer({ chain });
  mock.faults.add({ operation: "A9", fault: "status", status: 500 });
  const { differences } = await comparisonOf(mock);
  expect(differences).toMatchObject([
    { operation: "A9", field: "HTTP status", expected: "200", received: "500" },
  ]);
});

test("waits as long as a rate limit asks, and ends where that is too long", async () => {
  const mock = createExplorer({ chain });
  const messages: string[] = [];
  mock.faults.add({ fault: "rate-limit", retryAfter: 1, nth: 9 });
  mock.faults.add({ fault: "rate-limit", retryAfter: 3600, nth: 15 });
  const ended = comparisonOf(mock, undefined, (message) => messages.push(message));
  await expect(ended).rejects.toThrow("the explorer asks for a pause of 1 h 0 min (HTTP 429)");
  expect(messages).toEqual(["waiting 1 s after HTTP 429"]);
});
