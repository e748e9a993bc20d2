// A random history of a node: transactions, reverts, reorganisations, resets, faults and restarts. What is followed equals a fresh index and the node.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { items } from "../../mocks/double/chain/listing.ts";
import type { Address } from "../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../mocks/double/chain/writer.ts";
import { randomNumbers } from "../../mocks/double/service/random.ts";
import { createExplorer, type Follower, followNode, startFollowing } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";
import { executionsOf } from "../support/executions.ts";
import { limit, runs, seed } from "../support/runs.ts";

const STEPS = runs(120);
/** It only receives plain transfers. */
const SAVER = "0x00000000000000000000000000000000000b0b00";

const SOURCE = `
pragma solidity ^0.8.0;
contract Coin {
  string public name = "Coin";
  string public symbol = "C";
  uint8 public decimals = 2;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function mint(uint256 value) external {
    totalSupply += value;
    balanceOf[msg.sender] += value;
    emit Transfer(address(0), msg.sender, value);
  }
  function transfer(address to, uint256 value) external {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
  }
  function send(address payable to) external payable {
    new Child{value: msg.value / 2}();
    to.transfer(msg.value / 2);
  }
}
contract Child { constructor() payable {} }`;

/** Creation code of the coin, and the selectors of its functions. */
function compileCoin() {
  const solc = createRequire(import.meta.url)("solc-0.8.28") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: { "Coin.sol": { content: SOURCE } },
    settings: {
      evmVersion: "paris",
      outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.methodIdentifiers"] } },
    },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  const { bytecode, methodIdentifiers } = contracts["Coin.sol"].Coin.evm;
  return { code: `0x${bytecode.object}`, selectors: methodIdentifiers as Record<string, string> };
}

const word = (value: string | number) =>
  (typeof value === "number" ? value.toString(16) : value.slice(2)).padStart(64, "0");

/** A node's faults: one request in seven fails in one of these ways. */
function faulty(random: () => number): typeof fetch {
  const faults = [
    () => new Response("", { status: 429, headers: { "retry-after": "0" } }),
    () => new Response("<html>", { status: 502 }),
    (calls: unknown) =>
      Response.json(
        [calls].flat().map((call) => ({
          jsonrpc: "2.0",
          id: (call as { id: number }).id,
          error: { code: -32005, message: "limit exceeded" },
        })),
      ),
    () => {
      throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
    },
  ];
  return async (url, init) => {
    if (random() > 1 / 7) return await fetch(url, init);
    const fault = faults[Math.floor(random() * faults.length)] ?? faults[0];
    return fault?.(JSON.parse(String(init?.body))) ?? Response.error();
  };
}

/** What must hold whenever the chain is read; reads are synchronous, so nothing comes in between. */
function expectConsistent(chain: ChainWriter, senders: readonly Address[]): void {
  if (chain.length === 0) return;
  const { head } = chain;
  for (let number = head.number; number > Math.max(1, head.number - 5); number -= 1)
    expect(chain.block(number)?.parentHash).toBe(chain.block(number - 1)?.hash);
  for (const sender of senders) {
    const sent = items(chain.transactions(sender, "from", {}));
    expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, index) => index));
    for (const { block, hash } of sent.slice(-3)) {
      expect(chain.block(block.number)?.hash).toBe(block.hash);
      expect(chain.transaction(hash)?.block.number).toBe(block.number);
    }
  }
  const received = items(chain.transactions(SAVER, "to", {}));
  expect(received.reduce((sum, { value }) => sum + value, 0n)).toBe(chain.balance(SAVER));
}

class History {
  readonly #node: Anvil;
  readonly #random: () => number;
  readonly #coin = compileCoin();
  readonly #snapshots: unknown[] = [];
  readonly accounts: readonly Address[];
  coins: Address[] = [];

  constructor(node: Anvil, accounts: readonly Address[], random: () => number) {
    this.#node = node;
    this.accounts = accounts;
    this.#random = random;
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  async #send(fields: object): Promise<void> {
    const from = this.#pick(this.accounts);
    // A failure is history, too.
    const hash = await this.#node
      .ask("eth_sendTransaction", { from, gas: "0x200000", ...fields })
      .catch(() => undefined);
    if (hash === undefined) return;
    await expect.poll(() => this.#node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
    const receipt = (await this.#node.ask("eth_getTransactionReceipt", hash)) as {
      contractAddress: Address | null;
    };
    if (receipt.contractAddress !== null) this.coins.push(receipt.contractAddress);
  }

  async #call(signature: string, words: readonly (string | number)[], value = 0): Promise<void> {
    const data = `0x${this.#coin.selectors[signature]}${words.map(word).join("")}`;
    const to = this.#pick(this.coins);
    if (to !== undefined) await this.#send({ to, data, value: `0x${value.toString(16)}` });
  }

  async step(): Promise<string> {
    const amount = 1 + Math.floor(this.#random() * 1000);
    const other = this.#pick(this.accounts) ?? SAVER;
    const acts: readonly (readonly [number, string, () => Promise<unknown>])[] = [
      [8, "saves", () => this.#send({ to: SAVER, value: `0x${amount.toString(16)}` })],
      [4, "deploys", () => this.#send({ data: this.#coin.code })],
      [8, "mints", () => this.#call("mint(uint256)", [amount])],
      [10, "transfers", () => this.#call("transfer(address,uint256)", [other, amount])],
      [6, "sends", () => this.#call("send(address)", [other], 2 * amount)],
      [4, "mines", () => this.#node.ask("anvil_mine", `0x${(amount % 90).toString(16)}`)],
      [4, "saves a state", async () => this.#snapshots.push(await this.#node.ask("evm_snapshot"))],
      [4, "goes back", () => this.#goBack()],
      [3, "reorganises", () => this.#reorganise(1 + (amount % 3))],
      [1, "resets", () => this.#node.ask("anvil_reset")],
    ];
    let at = this.#random() * acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, name, act] of acts) {
      at -= weight;
      if (at > 0) continue;
      await act();
      return name;
    }
    return "rests";
  }

  async #reorganise(depth: number): Promise<void> {
    await this.#node.ask("anvil_reorg", depth, []).catch(() => undefined);
  }

  /** Back to a state, perhaps one from before a reorganisation or a reset: it fails, and anvil 1.7 has blocks that do not fit together, or a gap. */
  async #goBack(): Promise<void> {
    const snapshot = this.#snapshots.pop();
    if (snapshot !== undefined) await this.#node.ask("evm_revert", snapshot).catch(() => undefined);
  }
}

test(
  `a history of ${STEPS} steps (seed ${seed}) is followed without a difference or an inconsistent read`,
  async () => {
    let drawn = 0;
    const random = () => randomNumbers(seed, drawn++);
    // Of its own, so that the number of requests does not change the history.
    let struck = 0;
    const strike = () => randomNumbers(seed + 1, struck++);
    const node = await startAnvil();
    const accounts = ((await node.ask("eth_accounts")) as Address[]).slice(0, 4);
    const history = new History(node, accounts, random);
    const follow = () =>
      startFollowing(node.url, {
        ...{ interval: 5, retryDelay: 1, retries: 3, onError: () => {} },
        fetch: faulty(strike),
      });
    let follower: Follower = follow();
    let reads = 0;
    let reading = true;
    const reader = (async () => {
      while (reading) {
        expectConsistent(follower.chain, accounts);
        reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (reads % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    // Told at the end; an unhandled rejection would end the run before.
    reader.catch(() => {});
    const done: string[] = [];
    try {
      for (let step = 1; step <= STEPS; step += 1) {
        done.push(await history.step());
        if (random() < 0.03) {
          await follower.close();
          follower = follow();
          done.push("restarts");
        }
        if (step % 40 === 0) await expectEqual(node, follower, history, done);
      }
      await expectEqual(node, follower, history, done);
    } finally {
      reading = false;
      await follower.close();
      await node.stop();
    }
    await reader;
    expect(reads).toBeGreaterThan(STEPS);
  },
  limit(600_000),
);

/** Brings the follower to the node's head, or before the block where the node is broken, whatever fails on the way. */
async function settle(follower: Follower, node: Anvil): Promise<void> {
  await expect
    .poll(
      async () => {
        await follower.update().catch(() => {});
        const head = await blockOf(node, "latest");
        if (head === null) {
          await node.ask("evm_mine");
          return false;
        }
        if (follower.status().state === "stuck") return true;
        return (
          follower.chain.length > 0 &&
          follower.chain.head.hash === head.hash &&
          follower.status().missing.length === 0
        );
      },
      { timeout: 300_000 },
    )
    .toBe(true);
}

const blockOf = async (node: Anvil, at: string) =>
  (await node.ask("eth_getBlockByNumber", at, false)) as {
    hash: string;
    parentHash: string;
  } | null;

/** Whether the follower stopped; if so, behind its head the node has no block, or one with another parent. */
async function isStuck({ chain, status }: Follower, node: Anvil): Promise<boolean> {
  if (status().state !== "stuck") return false;
  const { number, hash } = chain.head;
  expect((await blockOf(node, `0x${number.toString(16)}`))?.hash).toBe(hash);
  expect((await blockOf(node, `0x${(number + 1).toString(16)}`))?.parentHash).not.toBe(hash);
  return true;
}

async function expectEqual(
  node: Anvil,
  follower: Follower,
  history: History,
  done: readonly string[],
): Promise<void> {
  await settle(follower, node);
  const fresh = await followNode(node.url, { interval: 3_600_000, onError: () => {} });
  try {
    // One that has followed may have all blocks on which the head was built, and needs not be stuck.
    if ((await isStuck(fresh, node)) || (await isStuck(follower, node))) {
      await node.ask("anvil_reset");
      return await settle(follower, node);
    }
    const told = await tell(follower, history);
    expect([done, told]).toEqual([done, await tell(fresh, history)]);
    for (const account of [...history.accounts, SAVER]) {
      const balance = BigInt(String(await node.ask("eth_getBalance", account, "latest")));
      const count = Number(await node.ask("eth_getTransactionCount", account, "latest"));
      expect([account, told.balances[account], told.sent[account]]).toEqual([
        account,
        balance,
        count,
      ]);
    }
    for (const coin of history.coins) {
      if ((await node.ask("eth_getCode", coin, "latest")) === "0x") continue;
      for (const account of history.accounts) {
        const data = `0x70a08231${word(account)}`;
        const balance = await node.ask("eth_call", { to: coin, data }, "latest");
        // A coin that has moved nothing yet is no token of the explorer.
        expect([coin, account, told.coins[`${coin} ${account}`] ?? 0n]).toEqual([
          coin,
          account,
          BigInt(String(balance)),
        ]);
      }
    }
  } finally {
    await fresh.close();
  }
}

/** Everything the explorer of a chain tells of the history's accounts and coins, and the blocks themselves. */
async function tell(follower: Follower, { accounts, coins }: History) {
  const { chain } = follower;
  const mock = createExplorer({ chain: follower });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const balances: Record<string, bigint> = {};
  const sent: Record<string, number> = {};
  const told: Record<string, unknown> = {};
  const held: Record<string, bigint | null> = {};
  for (const account of [...accounts, SAVER] as const) {
    balances[account] = await explorer.accounts.balance(account);
    sent[account] = items(chain.transactions(account, "from", {})).length;
    told[account] = [
      await explorer.accounts.transactions(account).collect(),
      await explorer.accounts.internalTransactions(account).collect(),
      await explorer.accounts.mrc20Transfers(account).collect(),
      await explorer.accounts.mrc20Tokens(account).collect(),
    ];
  }
  for (const coin of coins) {
    if (chain.token(coin) === undefined) continue;
    told[coin] = await explorer.tokens.totalSupply(coin);
    for (const account of accounts)
      held[`${coin} ${account}`] = await explorer.tokens.balance(coin, account);
  }
  const blocks = Array.from({ length: chain.length }, (_, index) => {
    const number = chain.head.number - index;
    const executions = executionsOf(chain, number).map(({ transaction, ...rest }) => ({
      hash: transaction.hash,
      ...rest,
    }));
    return [chain.block(number)?.hash, executions];
  });
  return { balances, sent, told, coins: held, blocks };
}
