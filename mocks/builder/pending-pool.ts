// The transactions that wait to be mined, and the state after them.
import type { Block, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { type BlockHeader, type BlockOptions, makeBlock } from "./block.ts";
import { refuse } from "./evm.ts";
import { nextBaseFee } from "./gas.ts";
import { BuilderLedger, type Label } from "./ledger.ts";
import { applyTransaction, type PendingTransaction, type SentTransaction } from "./transaction.ts";

export class PendingPool {
  readonly #chain: ChainWriter;
  readonly #label: Label;
  readonly #isGasFree: () => boolean;
  #transactions = new Map<Hash, PendingTransaction>();
  /**
   * The head and the rewind count that the pending transactions build on. If something else changes
   * them, the pending transactions are dropped.
   */
  #head: Hash;
  #rewindCount: number;
  /** The state after all pending transactions; null until it is needed. */
  #ledger: BuilderLedger | null = null;

  constructor(chain: ChainWriter, label: Label, isGasFree: () => boolean) {
    this.#chain = chain;
    this.#label = label;
    this.#isGasFree = isGasFree;
    this.#head = chain.head.hash;
    this.#rewindCount = chain.rewindCount;
  }

  /** The pending transactions, in the order they were sent. */
  get transactions(): readonly PendingTransaction[] {
    this.#dropIfOutdated();
    return [...this.#transactions.values()];
  }

  get ledger(): BuilderLedger {
    this.#dropIfOutdated();
    if (this.#ledger === null) {
      this.#ledger = this.#newLedger();
      for (const transaction of this.#transactions.values()) {
        applyTransaction(this.#ledger, transaction, this.#blockContext());
      }
    }
    return this.#ledger;
  }

  nextBaseFee(): bigint | null {
    return this.#isGasFree() ? 0n : nextBaseFee(this.#chain.head);
  }

  #newLedger(): BuilderLedger {
    return new BuilderLedger(this.#chain, this.#label);
  }

  /** Adds a transaction, or refuses it and changes nothing. */
  add(transaction: PendingTransaction): SentTransaction {
    const { ledger } = this;
    const before = ledger.checkpoint();
    try {
      applyTransaction(ledger, transaction, this.#blockContext());
    } catch (error) {
      ledger.revertTo(before);
      throw error;
    }
    this.#transactions.set(transaction.sent.hash, transaction);
    return transaction.sent;
  }

  get(hash: Hash): PendingTransaction {
    this.#dropIfOutdated();
    return (
      this.#transactions.get(hash) ??
      refuse(`transaction ${hash} is not pending: it is already mined, or was never sent`)
    );
  }

  /**
   * Appends a block with these transactions. Refuses a block, and changes nothing, if the other
   * pending transactions would be impossible after it.
   */
  mine(
    transactions: readonly PendingTransaction[],
    header: BlockHeader,
    branch: number,
    rewards: BlockOptions["rewards"],
  ): Block {
    const { baseFeePerGas, miningReward } = header;
    const miner = rewards === undefined ? header.miner : null;
    const ledger = this.#newLedger();
    for (const transaction of transactions)
      applyTransaction(ledger, transaction, { baseFeePerGas, miner });
    const headState = ledger.headState();
    const input = makeBlock(header, transactions, branch, rewards);

    for (const { addr, reward } of rewards ?? [{ addr: header.miner, reward: miningReward }])
      ledger.credit(addr, reward);
    const mined = new Set(transactions);
    const remaining = this.transactions.filter((pending) => !mined.has(pending));
    const next = { baseFeePerGas: nextBaseFee(input.block), miner: null };
    for (const transaction of remaining) applyTransaction(ledger, transaction, next);

    this.#chain.append(input);
    this.#chain.applyHeadState(headState);
    this.reset(remaining);
    return input.block;
  }

  /** Starts again at the head, with these transactions. */
  reset(transactions: readonly PendingTransaction[] = []): void {
    this.#transactions = new Map(transactions.map((pending) => [pending.sent.hash, pending]));
    this.#head = this.#chain.head.hash;
    this.#rewindCount = this.#chain.rewindCount;
    this.#ledger = null;
  }

  /** Makes the ledger read the chain again, after its head state changed. */
  refresh(): void {
    this.#ledger = null;
  }

  #blockContext() {
    return { baseFeePerGas: this.nextBaseFee(), miner: null };
  }

  #dropIfOutdated(): void {
    const { head, rewindCount } = this.#chain;
    if (this.#head !== head.hash || this.#rewindCount !== rewindCount) this.reset();
  }
}
