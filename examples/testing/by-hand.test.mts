// The twelve states of scenarios.test.mts with handlers by hand: `node --test by-hand.test.mts`.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ExplorerClient, isExplorerError } from "mrc-explorer";
import { type DefaultBodyType, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

const url = "https://explorer.example";
const alice = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const bob = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const hashOf = (number: number): `0x${string}` => `0x${`${number}`.padStart(64, "0")}`;
const server = setupServer();
before(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
after(() => server.close());

const client = (retry = 0) => new ExplorerClient({ baseUrl: url, apiKey: "any", retry });
const answer = (results: DefaultBodyType, status = 200, message = "success") =>
  HttpResponse.json({ status: `${status}`, message, results }, { status });
const transaction = (number: number, value: number) => ({
  timestamp: "2026-01-01T00:00:00Z",
  sender: alice,
  receiver: bob,
  value: `${value}`,
  confirmations: "0",
  transaction_hash: hashOf(number),
  block_hash: hashOf(1),
  transaction_index: `${number}`,
  tx_status: "1",
  block_number: "1",
  gas_price: "1",
  cumulative_gas_used: "21000",
  gas_used: "21000",
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
});
const list = (count: number) => Array.from({ length: count }, (_, at) => transaction(at, at + 1));

test("1. a balance", async () => {
  server.use(
    http.post<never, { addresses: string[] }>(`${url}/v1/accounts/balance`, async ({ request }) => {
      const { addresses } = await request.json();
      const balance = "1000000000000000000";
      return answer({ data: addresses.map((address) => ({ address, balance })) });
    }),
  );
  assert.equal(await client().accounts.balance(bob), 10n ** 18n);
});

test("2. 120 records in 3 pages", async () => {
  let requests = 0;
  const records = list(120);
  server.use(
    http.get(`${url}/v1/accounts/:address/transactions`, ({ request }) => {
      requests++;
      const { searchParams } = new URL(request.url);
      const [offset, limit] = [
        Number(searchParams.get("offset") ?? 0),
        Number(searchParams.get("limit") ?? 50),
      ];
      return answer({ count: "120", data: records.slice(offset, offset + limit) });
    }),
  );
  const values: bigint[] = [];
  const transactions = client().accounts.transactions(bob, { condition: "to", limit: 50 });
  for await (const { value } of transactions) values.push(value);
  assert.equal(values.length, 120);
  assert.equal(requests, 3);
});

test("3. odd tokens: unknown decimals and no symbol, 0 decimals, 36 decimals", async () => {
  const shared = { balance: "1", token_name: "Odd", holder_address: alice, holder_type: "0" };
  const results = [
    ["", null],
    ["ODD", "0"],
    ["ODD", "36"],
  ].map(([token_symbol, token_decimals], index) => ({
    ...shared,
    token_address: `0x${`${index}`.padStart(40, "0")}`,
    token_symbol,
    token_decimals,
  }));
  server.use(
    http.get(`${url}/v1/accounts/:address/tokens`, () =>
      HttpResponse.json({
        mrc_20: { count: "3", results },
        mrc_721: { count: "0", results: [] },
      }),
    ),
  );
  const { mrc_20 } = await client().accounts.tokens(alice);
  assert.deepEqual(
    mrc_20.results.map(({ token_symbol, token_decimals }) => [token_symbol, token_decimals]).sort(),
    [
      ["", null],
      ["ODD", 0],
      ["ODD", 36],
    ],
  );
});

test("4. a failed transaction", async () => {
  server.use(
    http.get(`${url}/v1/transactions/:hash/transaction-status`, () =>
      answer({ data: { status: "0", description: "paused" } }),
    ),
  );
  assert.equal(await client().transactions.status(hashOf(1)), "0");
});

test("5. a rate limit, and a client that waits as it says", async () => {
  let requests = 0;
  server.use(
    http.post(`${url}/v1/accounts/balance`, () => {
      requests++;
      if (requests > 1) return answer({ data: [{ address: alice, balance: "10" }] });
      const body = { status: "429", message: "too many requests", results: null };
      return HttpResponse.json(body, { status: 429, headers: { "retry-after": "1" } });
    }),
  );
  assert.equal(await client(1).accounts.balance(alice), 10n);
  assert.equal(requests, 2);
});

test("6. a body that is cut short", async () => {
  server.use(
    http.post(`${url}/v1/accounts/balance`, () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"status":"2')),
        pull: (controller) => controller.error(new TypeError("terminated")),
      });
      return new HttpResponse(body, { headers: { "content-type": "application/json" } });
    }),
  );
  await assert.rejects(client().accounts.balance(alice), (error) =>
    isExplorerError(error, "CONNECTION"),
  );
});

test("7. a reorganisation", async () => {
  let isDropped = false;
  server.use(
    http.get(`${url}/v1/transactions/:hash/transaction-status`, () =>
      isDropped ? answer(null, 404, "no transaction") : answer({ data: { status: "1" } }),
    ),
  );
  assert.equal(await client().transactions.status(hashOf(1)), "1");
  isDropped = true;
  await assert.rejects(client().transactions.status(hashOf(1)), (error) =>
    isExplorerError(error, "NOT_FOUND"),
  );
});

test("8. logs by topic", async () => {
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const approval = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
  const logs = [transfer, transfer, approval].map((topic_0, index) => ({
    timestamp: "2026-01-01T00:00:00Z",
    address: token,
    data: "0x",
    method: topic_0.slice(0, 10),
    transaction_hash: hashOf(1),
    ...{ log_name: null, log_abi: null, address_type: null, address_extra: null },
    transaction_index: "0",
    log_index: `${index}`,
    topics_count: "1",
    ...{ topic_0, topic_1: null, topic_2: null, topic_3: null },
  }));
  server.use(
    http.get(`${url}/v1/event-logs`, ({ request }) => {
      const topic = new URL(request.url).searchParams.get("topic_0");
      const data = logs.filter(({ topic_0 }) => topic === null || topic === topic_0);
      return answer({ count: `${data.length}`, data });
    }),
  );
  const found = await client().eventLogs.list({ address: token, topic_0: transfer });
  assert.equal(found.data.length, 2);
});

test("9. a token at the address that the dApp knows", async () => {
  server.use(
    http.get(`${url}/v1/tokens/:token/balance/:holder`, ({ params }) =>
      String(params.token).toLowerCase() === token
        ? answer({ data: { balance: "9" } })
        : answer(null, 404, "no token"),
    ),
  );
  assert.equal(await client().tokens.balance(token, alice), 9n);
});

test("10. a response by hand: an offset that is ignored, and a wrong count", async () => {
  server.use(
    http.get(`${url}/v1/accounts/:address/transactions`, () =>
      answer({ count: "7", data: list(3) }),
    ),
  );
  const page = await client().accounts.transactions(bob, { condition: "to" });
  assert.deepEqual([page.count, page.data.length], [7, 3]);
});

test("11. an outage of one page for one API key", async () => {
  let requests = 0;
  server.use(
    http.get(`${url}/v1/accounts/:address/transactions`, ({ request }) => {
      requests++;
      const isFirstPage = ["0", null].includes(new URL(request.url).searchParams.get("offset"));
      const isHit = isFirstPage && request.headers.get("api-key") === "any" && requests <= 2;
      return isHit ? answer(null, 503, "out of order") : answer({ count: "0", data: [] });
    }),
  );
  await client(2).accounts.transactions(alice);
  assert.equal(requests, 3);
});

test("12. a typing mistake that a real explorer ignores", async () => {
  const known = ["limit", "offset", "startBlock", "endBlock", "input", "simple", "condition"];
  const unknown: string[] = [];
  server.use(
    http.get(`${url}/v1/accounts/:address/transactions`, ({ request }) => {
      const names = [...new URL(request.url).searchParams.keys()];
      unknown.push(...names.filter((name) => !known.includes(name)));
      return answer({ count: "0", data: [] });
    }),
  );
  const headers = { "api-key": "any" };
  await fetch(`${url}/v1/accounts/${alice}/transactions?startblock=3`, { headers });
  assert.deepEqual(unknown, ["startblock"]);
});
