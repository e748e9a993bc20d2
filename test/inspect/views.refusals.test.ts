// The parameters that views refuse, and hostile texts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildChain, coins, eventTopic } from "../../mocks/builder/index.ts";
import { views } from "../../mocks/inspect/views.ts";
import { type Looked, lookEachTest, look as lookOnce } from "./served.ts";

const look = lookEachTest();

test.each(Object.values(views))("$path has a schema for each name in it", ({ path, places }) => {
  expect(path.match(/(?<=\{)\w+/g) ?? []).toEqual(places.path);
});

describe("parameters that are invalid", () => {
  let looked: Looked;
  beforeAll(async () => {
    looked = await lookOnce({ chain: buildChain() });
  });
  afterAll(() => looked.served.close({ graceMs: 0 }));

  const address = `0x${"a".repeat(40)}`;
  const refused: readonly (readonly [target: string, status: number, message: RegExp])[] = [
    ["blocks?from=x", 400, /^from: expected an integer from 0 to \d+/],
    ["head?nothing=1", 400, /^nothing: expected /],
    ["blocks?page=0", 400, /^page: expected an integer from 1 to \d+/],
    ["blocks?limit=0", 400, /^limit: expected an integer from 1 to 100/],
    ["blocks?limit=101&from=9e9", 400, /^from: .*; limit: /],
    ["blocks?limit=5&limit=6", 400, /^limit: expected at most once, received several times$/],
    [`search?${"a".repeat(10_000)}=1`, 400, /expected one of q, received "aaa/],
    ["transactions?status=0", 400, /^status: expected failed or success|^status: expected/],
    ["transactions?min_amount=1,5", 400, /^min_amount: expected an amount in digits, such as 1.5/],
    ["transactions?method=noSuch", 400, /^method: expected the name of a known function, or 0x/],
    ["transactions?error=0x1", 400, /^error: expected the name of a known error, or 0x and 8/],
    ["transactions?start_block=2&end_block=1", 400, /^startBlock: expected a block not above/],
    ["transfers", 400, /^token: expected one where no account is given/],
    ["logs", 400, /^event: expected one where no address is given/],
    ["logs?event=Deposit", 400, /^event: 2 events have this name, give the hash of one: 0x/],
    ["search", 400, /^q: expected a text of 1 to 200 characters, received nothing/],
    ["search?q=", 400, /^q: expected a text of 1 to 200 characters/],
    [`search?q=${"x".repeat(10_000)}`, 400, /^q: expected a text of 1 to 200 characters/],
    ["block/x", 400, /^number: expected an integer/],
    ["block/4711", 404, /^number: no block 4711, the chain has 0 to 0$/],
    [`transaction/${address}`, 400, /^hash: expected a 32-byte hash/],
    [`transaction/0x${"0".repeat(64)}`, 404, /^hash: no transaction 0x0/],
    ["account/0x", 400, /^address: expected an address/],
    ["account/%zz", 400, /^address: expected an address/],
    ["account/..%2f..%2fadmin", 400, /^address: expected an address/],
    [`account/${"0".repeat(10_000)}`, 400, /^address: expected an address/],
    [`token/${address}`, 404, /^address: no token at 0xa/],
    [`transfers?token=${address}`, 404, /^token: no token at 0xa/],
    [
      "accounts/",
      404,
      /^no operation at GET \/inspect\/accounts\/; did you mean accounts, GET \/inspect\/accounts\?$/,
    ],
    ["constructor", 404, /^no operation at/],
    ["", 404, /^no operation at/],
    ["v1/admin/journal", 404, /^no operation/],
  ];
  test.each(refused)("%.60s is refused with %i", async (target, status, message) => {
    const { get } = looked;
    const response = await get(`/inspect/${target}`);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({
      status: `${status}`,
      message: expect.stringMatching(message),
      results: null,
    });
    expect(JSON.stringify(response.body).length).toBeLessThan(1000);
  });

  test("a search for markup and odd characters finds nothing", async () => {
    const { ask } = looked;
    for (const q of ["<script>", "\u202e\u0000", ".*", "(", "%", "🙂".repeat(100), "0x", "'; --"])
      expect(await ask("search", { q })).toMatchObject({ query: q, candidates: [] });
  });
});

test("names of any length are cut, and searched in bounded time", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const name = `<img src=x onerror=alert(1)>${"\u202e".repeat(5000)}`;
  const token = builder.deployMRC20(alice, { name, symbol: name, decimals: 18, supply: 1n });
  builder.mine();
  const { ask } = await look({ chain: builder });
  const { tokens } = await ask("tokens", {});
  expect(tokens[0]?.token_name).toBe(`${name.slice(0, 200)}…`);
  const { names } = await ask("account", { address: token.address });
  expect(names[0]?.name).toBe(`${name.slice(0, 60)}…`);
  expect((await ask("search", { q: "<img src" })).candidates).toHaveLength(1);
});

test("an answer above 32 MiB is refused with a limit that fits", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const contract = builder.deploy(alice).address;
  const data = `0x${"ab".repeat(2 ** 19)}` as const;
  const topic = eventTopic("Large(bytes)");
  const { hash } = builder.call(alice, {
    to: contract,
    does(frame) {
      for (let count = 0; count < 40; count++) frame.emit([topic], data);
    },
  });
  builder.mine({ gasLimit: 300_000_000 });
  const { get, ask } = await look({ chain: builder });
  const refusal = await get(`/inspect/logs?address=${contract}&limit=100`);
  expect(refusal).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^the answer: expected at most 33554432 .* limit=31$/) },
  });
  expect((await ask("logs", { address: contract, limit: 31 })).logs).toHaveLength(31);
  expect(await get(`/inspect/transaction/${hash}`)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("one record alone exceeds it") },
  });
});
