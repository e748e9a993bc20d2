// Mines pending transactions into a block on top of a chain.
import type { Block } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { type BlockHeader, makeBlock } from "./block.ts";
import { nextBaseFee } from "./gas.ts";
import type { PendingPool } from "./pending-pool.ts";
import { applyTransaction, type PendingTransaction } from "./transaction.ts";

/** Mines these transactions of the pool. Refused, with no change, if they or those that stay pending are not possible. */
export function mineBlock(
  chain: ChainWriter,
  pool: PendingPool,
  header: BlockHeader,
  transactions: readonly PendingTransaction[],
  branch: number,
): Block {
  const { miner, baseFeePerGas, miningReward } = header;
  const ledger = pool.newLedger();
  for (const transaction of transactions) {
    applyTransaction(ledger, transaction, { baseFeePerGas, miner });
  }
  const headState = ledger.headState();
  const input = makeBlock(header, transactions, branch);

  const mined = new Set(transactions);
  const remaining = pool.transactions.filter((transaction) => !mined.has(transaction));
  const next = { baseFeePerGas: nextBaseFee(input.block), miner: null };
  ledger.credit(miner, miningReward);
  for (const transaction of remaining) {
    applyTransaction(ledger, transaction, next);
  }

  chain.append(input);
  chain.applyHeadState(headState);
  pool.reset(remaining);
  return input.block;
}
