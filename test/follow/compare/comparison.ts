// Compares what the explorer of a followed node answers with the node, field by field, by methods that following does not use.
import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import type { Address } from "../../../mocks/chain/records.ts";
import { createExplorer, type Follower } from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { codeSizeOf, coinsOf, returned } from "./probe.ts";
import { BLOBBER, type Node, type RandomHistory, SAVER } from "./random-history.ts";

export interface Difference {
  readonly where: string;
  readonly explorer: unknown;
  readonly node: unknown;
}

interface RpcTransaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: Hex;
  readonly input: Hex;
  readonly transactionIndex: Hex;
  readonly maxFeePerGas?: Hex | null;
  readonly maxPriorityFeePerGas?: Hex | null;
}
interface RpcReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly effectiveGasPrice?: Hex;
}
interface RpcLog {
  readonly address: Address;
  readonly data: Hex;
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
}
interface CallFrame {
  readonly type: string;
  readonly from: Address;
  readonly to?: Address;
  readonly value?: Hex;
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

const tokenAbi = parseAbi([
  "function name() view returns (string)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function ownerOf(uint256) view returns (address)",
  "function tokenURI(uint256) view returns (string)",
]);
type TokenFunction = "name" | "totalSupply" | "balanceOf" | "ownerOf" | "tokenURI";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export class Comparison {
  readonly #node: Node;
  readonly #follower: Follower;
  readonly #explorer: ExplorerClient;
  count = 0;
  readonly differences: Difference[] = [];
  /** Blocks that were compared, by number: their hashes. */
  readonly #seen = new Map<number, string>();
  /** What the node does not have. No development node pays out withdrawals: test/ingest/chain-shapes.test.ts has them. */
  readonly lacks = new Set<string>(["withdrawals (EIP-4895)"]);

  constructor(node: Node, follower: Follower) {
    this.#node = node;
    this.#follower = follower;
    const { baseUrl, fetch } = createExplorer({ chain: follower, conformance: "throw" });
    this.#explorer = new ExplorerClient({
      baseUrl,
      apiKey: "any",
      fetch,
      retry: 10,
      timeout: 60_000,
    });
  }

  #same(where: string, explorer: unknown, node: unknown): void {
    this.count += 1;
    const text = (value: unknown) =>
      JSON.stringify(value, (_, one) =>
        typeof one === "bigint" ? String(one) : one,
      )?.toLowerCase();
    if (text(explorer) !== text(node)) this.differences.push({ where, explorer, node });
  }

  /** Compares the fields of two records. */
  #fields(where: string, explorer: object, node: Readonly<Record<string, unknown>>): void {
    const fields: Readonly<Record<string, unknown>> = { ...explorer };
    for (const [name, value] of Object.entries(node))
      this.#same(`${where}.${name}`, fields[name], value);
  }

  /** All blocks that are new since the last time, and the state at the head. */
  async run(history: RandomHistory): Promise<void> {
    const { chain } = this.#follower;
    const { head } = chain;
    for (
      let number = Math.max(0, head.number - chain.length + 1);
      number <= head.number;
      number += 1
    ) {
      const hash = chain.block(number)?.hash ?? "";
      if (this.#seen.get(number) === hash) continue;
      this.#seen.set(number, hash);
      await this.#block(number);
    }
    await this.state(history);
  }

  async #block(number: number): Promise<void> {
    const { chain } = this.#follower;
    const known = chain.block(number);
    const found = (await this.#node.ask("eth_getBlockByHash", known?.hash, false)) as Record<
      string,
      string
    > & { readonly transactions: readonly Hex[] };
    if (found.withdrawals?.length) this.lacks.delete("withdrawals (EIP-4895)");
    const where = `block ${number}`;
    this.#fields(where, known ?? {}, {
      hash: found.hash,
      parentHash: found.parentHash,
      number: Number(found.number),
      timestamp: Number(found.timestamp),
      gasUsed: Number(found.gasUsed),
      gasLimit: Number(found.gasLimit),
      transactionCount: found.transactions.length,
    });
    const reward = await this.#explorer.blocks.get(number);
    this.#fields(where, reward, {
      miner: found.miner,
      block_number: BigInt(number),
      timestamp: new Date(Number(found.timestamp) * 1000),
    });
    for (const hash of found.transactions) await this.#transaction(hash, number);
    await this.#logs(number);
  }

  async #transaction(hash: Hex, number: number): Promise<void> {
    const found = (await this.#node.ask("eth_getTransactionByHash", hash)) as RpcTransaction;
    const receipt = (await this.#node.ask("eth_getTransactionReceipt", hash)) as RpcReceipt;
    const blocks = { startBlock: BigInt(number), endBlock: BigInt(number) };
    const { data } = await this.#explorer.accounts.transactions(found.from, {
      ...blocks,
      input: true,
      condition: "from",
      limit: 1000,
    });
    const record = data.find((one) => one.transaction_hash === hash);
    this.#fields(`transaction ${hash}`, record ?? {}, {
      sender: found.from,
      receiver: found.to,
      value: BigInt(found.value),
      input: found.input,
      block_number: BigInt(number),
      block_hash: this.#seen.get(number),
      transaction_index: Number(found.transactionIndex),
      tx_status: BigInt(receipt.status) === 1n ? "1" : "0",
      gas_used: BigInt(receipt.gasUsed),
      cumulative_gas_used: BigInt(receipt.cumulativeGasUsed),
      ...(receipt.effectiveGasPrice && { gas_price: BigInt(receipt.effectiveGasPrice) }),
      max_fee_per_gas: found.maxFeePerGas ? BigInt(found.maxFeePerGas) : null,
      max_priority_fee_per_gas: found.maxPriorityFeePerGas
        ? BigInt(found.maxPriorityFeePerGas)
        : null,
    });
    this.#same(
      `transaction ${hash} X2`,
      await this.#explorer.transactions.receiptStatus(hash),
      BigInt(receipt.status) === 1n ? "1" : "0",
    );
    await this.#frames(hash);
  }

  /** Frames by callTracer, which is not what anvil is followed by. */
  async #frames(hash: Hex): Promise<void> {
    if (this.lacks.has("callTracer")) return;
    let root: CallFrame;
    try {
      const tracer = { tracer: "callTracer" };
      root = (await this.#node.ask("debug_traceTransaction", hash, tracer)) as CallFrame;
      if (typeof root.from !== "string") throw new Error("no callTracer");
    } catch {
      this.lacks.add("callTracer");
      return;
    }
    const { data } = await this.#explorer.transactions.internalTransactions(hash, { limit: 1000 });
    const expected = framesBelow(root, [], root.error !== undefined);
    this.#same(`transaction ${hash} frames`, data.length, expected.length);
    for (const [index, frame] of expected.entries()) {
      const own = data[index];
      if (own !== undefined) this.#fields(`transaction ${hash} frame ${index}`, own, frame);
    }
  }

  /** Logs by eth_getLogs, and the transfers in them. */
  async #logs(number: number): Promise<void> {
    const at = numberToHex(number);
    const found = (await this.#node.ask("eth_getLogs", { fromBlock: at, toBlock: at })) as RpcLog[];
    const blocks = { startBlock: BigInt(number), endBlock: BigInt(number) };
    for (const address of new Set(found.map((log) => log.address))) {
      const { data } = await this.#explorer.eventLogs.list({ address, ...blocks, limit: 1000 });
      const own = data.toReversed();
      const expected = found
        .map((log, index) => ({ ...log, index }))
        .filter((log) => log.address === address);
      this.#same(`block ${number} logs of ${address}`, own.length, expected.length);
      for (const [nth, log] of expected.entries())
        this.#fields(`block ${number} log ${log.index}`, own[nth] ?? {}, {
          data: log.data,
          transaction_hash: log.transactionHash,
          transaction_index: Number(log.transactionIndex),
          log_index: log.index,
          topics_count: log.topics.length,
          ...Object.fromEntries(log.topics.map((topic, place) => [`topic_${place}`, topic])),
        });
    }
    await this.#transfers(found, number);
  }

  async #transfers(found: readonly RpcLog[], number: number): Promise<void> {
    const { chain } = this.#follower;
    const blocks = { startBlock: BigInt(number), endBlock: BigInt(number), limit: 1000 };
    for (const log of found) {
      // Early tokens index nothing: all three words are in the data.
      const digits = [...log.topics.slice(1), log.data].map((one) => one.slice(2)).join("");
      if (log.topics[0] !== TRANSFER || digits.length !== 3 * 64) continue;
      const standard = chain.token(log.address)?.standard;
      const indexed = { 1: standard, 3: "mrc20", 4: "mrc721" }[log.topics.length];
      if (standard === undefined || standard !== indexed) continue;
      const word = (at: number) => digits.slice(at * 64, at * 64 + 64);
      const [from, to] = [0, 1].map((at): Address => `0x${word(at).slice(24)}`) as [
        Address,
        Address,
      ];
      const isArt = standard === "mrc721";
      const { data } = isArt
        ? await this.#explorer.accounts.mrc721Transfers(to, blocks)
        : await this.#explorer.accounts.mrc20Transfers(to, blocks);
      const own = data.filter(
        (one) =>
          one.token_address === log.address &&
          one.transaction_hash === log.transactionHash &&
          one.sender === from &&
          ("value" in one ? one.value === BigInt(`0x${word(2)}`) : true),
      );
      this.#same(`block ${number} transfer of ${log.address} to ${to}`, own.length > 0, true);
    }
  }

  /** The state at the head. */
  async state({ world, people, ids }: RandomHistory): Promise<void> {
    const explorer = this.#explorer;
    const contracts = Object.values(world.all).map(({ address }) => address);
    for (const account of [...people, ...contracts])
      this.#same(
        `A1 ${account}`,
        await explorer.accounts.balance(account),
        await coinsOf(this.#node, account),
      );
    for (const account of [SAVER, BLOBBER])
      this.#same(
        `coins of ${account} by transactions`,
        this.#follower.chain.balance(account),
        await coinsOf(this.#node, account),
      );
    const held = new Map<Address, string[]>(people.map((one) => [one, []]));
    const balances = new Map<Address, string[]>(people.map((one) => [one, []]));
    for (const { address } of [...world.coins, ...world.arts]) {
      const token = (name: TokenFunction, ...args: readonly unknown[]) =>
        this.#ask(address, name, args);
      this.#same(
        `T1 ${address}`,
        await explorer.tokens.totalSupply(address),
        await token("totalSupply"),
      );
      let holders = 0;
      for (const holder of people) {
        const balance = await token("balanceOf", holder);
        if (balance) {
          holders += 1;
          held.get(holder)?.push(`${address} ${await token("name")}`);
          balances.get(holder)?.push(`${address} ${balance}`);
        }
        this.#same(
          `T2 ${address} ${holder}`,
          await explorer.tokens.balance(address, holder),
          balance,
        );
      }
      this.#same(`T4 ${address}`, await explorer.tokens.holderCount(address), holders);
    }
    for (const holder of people) {
      const lists = [
        ...(await explorer.accounts.mrc20Tokens(holder).collect()),
        ...(await explorer.accounts.mrc721Tokens(holder).collect()),
      ];
      const known = new Set([...world.coins, ...world.arts].map(({ address }) => address));
      const own = lists.flatMap(({ token_address, token_name }) =>
        known.has(token_address) ? [`${token_address} ${token_name}`] : [],
      );
      this.#same(`A7 and A8 ${holder}`, own.sort(), held.get(holder)?.sort());
      const { mrc_20, mrc_721 } = (await explorer.accounts.tokens(holder, { limit: 100 })).results;
      const combined = [...mrc_20.results, ...mrc_721.results].flatMap(
        ({ token_address, balance }) =>
          known.has(token_address) ? [`${token_address} ${balance}`] : [],
      );
      this.#same(`A6 ${holder}`, combined.sort(), balances.get(holder)?.sort());
    }
    for (const account of [...people, world.mischief.address, ...contracts.slice(0, 3)]) {
      const { data } = await explorer.accounts.internalTransactions(account, { limit: 20 });
      for (const { receiver, external_receiver } of data)
        if (receiver !== null)
          this.#same(
            `A3 ${account} external_receiver of ${receiver}`,
            external_receiver,
            (await codeSizeOf(this.#node, receiver)) === 0,
          );
    }
    for (const { address } of world.arts) {
      const entries = (await explorer.accounts.inventory(address).collect()).filter(
        ({ token_id }) => ids.includes(token_id),
      );
      const expected: unknown[] = [];
      const owned = new Map<string, bigint[]>();
      for (const id of ids) {
        const owner = (await this.#ask(address, "ownerOf", [id])) as string | undefined;
        if (owner === undefined) continue;
        expected.push([id, await this.#ask(address, "tokenURI", [id])]);
        owned.set(owner.toLowerCase(), [...(owned.get(owner.toLowerCase()) ?? []), id]);
      }
      for (const holder of people) {
        const own = (await explorer.tokens.inventory(address, holder)).data
          .map(({ token_id }) => token_id)
          .filter((id) => ids.includes(id));
        this.#same(`T3 ${address} ${holder}`, own, owned.get(holder) ?? []);
      }
      this.#same(
        `A9 ${address}`,
        entries.map(({ token_id, token_uri }) => [token_id, token_uri]),
        expected,
      );
    }
  }

  async #ask(to: Address, functionName: TokenFunction, args: readonly unknown[]): Promise<unknown> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName, args } as never);
    const result = await returned(this.#node, to, data);
    if (result === undefined || result === "0x") return undefined;
    return decodeFunctionResult({ abi: tokenAbi, functionName, data: result } as never);
  }
}

/** The frames below the root as X3 has them. */
function framesBelow(
  { calls = [] }: CallFrame,
  at: readonly number[],
  failed: boolean,
): Readonly<Record<string, unknown>>[] {
  return calls.flatMap((call, index) => {
    const trace_address = [...at, index];
    const isFailed = failed || call.error !== undefined;
    const type = call.type.toLowerCase();
    const record = {
      ...{ sender: call.from, trace_type: type, trace_address },
      ...(type.startsWith("create") ? {} : { receiver: call.to }),
      ...(["call", "create", "create2"].includes(type) && { value: BigInt(call.value ?? 0) }),
      ...{ status: isFailed ? "0" : "1", sub_traces: call.calls?.length ?? 0 },
    };
    return [record, ...framesBelow(call, trace_address, isFailed)];
  });
}
