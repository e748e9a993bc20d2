// Replaces the last blocks of a chain by others, as happens when a node follows a better branch.
import type { BlockBody, Execution, Facts } from "../body.ts";
import type { Chain } from "../chain.ts";
import { items } from "../listing.ts";
import type { Address, Block, Hash, Transaction } from "../records.ts";
import { transferIn } from "../transfer-event.ts";
import { hashOf } from "./evm.ts";
import { refuse } from "./impossible.ts";
import type { Ledger } from "./ledger.ts";

/** What a reorganisation did. */
export interface Reorganisation {
  /** The blocks that are no longer in the chain. */
  readonly undone: readonly Block[];
  /** The blocks in their place. */
  readonly blocks: readonly Block[];
  /** The transactions that are in no block any more. */
  readonly dropped: readonly Transaction[];
}

const createdIn = ({ transaction, frames }: Execution): Address[] =>
  [transaction.created, ...frames.map(({ created }) => created)].filter(
    (address) => address !== null,
  );

/** What a chain forgets of contracts when the blocks that created them go. */
function factsAbout(chain: Chain, contracts: readonly Address[]): Facts {
  const present = contracts.filter((address) => chain.code(address) !== "0x");
  const tokens = present.flatMap((address) => chain.token(address) ?? []);
  return {
    codes: present.map((address) => [address, chain.code(address)] as const),
    tokens: tokens.map(({ address, standard, name, symbol, decimals }) => ({
      address,
      standard,
      name,
      symbol,
      decimals,
    })),
    uris: tokens.flatMap(({ address }) =>
      items(chain.nfts(address)).flatMap(({ tokenId, uri }) =>
        uri === "" ? [] : [[address, tokenId, uri] as const],
      ),
    ),
    verified: present.flatMap((address) => chain.verified(address) ?? []),
  };
}

/** Lets a recorded transaction happen to a ledger, so that it is refused where something it needs was dropped. */
function replay(ledger: Ledger, { transaction, frames, logs }: Execution): void {
  const { from, to, created, value, gasUsed, gasPrice, hash, nonce, succeeded } = transaction;
  const next = ledger.useNonce(from);
  if (next !== nonce) {
    refuse(
      `${hash} of ${ledger.label(from)} has nonce ${nonce} and the next is ${next}: drop all that the account sent later, too`,
    );
  }
  ledger.debit(from, BigInt(gasUsed) * gasPrice, `for the gas of ${hash}`);
  if (succeeded === false) {
    return;
  }
  ledger.move(from, to ?? created ?? from, value);
  for (const frame of frames) {
    const receiver = frame.to ?? frame.created;
    if (!frame.undone && receiver !== null && movesValue.has(frame.type)) {
      ledger.move(frame.from, receiver, frame.value);
    }
  }
  for (const log of logs) {
    const transfer = transferIn(log);
    if (transfer?.standard === "mrc20") {
      ledger.moveToken(log.address, transfer.from, transfer.to, transfer.value);
    } else if (transfer?.standard === "mrc721") {
      ledger.moveNft(log.address, transfer.from, transfer.to, transfer.value);
    }
  }
}

const movesValue: ReadonlySet<string> = new Set(["call", "create", "create2", "selfdestruct"]);

/** The block in another's place: the transactions kept, everything counted again. */
function remade(
  { block, executions, credits = [] }: BlockBody,
  parentHash: Hash,
  branch: number,
  isDropped: (hash: Hash) => boolean,
): BlockBody {
  const kept = executions.filter(({ transaction }) => !isDropped(transaction.hash));
  const tips = (transaction: Transaction): bigint =>
    BigInt(transaction.gasUsed) * (transaction.gasPrice - (block.baseFeePerGas ?? 0n));
  const made: Block = {
    ...block,
    parentHash,
    hash: hashOf(parentHash, block.hash, branch),
    transactionCount: kept.length,
    gasUsed: kept.reduce((sum, { transaction }) => sum + transaction.gasUsed, 0),
    fees: kept.reduce((sum, { transaction }) => sum + tips(transaction), 0n),
  };
  let cumulativeGasUsed = 0;
  let logCount = 0;
  const moved = kept.map(({ transaction: before, frames, logs }, index): Execution => {
    cumulativeGasUsed += before.gasUsed;
    const transaction = { ...before, block: made, index, cumulativeGasUsed };
    const first = logCount;
    logCount += logs.length;
    return {
      transaction,
      frames: frames.map((frame) => ({ ...frame, transaction })),
      logs: logs.map((log, at) => ({ ...log, transaction, index: first + at })),
    };
  });
  return { block: made, executions: moved, credits };
}

/** Replaces the last `count` blocks; if a transaction that stays needs one that goes, it is refused and nothing changes. */
export function reorganise(
  chain: Chain,
  count: number,
  branch: number,
  ledgerOf: () => Ledger,
  isDropped: (hash: Hash) => boolean,
): Reorganisation {
  const { number } = chain.head;
  const bodies = Array.from({ length: count }, (_, at) =>
    chain.body(number - count + 1 + at),
  ).filter((body) => body !== undefined);
  const executions = bodies.flatMap((body) => body.executions);
  const dropped = executions
    .map(({ transaction }) => transaction)
    .filter(({ hash }) => isDropped(hash));
  const facts = factsAbout(
    chain,
    executions.filter(({ transaction }) => !isDropped(transaction.hash)).flatMap(createdIn),
  );
  const before = chain.snapshot();
  chain.rewind(count);
  try {
    const blocks = bodies.map((body) => {
      const made = remade(body, chain.head.hash, branch, isDropped);
      if (dropped.length > 0) {
        const ledger = ledgerOf();
        for (const [account, amount] of made.credits ?? []) {
          ledger.credit(account, amount);
        }
        for (const execution of made.executions) {
          replay(ledger, execution);
        }
      }
      chain.append(made);
      return made.block;
    });
    chain.tell(facts);
    return { undone: bodies.map(({ block }) => block), blocks, dropped };
  } catch (impossible) {
    chain.restore(before);
    throw impossible;
  }
}
