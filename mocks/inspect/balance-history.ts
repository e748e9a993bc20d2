// An account's balance after each of the last blocks that changed it: from the balance at the head backwards, by the coins that moved.
import { visitExecutionMoves } from "../chain/block-effects.ts";
import type { Listing } from "../chain/reader.ts";
import type { Address, Block, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";

/** A balance after a block. */
export interface BalanceAfter {
  readonly block: Block;
  readonly balance: bigint;
}

export interface BalanceHistory {
  /** Oldest first. */
  readonly points: readonly BalanceAfter[];
  /** Whether no earlier block changed the balance. */
  readonly complete: boolean;
}

/** Records read for one history, so that an account with a thousand transactions in each block costs no more than others. */
const MAX_RECORDS = 1000;

/** The changes of a balance by a block. */
interface BlockChanges {
  readonly block: Block;
  readonly transactions: Set<Hash>;
  /** By mining, and by credits. */
  other: bigint;
}

/** The last blocks that may have changed a balance, the newest first, up to `limit`; `older`: there may be others. */
function lastChanges(chain: ChainWriter, account: Address, limit: number, most: number) {
  const blocks = new Map<number, BlockChanges>();
  const changesIn = (block: Block): BlockChanges => {
    const known = blocks.get(block.number) ?? { block, transactions: new Set<Hash>(), other: 0n };
    blocks.set(block.number, known);
    return known;
  };
  /** All older records are of blocks up to this one, which may lack some. */
  let unread = -1;
  /** Reads a list from its end until it is of more than `limit` blocks. */
  function readBack<Item>(
    list: Listing<Item>,
    blockOf: (item: Item) => Block,
    read: (item: Item, changes: BlockChanges) => void,
  ) {
    const seen = new Set<number>();
    for (let index = list.count - 1; index >= 0; index--) {
      const item = list.at(index);
      const block = blockOf(item);
      seen.add(block.number);
      if (seen.size > limit || list.count - index > most) {
        unread = Math.max(unread, block.number);
        return;
      }
      read(item, changesIn(block));
    }
  }
  readBack(
    chain.transactions(account, "all", {}),
    ({ block }) => block,
    ({ hash }, { transactions }) => transactions.add(hash),
  );
  readBack(
    chain.frames(account, {}),
    ({ transaction }) => transaction.block,
    ({ transaction }, { transactions }) => transactions.add(transaction.hash),
  );
  readBack(
    chain.blocksMinedBy(account),
    (block) => block,
    (block, changes) => {
      changes.other += block.fees + block.miningReward;
    },
  );
  const firstBlock = chain.head.number - chain.length + 1;
  for (let number = Math.max(firstBlock, unread + 1); number <= chain.head.number; number++) {
    const { block, credits = [] } = chain.blockInput(number) ?? {};
    for (const [to, value] of credits) if (block && to === account) changesIn(block).other += value;
  }
  const known = [...blocks.values()].filter(({ block }) => block.number > unread);
  const newest = known.sort((one, other) => other.block.number - one.block.number);
  return { changes: newest.slice(0, limit), older: unread >= 0 || newest.length > limit };
}

/** The change of an account's balance by a transaction, without the miner's tip. */
function changeBy(chain: ChainWriter, account: Address, hash: Hash): bigint {
  const execution = chain.execution(hash);
  let change = 0n;
  if (execution === undefined) return change;
  visitExecutionMoves(execution, (from, to, value) => {
    if (from === account) change -= value;
    if (to === account) change += value;
  });
  return change;
}

/**
 * The balance after each of the last blocks that changed it. If a node set the balance in other ways, the blocks do not explain it: the history
 * ends where it would be negative.
 */
export function balanceHistory(
  chain: ChainWriter,
  account: Address,
  limit: number,
  most = MAX_RECORDS,
): BalanceHistory {
  const { changes, older } = lastChanges(chain, account, limit, most);
  const points: BalanceAfter[] = [];
  let balance = chain.balance(account);
  for (const { block, transactions, other } of changes) {
    points.push({ block, balance });
    balance -= other;
    for (const hash of transactions) balance -= changeBy(chain, account, hash);
    if (balance < 0n) return { points: points.reverse(), complete: false };
  }
  return { points: points.reverse(), complete: !older && balance === 0n };
}
