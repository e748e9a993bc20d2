// `watch`: new records of an address or a contract, printed as they come.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type Explorer,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { serve } from "../http/server.ts";
import { runCli } from "./run-cli.ts";
import { linesOf } from "./serve-demo.ts";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(1000) });
const bob = builder.account({ name: "bob" });
const token = builder.deployMRC20(alice, { symbol: "=USD", decimals: 6, supply: 1_000_000_000n });
builder.mine();

let mock: Explorer;
let service: ServedExplorer;
beforeAll(async () => {
  mock = createExplorer({ chain: builder });
  service = await serveExplorer(mock);
});
afterAll(() => service.close());

const env = () => ({ EXPLORER_BASE_URL: service.url, EXPLORER_API_KEY: "any" });
const watch = (words: string, signal?: AbortSignal) =>
  runCli(words.split(" "), { env: env(), signal });

describe("accounts watch", () => {
  test("prints new records until there are enough, amounts in units", async () => {
    mock.journal.clear();
    const ended = watch(
      `accounts watch ${bob} --interval 0.05 --max 2 --units ether --columns kind,value`,
    );
    // "New" is what the first poll of a list does not show: its second one comes after it.
    const polls = () =>
      Math.min(...(["A2", "A4"] as const).map((list) => mock.journal.count(list)));
    await expect.poll(polls).toBeGreaterThan(1);
    builder.transfer(alice, bob, coins("2.5"));
    builder.mine();
    token.transfer(alice, bob, 1_500_000n);
    builder.mine();
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(linesOf(out).map((line) => JSON.parse(line))).toEqual([
      { kind: "transaction", value: "2.5" },
      { kind: "mrc20Transfer", value: "1.5" },
    ]);
    expect(mock.journal.count("A3")).toBe(0);
  });

  test("prints records from a block on, as csv with the columns of all kinds", async () => {
    const { out } = await watch(
      `accounts watch ${bob} --from 0 --max 2 --format csv --raw --kinds transaction,\tmrc20Transfer`,
    );
    const [header, ...rows] = linesOf(out);
    expect(header?.split(",")).toEqual(
      expect.arrayContaining(["kind", "transaction_hash", "gas_price", "token_symbol"]),
    );
    expect(header).not.toContain("trace_address");
    expect(rows).toEqual([
      expect.stringMatching(/^transaction,/),
      expect.stringMatching(/^mrc20Transfer,.*,=USD,/),
    ]);
    for (const row of rows) expect(row.split(",")).toHaveLength(header?.split(",").length ?? 0);
  });

  test("reports failures once and reorganisations, and continues", async () => {
    mock.faults.add({
      fault: "status",
      status: 400,
      message: "not now",
      times: 1,
      operation: "A2",
    });
    const refused = await watch(`accounts watch ${bob} --kinds transaction --from 0 --max 1`);
    expect(refused.code).toBe(1);
    mock.journal.clear();
    const ended = watch(
      `accounts watch ${bob} --kinds transaction --from 0 --depth 1 --max 2 --interval 0.05`,
    );
    await expect.poll(() => mock.journal.count("A2")).toBeGreaterThan(9);
    mock.journal.expect("A2", { startBlock: 2n });
    builder.reorg(2);
    const { id } = mock.faults.add({ fault: "malformed-json", times: 2, operation: "A2" });
    const applied = () => mock.faults.list.find((fault) => fault.id === id)?.applied;
    await expect.poll(applied).toBe(2);
    builder.transfer(alice, bob, 1n);
    builder.mine();
    const { code, out, err } = await ended;
    expect({ code, lines: linesOf(out).length }).toEqual({ code: 0, lines: 2 });
    expect(linesOf(err).toSorted()).toEqual([
      "reorganisation: 0 of the printed records are gone, 0 are back, 1 have moved",
      "warning: Invalid response: the body is not JSON",
    ]);
  });

  test.each([
    [
      `accounts watch ${bob} --kinds payments`,
      'no kind "payments"; the kinds are transaction, internalTransaction',
    ],
    [`accounts watch ${bob} --format json`, "Allowed choices are table, ndjson, csv"],
    [`eventLogs watch ${bob}`, "required option '--from <block>' not specified"],
  ])("%s is refused", async (words, reason) => {
    const { code, err } = await watch(words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) });
  });
});

test("eventLogs watch prints the logs that its filter matches", async () => {
  const { out } = await watch(`eventLogs watch ${token.address} --from 0 --max 2`);
  for (const line of linesOf(out))
    expect(JSON.parse(line)).toMatchObject({ address: token.address, topics_count: "3" });
  const nothing = new AbortController();
  mock.journal.clear();
  const ended = watch(
    `eventLogs watch ${token.address} --from 0 --topic_0 0x${"1".repeat(64)}`,
    nothing.signal,
  );
  await expect.poll(() => mock.journal.count("L1")).toBeGreaterThan(0);
  nothing.abort();
  expect(await ended).toEqual({ code: 0, out: "", err: "" });
});

test("goes on where the explorer restarts on a shorter chain, and says which printed records are gone", async () => {
  const chainOf = (blocks: number, amount: bigint) => {
    const chain = buildChain();
    const payer = chain.account({ name: "alice", balance: coins(1000) });
    for (let block = 0; block < blocks; block++) {
      chain.transfer(payer, bob, amount);
      chain.mine();
    }
    return { chain, payer };
  };
  const long = chainOf(60, 1n);
  const short = chainOf(10, 2n);
  let current = createExplorer({ chain: long.chain });
  const other = createExplorer({ chain: short.chain });
  const { url } = await serve(async (request, response) => {
    const answer = await current.fetch(`${current.baseUrl}${request.url}`, {
      headers: { "api-key": "any" },
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  const stop = new AbortController();
  let out = "";
  const ended = runCli(
    `accounts watch ${bob} --interval 0.05 --kinds transaction --base-url ${url}`.split(" "),
    {
      env: env(),
      signal: stop.signal,
      onPrint: (text) => {
        out = text;
      },
    },
  );
  await expect.poll(() => current.journal.count("A2")).toBeGreaterThan(3);
  long.chain.transfer(long.payer, bob, 7n);
  long.chain.mine();
  await expect.poll(() => out).toContain('"value":"7"');
  let cells = "";
  const columns = "--from 0 --format csv --columns value";
  const csv = runCli(
    `accounts watch ${bob} --interval 0.05 ${columns} --base-url ${url}`.split(" "),
    {
      env: env(),
      signal: stop.signal,
      onPrint: (text) => {
        cells = text;
      },
    },
  );
  await expect.poll(() => cells).toMatch(/^7$/m);
  current = other;
  await expect.poll(() => out, { timeout: 5000 }).toContain("1 of the printed records are gone");
  short.chain.transfer(short.payer, bob, 8n);
  short.chain.mine();
  await expect.poll(() => out, { timeout: 5000 }).toContain('"value":"8"');
  await expect.poll(() => cells, { timeout: 5000 }).toMatch(/^8$/m);
  stop.abort();
  const [{ out: printed }, { out: table }] = await Promise.all([ended, csv]);
  expect(cells).toContain("are gone");
  expect(table).not.toContain("removed");
  const lines = linesOf(printed).map((line) => JSON.parse(line));
  expect(lines).toContainEqual({ removed: expect.objectContaining({ value: "7" }) });
  expect(lines.filter(({ value }) => value === "8")).toHaveLength(1);
}, 20_000);
