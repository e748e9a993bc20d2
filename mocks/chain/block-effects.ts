// What a block did: which transactions failed, which contracts they created, and every move of coins, in order.
import type { BlockInput } from "./block-input.ts";
import { movesValue } from "./kinds.ts";
import type { Address, Block, ChainTransaction, Frame } from "./records.ts";
import type { TransferEvent } from "./transfer-event.ts";

/** Whether a transaction failed; of its error, only whether there is one. */
export type Outcome = Pick<ChainTransaction, "succeeded"> & { readonly error: unknown };

/** By its receipt; before Byzantium, whose receipts have no status, by its trace. */
const hasFailed = ({ succeeded, error }: Outcome): boolean =>
  succeeded === false || (succeeded === null && error !== null);

/** The fields of a transaction and its frames that say which contracts it created. */
interface Creating<Account> {
  readonly transaction: Outcome & { readonly created: Account | null };
  readonly frames: readonly (Pick<Frame, "undone"> & { readonly created: Account | null })[];
}

/** The contracts it created, unless that failed. */
export function* createdIn<Account>({
  transaction,
  frames,
}: Creating<Account>): Generator<Account> {
  if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
  for (const { created, undone } of frames) if (created !== null && !undone) yield created;
}

/** Coins that move between accounts. From null they are new, to null they are gone. */
export interface CoinMove {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly value: bigint;
  /** Null for rewards and other moves outside of transactions. */
  readonly transaction: ChainTransaction | null;
}

/** Who takes part in a transaction or frame: addresses, or accounts by number. */
export interface PartiesOf<Account> {
  readonly from: Account;
  readonly to: Account | null;
  readonly created: Account | null;
}

/** The fields of a transaction that say which coins it moves. */
export type CoinTransaction<Account = Address> = PartiesOf<Account> &
  Outcome &
  Pick<ChainTransaction, "value" | "gasUsed" | "gasPrice">;
/** The fields of a frame that say which coins it moves. */
export type CoinFrame<Account = Address> = PartiesOf<Account> &
  Pick<Frame, "type" | "value" | "undone">;

export interface CoinExecution<Account = Address, Transaction = CoinTransaction<Account>> {
  readonly transaction: Transaction;
  readonly frames: readonly CoinFrame<Account>[];
}

/** Called for each move of coins: nested generators made generating a chain a quarter slower. */
type Visit<Account, Transaction> = (
  from: Account | null,
  to: Account | null,
  value: bigint,
  transaction: Transaction | null,
) => void;

/** Visits every move of coins in a block. */
export function visitCoinMoves(
  { block, executions, credits = [] }: BlockInput,
  visit: Visit<Address, ChainTransaction>,
): void {
  let { fees } = block;
  for (const execution of executions) {
    visitExecutionMoves(execution, visit);
    const { transaction } = execution;
    const tip = BigInt(transaction.gasUsed) * (transaction.gasPrice - (block.baseFeePerGas ?? 0n));
    fees -= tip;
    change(block.miner, tip, transaction, visit);
  }
  change(block.miner, fees + block.miningReward, null, visit);
  for (const [account, amount] of credits) change(account, amount, null, visit);
}

/** The same moves added up for the miner, who gets all tips at once: for who needs the sums alone. */
export function visitSummedMoves(input: BlockInput, visit: Visit<Address, ChainTransaction>): void {
  for (const execution of input.executions) visitExecutionMoves(execution, visit);
  visitRewards(input, visit);
}

/** The moves of a block outside of its transactions, and all tips together. */
export function visitRewards(
  { block, credits = [] }: Pick<BlockInput, "block" | "credits">,
  visit: Visit<Address, never>,
): void {
  change(block.miner, block.fees + block.miningReward, null, visit);
  for (const [account, amount] of credits) change(account, amount, null, visit);
}

/** The moves of one transaction, without the miner's tip. */
export function visitExecutionMoves<Account, Transaction extends CoinTransaction<Account>>(
  { transaction, frames }: CoinExecution<Account, Transaction>,
  visit: Visit<Account, Transaction>,
): void {
  const fee = transaction.gasPrice * BigInt(transaction.gasUsed);
  if (fee > 0n) visit(transaction.from, null, fee, transaction);
  if (!hasFailed(transaction)) moved(transaction, transaction, visit);
  if (frames.length === 0) return;
  for (const frame of frames) {
    if (!frame.undone && movesValue(frame.type)) moved(frame, transaction, visit);
  }
  for (const [account, balance] of destroyedBalances(transaction.created, frames)) {
    change(account, -balance, transaction, visit);
  }
}

const NONE: ReadonlyMap<never, bigint> = new Map<never, bigint>();

/** The contracts that selfdestruct in the transaction that created them, with the coins destroyed along with them. */
export function destroyedBalances<Account>(
  created: Account | null,
  frames: readonly CoinFrame<Account>[],
): ReadonlyMap<Account, bigint> {
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return NONE;
  const destroyed = new Map<Account, bigint>();
  const effective = frames.filter(({ undone, type }) => !undone && movesValue(type));
  const createdHere = new Set([created, ...effective.map((frame) => frame.created)]);
  const add = (account: Account | null, amount: bigint) => {
    const balance = account === null ? undefined : destroyed.get(account);
    if (account !== null && balance !== undefined) destroyed.set(account, balance + amount);
  };
  for (const { type, from, to, created, value } of effective) {
    if (type === "selfdestruct" && createdHere.has(from))
      destroyed.set(from, destroyed.get(from) ?? value);
    const receiver = to ?? created;
    if (receiver !== null) add(from, -value);
    add(receiver, value);
  }
  return destroyed;
}

function moved<Account, Transaction>(
  { from, to, created, value }: CoinTransaction<Account> | CoinFrame<Account>,
  transaction: Transaction,
  visit: Visit<Account, Transaction>,
): void {
  const receiver = to ?? created;
  if (value !== 0n && receiver !== null) visit(from, receiver, value, transaction);
}

function change<Account, Transaction>(
  account: Account | null,
  amount: bigint,
  transaction: Transaction | null,
  visit: Visit<Account, Transaction>,
): void {
  if (amount > 0n) visit(null, account, amount, transaction);
  if (amount < 0n) visit(account, null, -amount, transaction);
}

/** The addresses of a segment by their numbers: to read them for every move takes most of the time. */
export interface AddressBook {
  account(number: number): Address;
  /** The holder in a topic, by the topic's number. */
  holder(topic: number): Address;
}

/** A transfer; its holders are numbers of topics, or, if the log has them in its data, addresses. */
export interface PackedTransfer {
  readonly token: Address;
  readonly event: TransferEvent<number | Address>;
}

/** The address of a holder in a packed transfer. */
export const holderIn = (addressBook: AddressBook, holder: number | Address): Address =>
  typeof holder === "number" ? addressBook.holder(holder) : holder;

/** A packed transfer's event with the addresses of its holders. */
export const namedIn = (
  addressBook: AddressBook,
  event: PackedTransfer["event"],
): TransferEvent => ({
  ...event,
  from: holderIn(addressBook, event.from),
  to: holderIn(addressBook, event.to),
});

export interface BlockEffects {
  readonly addressBook: AddressBook;
  readonly block: Block;
  /** What its transactions moved, without what changes no balance, such as their hashes and input. */
  readonly executions: readonly CoinExecution<number>[];
  /** In chain order. */
  readonly transfers: readonly PackedTransfer[];
  readonly credits: NonNullable<BlockInput["credits"]>;
}
