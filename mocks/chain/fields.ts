// What blocks, transactions, frames and logs hold: the one list of their fields. Packing in memory, the store, what is read from a node, the
// builder and the generator follow it.
import {
  address,
  amount,
  type Field,
  flag,
  frameType,
  hash,
  hashes,
  hex,
  type Kind,
  type NodeObject,
  number,
  numbers,
  optional,
  orNull,
  text,
} from "./record-codec.ts";

/** A field as a node has it. */
const field = <Value, const At extends `${NodeObject}.${string}`>(
  kind: Kind<Value>,
  at: At,
): Field<Value, At> => ({ kind, at });

/** A field that the reader of a node's responses makes. */
const made = <Value>(kind: Kind<Value>): Field<Value, undefined> => ({
  kind,
  at: undefined,
});

export const blockFields = {
  number: field(number, "block.number"),
  hash: field(hash, "block.hash"),
  parentHash: field(hash, "block.parentHash"),
  /** Seconds since 1970. */
  timestamp: field(number, "block.timestamp"),
  miner: field(address, "block.miner"),
  gasUsed: field(orNull(number), "block.gasUsed"),
  gasLimit: field(orNull(number), "block.gasLimit"),
  baseFeePerGas: field(orNull(amount), "block.baseFeePerGas"),
  transactionCount: made(number),
  /** The fees the miner receives, without the base fee, which is burnt. */
  fees: made(amount),
  /** Issuance, uncle rewards included; 0 on chains without. */
  miningReward: made(amount),
};

/** Besides its hash, which a segment finds it by. */
export const transactionFields = {
  from: field(address, "transaction.from"),
  /** Null for a creation. */
  to: field(orNull(address), "transaction.to"),
  /** The address of the contract it creates, even if that fails; null for a call. */
  created: made(orNull(address)),
  value: field(amount, "transaction.value"),
  /** Null before the Byzantium fork, whose receipts have no status. */
  succeeded: made(orNull(flag)),
  /** The error in its trace; null if it succeeded or has no trace. */
  error: made(orNull(text)),
  /** In gas. */
  gasUsed: field(orNull(number), "receipt.gasUsed"),
  /** The effective price; null if no node states it. */
  gasPrice: made(orNull(amount)),
  /** Who pays for the gas, if not the sender: Metadium's fee delegation (type 0x16). */
  feePayer: field(optional(address), "transaction.feePayer"),
  /** The token that pays for the gas instead of coins, on Celo; the gas price is then in it. */
  feeCurrency: field(optional(address), "transaction.feeCurrency"),
  /** New coins for its sender, even if it fails: a deposit of an L2. */
  mint: field(optional(amount), "transaction.mint"),
  /** The fee for its data on the L1, beside that for gas: an L2's. */
  l1Fee: field(optional(amount), "receipt.l1Fee"),
  nonce: field(orNull(number), "transaction.nonce"),
  gasLimit: field(orNull(number), "transaction.gas"),
  cumulativeGasUsed: field(orNull(number), "receipt.cumulativeGasUsed"),
  maxFeePerGas: field(orNull(amount), "transaction.maxFeePerGas"),
  maxPriorityFeePerGas: field(orNull(amount), "transaction.maxPriorityFeePerGas"),
  input: field(hex, "transaction.input"),
  /** What it returned, if it failed and returned something: the reason, ABI-encoded. */
  output: made(optional(hex)),
};

/** The fields of frames are in their traces, which `mocks/ingest` reads. */
export const frameFields = {
  type: made(frameType),
  from: made(address),
  to: made(orNull(address)),
  /** The contract a create frame created, else null. */
  created: made(orNull(address)),
  value: made(amount),
  /** It or an ancestor failed, so its effects are reverted. */
  undone: made(flag),
  traceAddress: made(numbers),
  gasLimit: made(orNull(number)),
  gasUsed: made(orNull(number)),
  /** Its own error, if it has one. */
  error: made(orNull(text)),
  /** The number of direct children. */
  subTraces: made(number),
  input: made(hex),
  /** What it returned, if it has an error of its own and returned something: the reason, ABI-encoded. */
  output: made(optional(hex)),
};

export const logFields = {
  address: field(address, "log.address"),
  topics: field(hashes, "log.topics"),
  /** Position in the block. */
  index: field(number, "log.logIndex"),
  data: field(hex, "log.data"),
};
