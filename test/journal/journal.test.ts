// The journal: requests are recorded and found, and a failed expectation explains what was received instead.
import { expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { RequestLog } from "../../mocks/journal/request-log.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
story.mine();

function made() {
  const mock = createExplorer({ chain: story.chain.fork(), now: () => 1_700_000_000_000 });
  const ask = (target: string) =>
    mock.fetch(`${mock.baseUrl}${target}`, { headers: { "api-key": "k" } });
  return { ask, journal: mock.journal, mock };
}

test("it keeps the calls in order with operation, checked input, status and duration", async () => {
  const { ask, journal } = made();
  await ask("/v1/blocks/1");
  await ask(`/v1/accounts/${alice}/transactions?limit=7&startBlock=1`);
  await ask(`/v1/blocks/999?${"x".repeat(3000)}`);
  expect(journal.entries[2]?.target).toHaveLength(2000);
  expect(journal.entries).toEqual([
    expect.objectContaining({
      number: 1,
      operation: "B1",
      input: { block_number: "1" },
      status: 200,
    }),
    expect.objectContaining({
      number: 2,
      operation: "A2",
      input: {
        address_hash: alice,
        limit: 7,
        offset: 0,
        startBlock: "1",
        input: false,
        simple: false,
        condition: "all",
      },
    }),
    expect.objectContaining({
      number: 3,
      operation: "B1",
      status: 404,
      message: expect.stringContaining("no block 999"),
    }),
  ]);
  expect(journal.entries[0]).toMatchObject({ at: 1_700_000_000_000, duration: expect.any(Number) });
});

test("it finds and counts by operation and parameters, in any case and number type", async () => {
  const { ask, journal } = made();
  await ask(`/v1/accounts/${alice.toUpperCase().replace("0X", "0x")}/transactions?startBlock=1`);
  await ask(`/v1/accounts/${alice}/transactions?condition=from`);
  expect(journal.count()).toBe(2);
  expect(journal.count("accounts.transactions")).toBe(2);
  expect(journal.count("A3")).toBe(0);
  expect(journal.find("A2", { address_hash: alice })).toHaveLength(2);
  expect(journal.find("A2", { startBlock: 1 })).toHaveLength(1);
  expect(journal.find("A2", { startBlock: 1n })).toHaveLength(1);
  expect(journal.find("A2", { condition: "from" })[0]?.number).toBe(2);
  expect(journal.expect("A2", { condition: "from" }, { times: 1 })).toHaveLength(1);
  expect(journal.expect("C3", {}, { times: 0 })).toEqual([]);
});

test("a failed expectation lists the requests received instead, and where they differ", async () => {
  const { ask, journal } = made();
  expect(() => journal.expect("A2")).toThrow(
    "expected a request of accounts.transactions (A2), received none.\nNo request was received.",
  );
  await ask(`/v1/accounts/${alice}/transactions?condition=to`);
  await ask(`/v1/accounts/${alice}/transactions?condition=form`);
  expect(() => journal.expect("A2", { condition: "from" })).toThrowErrorMatchingInlineSnapshot(`
    [JournalError: expected a request of accounts.transactions (A2) with condition "from", received none.
      #1 200 accounts.transactions (A2) GET /v1/accounts/0xae62083e08bbe9d0c4214e8538f8c52d6304c161/transactions?condition=to
        differs in condition: expected "from", received "to"
      #2 400 accounts.transactions (A2) GET /v1/accounts/0xae62083e08bbe9d0c4214e8538f8c52d6304c161/transactions?condition=form: condition: expected one of all, to, from, contract, received "form"; did you mean "from"?
        differs in condition: expected "from", but the request was refused]
  `);
  expect(() => journal.expect("A2", {}, { times: 3 })).toThrow(
    "expected 3 requests of accounts.transactions (A2), received 2",
  );
  for (let limit = 1; limit <= 10; limit++)
    await ask(`/v1/accounts/${alice}/transactions?condition=from&limit=${limit}`);
  // The nearest of an operation, and the newest of others.
  expect(() => journal.expect("A2", { condition: "from", limit: 11 })).toThrow(
    /none\.\n {2}#3 .*#7 .*\n {2}… and 7 more$/s,
  );
  expect(() => journal.expect("A3")).toThrow(/Requests received:\n {2}#3 200 .*\n {2}#12 .*$/s);
});

test("near misses suggest the nearest known names", async () => {
  const { ask, journal } = made();
  await ask("/v1/blocks/1");
  await ask("/v1/block/1");
  // Near to none.
  await ask("/v1/accounts/transactions");
  await ask("/v1/accounts/balance");
  await ask(`/v1/accounts/${alice}/transactions?condition=form`);
  await ask(`/v1/accounts/${alice}/transactions?startblock=3`);
  expect(journal.nearMisses().map(({ message, notes }) => [message, ...notes].join(" "))).toEqual([
    expect.stringContaining("did you mean B1, GET /v1/blocks/{block_number}?"),
    "no operation at GET /v1/accounts/transactions",
    "expected POST, received GET",
    expect.stringContaining('did you mean "from"?'),
    expect.stringContaining("ignored the parameter startblock; did you mean startBlock?"),
  ]);
});

test("a test can expect no near misses: no unknown parameter, path or method", async () => {
  const { ask, journal } = made();
  await ask("/v1/blocks/1");
  await ask("/v1/blocks/999");
  await ask("/v1/blocks/x");
  journal.expectNoNearMisses();
  await ask("/v1/blocks/1?page=1&sort=asc&limt=5");
  await ask("/v1/block/1");
  expect(journal.entries[3]?.notes).toEqual([
    ...["ignored the parameter page", "ignored the parameter sort", "ignored the parameter limt"],
  ]);
  expect(() => journal.expectNoNearMisses()).toThrow(
    /^expected no near misses, received 2 requests:\n {2}#4 200 .*page; ignored the parameter sort.*\n {2}#5 404 no operation/s,
  );
});

test("entries are JSON, and a snapshot of them has no times", async () => {
  const { ask, journal } = made();
  await ask(`/v1/accounts/${alice}/transactions?startBlock=1&limit=7`);
  const [entry] = journal.entries;
  expect(JSON.parse(JSON.stringify(entry))).toEqual({ ...entry, message: undefined });
  expect(JSON.parse(JSON.stringify(journal))).toEqual([
    expect.objectContaining({ number: 1, input: expect.objectContaining({ startBlock: "1" }) }),
  ]);
  expect(Object.keys(journal.toJSON()[0] ?? {})).not.toEqual(expect.arrayContaining(["at"]));
});

test("a typing mistake in an expectation is an error, not a request never received", () => {
  const { journal } = made();
  const typo: object = { conditon: "from" };
  expect(() => journal.expect("A2", typo, { times: 0 })).toThrow(
    "accounts.transactions (A2) has no parameter conditon; it has address_hash, ",
  );
  const operation: string = "accounts.transaction";
  expect(() => journal.count(operation as "A2")).toThrow(
    /^no operation accounts\.transaction; the operations are .*; did you mean "accounts\.transactions"\?$/,
  );
});

test("a typing mistake in a body is a near miss, too", async () => {
  const { journal, mock } = made();
  await mock.fetch(`${mock.baseUrl}/v1/accounts/balance`, {
    method: "POST",
    headers: { "api-key": "k", "content-type": "application/json" },
    body: JSON.stringify({ adresses: [alice] }),
  });
  expect(journal.nearMisses().map(({ status, notes }) => [status, notes])).toEqual([
    [400, ["ignored the parameter adresses; did you mean addresses?"]],
  ]);
});

test("requests are in order of arrival, pending ones too; a reset forgets them all", async () => {
  const { ask, journal, mock } = made();
  const late = new AbortController();
  mock.faults.add({ fault: "never", nth: 1 });
  const pending = mock.fetch(`${mock.baseUrl}/v1/blocks/0`, {
    headers: { "api-key": "k" },
    signal: late.signal,
  });
  await ask("/v1/blocks/1");
  expect(journal.entries.map(({ target, status }) => [target, status])).toEqual([
    ["/v1/blocks/0", 0],
    ["/v1/blocks/1", 200],
  ]);
  late.abort();
  await expect(pending).rejects.toThrow();

  mock.faults.add({ fault: "latency", ms: 5 });
  const underWay = ask("/v1/blocks/1");
  await expect.poll(() => journal.count()).toBe(3);
  mock.reset();
  await underWay;
  expect(journal.entries).toEqual([]);
});

test("changes are in the order they were made, whatever the order of arrival", () => {
  const journal = new RequestLog();
  const arrival = { method: "GET", target: "/", operation: undefined, at: 0 };
  const [first, second, third] = [1, 2, 3].map(() => journal.open(arrival));
  const { revision } = journal.changes({ limit: 10 });
  const outcome = { status: 200, message: undefined, duration: 1 };
  for (const entry of [third, first, second]) if (entry) journal.close(entry, outcome);
  const numbers = (after: number, limit: number) => {
    const page = journal.changes({ after, limit });
    return { ...page, entries: page.entries.map(({ number }) => number) };
  };
  expect(numbers(revision, 10).entries).toEqual([3, 1, 2]);
  const page = numbers(revision, 2);
  expect(page.entries).toEqual([3, 1]);
  expect(numbers(page.revision, 2).entries).toEqual([2]);
});
