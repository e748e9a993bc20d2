// Fetches the truth about a chain from a node, by other methods than those its recording is made of.
import { TRANSFER_TOPIC } from "../mocks/chain/transfer-event.ts";
import type { Anvil } from "../test/support/anvil.ts";

interface RpcReceipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
}
interface RpcTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
}
interface RpcLog {
  readonly address: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

function logKey({ blockNumber, transactionIndex, logIndex }: RpcLog): string {
  return [blockNumber, transactionIndex, logIndex].map(Number).join("/");
}

/**
 * - `nativeBalances`: `eth_getBalance` of every account at the head
 * - `transactions`: in chain order by `eth_getTransactionByBlockNumberAndIndex`, with status and
 *   created contract by `eth_getTransactionReceipt`
 * - `miners`: the miner of each block
 * - `logs`: by contract, the keys (block/transaction/log) that `eth_getLogs` returns, and the keys
 *   of Transfer events
 */
export async function fetchOracle(node: Anvil, head: number, accounts: readonly string[]) {
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
      )) as RpcTransaction;
      const receipt = (await node.ask("eth_getTransactionReceipt", hash)) as RpcReceipt;
      const created = receipt.contractAddress;
      transactions.push({ hash, block: number, index, from, to, created, status: receipt.status });
    }
  }

  const range = { fromBlock: "0x0", toBlock: hex(head) };
  const allLogs = (await node.ask("eth_getLogs", range)) as RpcLog[];
  const logs: Record<string, { all: string[]; transfers: string[] }> = {};
  for (const address of new Set(allLogs.map((log) => log.address))) {
    const contractLogs = (await node.ask("eth_getLogs", { ...range, address })) as RpcLog[];
    const transfers = (await node.ask("eth_getLogs", {
      ...range,
      address,
      topics: [TRANSFER_TOPIC],
    })) as RpcLog[];
    logs[address] = { all: contractLogs.map(logKey), transfers: transfers.map(logKey) };
  }
  return { head, nativeBalances, transactions, miners, logs };
}
