// A sweep requests the state of whatever the blocks touched, each part once, and says what the node did not return.
import { expect, test } from "vitest";
import { Chain } from "../../mocks/chain/chain.ts";
import type { Address } from "../../mocks/chain/records.ts";
import { type Swept, sweep } from "../../mocks/follow/head-state.ts";
import { RpcNode } from "../../mocks/follow/rpc/node.ts";
import { loadDemo } from "../../mocks/node.ts";
import { type Call, FakeNode } from "../support/fake-node.ts";

const demo = await loadDemo();
const tokensOf = (standard: string) =>
  [...demo.knownTokens()].filter((token) => demo.token(token)?.standard === standard);
const collections = tokensOf("mrc721");

const BALANCE_OF = "0x70a08231";
const TOKEN_URI = "0xc87b56dd";

/** A call as a line: `eth_getBalance 0x…`, `eth_call 0x… 0x…`. */
const lineOf = ({ method, params: [subject] }: Pick<Call, "method" | "params">): string =>
  typeof subject === "string"
    ? `${method} ${subject}`
    : method === "eth_call"
      ? `${method} ${Object(subject).to} ${Object(subject).data}`
      : method;

async function swept(from: number, node = new FakeNode(), given?: Chain) {
  const chain = given ?? (await loadDemo());
  const { call: fault } = node.faults;
  const asked: Call[] = [];
  node.faults.call = (call) => {
    asked.push(call);
    return fault?.(call);
  };
  const pieces: Swept[] = [];
  for await (const piece of sweep(
    chain,
    new RpcNode(node.url, { fetch: node.fetch, retries: 0 }),
    from,
  ))
    pieces.push(piece);
  return { asked, lines: asked.map(lineOf), pieces, chain };
}

/** The accounts that transactions and transfers of blocks name. */
function accountsOf(from: number): Set<Address> {
  const found = new Set<Address>();
  for (let number = from; number <= demo.head.number; number++) {
    const { block, executions } = demo.blockInput(number) ?? { executions: [] };
    if (block) found.add(block.miner);
    for (const { transaction, frames, logs } of executions) {
      for (const { from, to, created } of [transaction, ...frames])
        for (const one of [from, to, created]) if (one !== null) found.add(one);
      for (const { address } of logs) found.add(address);
    }
  }
  return found;
}

test("requests balance and code of the accounts in the blocks, each once, and of no others", async () => {
  const first = demo.head.number - 3;
  const { lines, asked } = await swept(first);
  expect(new Set(lines).size).toBe(lines.length);
  const last = accountsOf(first);
  for (const account of last) expect(lines).toContain(`eth_getBalance ${account}`);
  for (const { executions = [] } of [demo.blockInput(demo.head.number) ?? {}])
    for (const { transaction } of executions)
      expect(lines).toContain(`eth_getCode ${transaction.from}`);
  const stranger = [...accountsOf(0)].find(
    (account) => !lines.some((line) => line.includes(account.slice(2))),
  );
  expect(stranger).toBeDefined();
  // As of the head.
  const blocks = asked
    .filter(({ params }) => params.length === 2)
    .map(({ params }) => Number(params[1]));
  expect(new Set(blocks)).toEqual(new Set([demo.head.number]));
});

test("requests of tokens what they say of themselves, of coins balances and of collections the texts of ids", async () => {
  const { lines } = await swept(0);
  const called = (token: Address, selector: string) =>
    lines.filter((line) => line.startsWith(`eth_call ${token} ${selector}`));
  for (const token of demo.knownTokens()) expect(called(token, "0x06fdde03")).toHaveLength(1);
  const ofCoins = tokensOf("mrc20").map((coin) => called(coin, BALANCE_OF).length);
  expect(Math.min(...ofCoins)).toBeGreaterThan(1);
  expect(tokensOf("mrc20").flatMap((coin) => called(coin, TOKEN_URI))).toEqual([]);
  const ofCollections = collections.map((token) => called(token, TOKEN_URI).length);
  expect(Math.max(...ofCollections)).toBeGreaterThan(0);
  // Only whether it has balances.
  for (const token of collections) expect(called(token, BALANCE_OF)).toHaveLength(1);
});

test("requests the balances of the node's own accounts, too, which no block need name", async () => {
  const own: Address = `0x${"0e".repeat(20)}`;
  const nodeWith = (answer: object) => {
    const node = new FakeNode();
    node.faults.call = ({ method }) => (method === "eth_accounts" ? (answer as never) : undefined);
    return node;
  };
  const { lines } = await swept(demo.head.number, nodeWith({ result: [own] }));
  expect(lines).toContain(`eth_getBalance ${own}`);
  expect(lines).not.toContain(`eth_getCode ${own}`);
  // Not every node tells; what makes no sense is reported.
  const silent = nodeWith({ error: { code: -32601, message: "no method" } });
  expect((await swept(demo.head.number, silent)).pieces.at(-1)?.blocks).toBe(1);
  await expect(swept(0, nodeWith({ result: "0x" }))).rejects.toThrow(/eth_accounts/);
});

test("goes piece by piece, and counts the blocks that are complete", async () => {
  const { pieces, lines } = await swept(0);
  const all = demo.head.number + 1;
  expect(pieces.map((one) => one.of)).toEqual(pieces.map(() => all));
  expect(pieces.at(-1)?.blocks).toBe(all);
  const blocks = pieces.map((one) => one.blocks);
  expect(blocks).toEqual(blocks.toSorted((one, other) => one - other));
  const calls = pieces.flatMap((one) => one.calls.map(lineOf));
  expect(new Set(calls)).toEqual(new Set(lines.filter((line) => line !== "eth_accounts")));
  const short = await swept(demo.head.number);
  expect(short.pieces).toHaveLength(1);
  expect(short.pieces[0]).toMatchObject({ blocks: 1, of: 1 });
});

test("sets on the chain what the node returned, and lists what it did not", async () => {
  const rich = demo.block(demo.head.number)?.miner as Address;
  const poor = demo.blockInput(demo.head.number)?.executions[0]?.transaction.from as Address;
  const node = new FakeNode();
  node.faults.call = ({ method, params: [subject] }) => {
    if (method !== "eth_getBalance") return undefined;
    if (subject === rich) return { result: "0x1234567" };
    return subject === poor ? { error: { code: -32000, message: "missing trie node" } } : undefined;
  };
  const { chain, pieces } = await swept(demo.head.number, node);
  expect(chain.balance(rich)).toBe(0x1234567n);
  expect(pieces.flatMap(({ failed }) => failed)).toEqual([{ kind: "balance", account: poor }]);
  const kept = pieces.flatMap(({ calls }) => calls.map(lineOf));
  expect(kept).toContain(`eth_getBalance ${rich}`);
  expect(kept).not.toContain(`eth_getBalance ${poor}`);
});

/** The last blocks of the demo chain, and nothing else. */
function chainOf(count: number): Chain {
  const chain = new Chain({ chainId: demo.chainId });
  for (let number = demo.head.number - count + 1; number <= demo.head.number; number++)
    chain.append(demo.blockInput(number) as never);
  return chain;
}
const silentNode = () => new FakeNode(["eth_accounts"]);

test("begins at the first block that the chain has", async () => {
  const { pieces } = await swept(0, silentNode(), chainOf(2));
  expect(pieces.at(-1)).toMatchObject({ blocks: 2, of: 2 });
  const last = await swept(demo.head.number, silentNode(), chainOf(2));
  expect(last.pieces.at(-1)).toMatchObject({ blocks: 1, of: 1 });
});

test("requests the balances of those whom a block credits without a transaction", async () => {
  const chain = chainOf(1);
  const to: Address = `0x${"cc".repeat(20)}`;
  const { head } = demo;
  const block = {
    ...head,
    number: head.number + 1,
    hash: `0x${"9".repeat(64)}`,
    parentHash: head.hash,
  };
  chain.append({
    block: { ...block, transactionCount: 0 },
    executions: [],
    credits: [[to, 5n]],
  } as never);
  const { lines } = await swept(head.number + 1, silentNode(), chain);
  expect(lines).toEqual(["eth_accounts", `eth_getBalance ${head.miner}`, `eth_getBalance ${to}`]);
});
