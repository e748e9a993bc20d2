// Asks a node for the truth about a chain by other methods than the ones its dump is made of.
import type { Anvil } from "../test/support/anvil.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface Receipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
}
interface Transaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
}
interface Log {
  readonly address: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

function logKey({ blockNumber, transactionIndex, logIndex }: Log): string {
  return [blockNumber, transactionIndex, logIndex].map(Number).join("/");
}

/**
 * - `nativeBalances`: `eth_getBalance` of every account at the head;
 * - `transactions`: in chain order by `eth_getTransactionByBlockNumberAndIndex`, status and creation by
 *   `eth_getTransactionReceipt`;
 * - `miners`: by block,
 * - `logs`: by emitting contract, the keys (block/transaction/log) `eth_getLogs` gives, and those of its Transfers.
 */
export async function askOracle(node: Anvil, head: number, accounts: readonly string[]) {
  const nativeBalances: Record<string, string> = {};
  for (const account of accounts) {
    nativeBalances[account] = String(
      BigInt(String(await node.ask("eth_getBalance", account, "latest"))),
    );
  }

  const transactions: object[] = [];
  const miners: string[] = [];
  for (let number = 0; number <= head; number += 1) {
    const block = (await node.ask("eth_getBlockByNumber", hex(number), false)) as { miner: string };
    miners.push(block.miner);
    const count = Number(await node.ask("eth_getBlockTransactionCountByNumber", hex(number)));
    for (let index = 0; index < count; index += 1) {
      const { hash, from, to } = (await node.ask(
        "eth_getTransactionByBlockNumberAndIndex",
        hex(number),
        hex(index),
      )) as Transaction;
      const receipt = (await node.ask("eth_getTransactionReceipt", hash)) as Receipt;
      const created = receipt.contractAddress;
      transactions.push({ hash, block: number, index, from, to, created, status: receipt.status });
    }
  }

  const range = { fromBlock: "0x0", toBlock: hex(head) };
  const all = (await node.ask("eth_getLogs", range)) as Log[];
  const logs: Record<string, { all: string[]; transfers: string[] }> = {};
  for (const address of new Set(all.map((log) => log.address))) {
    const own = (await node.ask("eth_getLogs", { ...range, address })) as Log[];
    const transfers = (await node.ask("eth_getLogs", {
      ...range,
      address,
      topics: [TRANSFER],
    })) as Log[];
    logs[address] = { all: own.map(logKey), transfers: transfers.map(logKey) };
  }
  return { head, nativeBalances, transactions, miners, logs };
}
