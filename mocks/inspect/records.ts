// The records of `/inspect`, which is not part of the specification. Runs in browsers.
import * as z from "zod/mini";
import { type Decoded, type Encoded, list, model } from "../../src/models/model.ts";
import {
  address,
  amount,
  flag,
  hash,
  hex,
  integer,
  orNull,
  status,
  text,
  timestamp,
} from "../../src/models/primitives.ts";
import { chainOrigins } from "../chain/reader.ts";
import { standards } from "../chain/records.ts";

/** Head of the chain when the answer was read. */
export const HeadBlock = model({
  block_number: integer,
  block_hash: hash,
  timestamp,
});

export const InspectedBlock = model({
  block_number: integer,
  block_hash: hash,
  parent_hash: hash,
  timestamp,
  miner: address,
  gas_used: orNull(integer),
  gas_limit: orNull(integer),
  /** Per unit of gas; null before EIP-1559 (https://eips.ethereum.org/EIPS/eip-1559). */
  base_fee_per_gas: orNull(amount),
  transaction_count: integer,
  /** The part of the fees that the miner receives. */
  fees: amount,
  mining_reward: amount,
});
export interface InspectedBlock extends Decoded<typeof InspectedBlock> {}

export const InspectedTransaction = model({
  transaction_hash: hash,
  block_number: integer,
  timestamp,
  transaction_index: integer,
  sender: address,
  /** Null for a contract creation. */
  receiver: orNull(address),
  /** The contract that a creation creates, even if it fails; null for a call. */
  contract_address: orNull(address),
  value: amount,
  /** "1" success, "0" failure; null before EIP-658 (https://eips.ethereum.org/EIPS/eip-658). */
  tx_status: orNull(status),
  /** Fee, with an L2's fee for data. Null if unknown, or if it was paid in a token. */
  tx_fee: orNull(amount),
  /** Selector; null for a creation, or if the input is shorter than four bytes. */
  method: orNull(hex),
  /** Name of the function; null if no ABI has it. */
  method_name: orNull(text),
});
export interface InspectedTransaction extends Decoded<typeof InspectedTransaction> {}

export const InspectedAccount = model({
  address,
  /** Transactions that it sent, received, or was created by. */
  transaction_count: integer,
  balance: amount,
  is_contract: flag,
});
export interface InspectedAccount extends Decoded<typeof InspectedAccount> {}

export { hasIds, perStandard, standards } from "../chain/records.ts";

const tokenFields = {
  token_address: address,
  standard: z.enum(standards),
  token_name: orNull(text),
  token_symbol: orNull(text),
  token_decimals: orNull(integer),
};

export const InspectedToken = model({
  ...tokenFields,
  total_supply: amount,
  holder_count: integer,
});
export interface InspectedToken extends Decoded<typeof InspectedToken> {}

const DecodedValue = model({
  /** Name of the argument, or its position if it has none. */
  name: text,
  type: text,
  /** Lists and structs as JSON; cut after 2000 characters. */
  value: text,
  /** Decimals of the token, if the value is an amount of a token; otherwise null. */
  decimals: orNull(integer),
  /** Symbol of that token. */
  symbol: orNull(text),
});

export const InspectedContract = model({
  address,
  contract_name: text,
  compiler: text,
  verify_date: timestamp,
  /** "exact" or "partial"; null for a source that was loaded as verified. */
  verify_level: orNull(text),
  /** Null if the contract is not a token, or has no symbol. */
  token_symbol: orNull(text),
});
export interface InspectedContract extends Decoded<typeof InspectedContract> {}

export const ShownSource = model({
  contract_name: text,
  compiler: text,
  /** Runs of the optimizer; null if it was off. */
  runs: orNull(integer),
  verify_date: timestamp,
  /** "exact" or "partial"; null for a source that was loaded as verified. */
  verify_level: orNull(text),
  verify_message: orNull(text),
  /** Parts that the proof leaves open. */
  verify_uncovered: list(text),
  /** Libraries that the code is linked to. */
  libraries: list(model({ name: text, address })),
  /** Address of the metadata file, such as `ipfs://Qm…`; empty if the code names none. */
  metadata: text,
  /** Hexadecimal. */
  constructor_arguments: text,
  constructor_values: list(DecodedValue),
  /** The file that declares the contract comes first, those of libraries last. */
  files: list(model({ name: text, text })),
});
export interface ShownSource extends Decoded<typeof ShownSource> {}

/** Name of an address, taken from its token or its verified source. */
export const AddressName = model({
  address,
  name: text,
  kind: z.enum(["contract", "token"]),
});

/** A decoded call, creation, error or log. */
export const DecodedData = model({
  /** Name of the function, error or event; for a creation, of the contract. */
  name: text,
  /** "transfer(address,uint256)" */
  signature: text,
  arguments: list(DecodedValue),
  /** Whether only the selector matched: that of a standard, or of another verified contract. */
  is_standard: flag,
});
export interface DecodedData extends Decoded<typeof DecodedData> {}
export type DecodedWire = Encoded<typeof DecodedData>;

export const InspectedCall = model({
  trace_address: list(z.int()),
  /** "call", "delegatecall", "create" … */
  type: text,
  sender: address,
  receiver: orNull(address),
  /** Contract that it created. */
  created: orNull(address),
  value: amount,
  gas_used: orNull(integer),
  /** Whether the call or a call around it failed. */
  undone: flag,
  /** Null if the call has no error of its own. */
  reason: orNull(text),
  /** The custom error; null for other errors. */
  error: orNull(DecodedData),
  call: orNull(DecodedData),
  /** Null without an ABI, or without a node that has a call tracer. */
  returned: orNull(DecodedData.shape.arguments),
});
export interface InspectedCall extends Decoded<typeof InspectedCall> {}

const FailedCall = model({
  trace_address: list(z.int()),
  address: orNull(address),
  call: orNull(DecodedData),
  reason: text,
  error: orNull(DecodedData),
  /** Whether the call passed on the error of the next call in the list. */
  passed_on: flag,
});

export const CallFailure = model({
  /** "division or modulo by zero", "NotEnough(has: 100)", "out of gas" */
  reason: text,
  /** Form of the revert data: a text, Solidity's panic, a custom error, unknown bytes, or none. */
  kind: z.enum(["message", "panic", "error", "bytes", "none"]),
  error: orNull(DecodedData),
  output: hex,
  /** Error message in the trace. */
  trace_error: text,
  /** Calls from the transaction down to the one in which the failure began. */
  path: list(FailedCall),
});
export interface CallFailure extends Decoded<typeof CallFailure> {}
export type FailureWire = Encoded<typeof CallFailure>;

export const InspectedLog = model({
  log_index: integer,
  address,
  topics: list(hash),
  data: hex,
  /** Null if no ABI has the event. */
  event: orNull(DecodedData),
});
export interface InspectedLog extends Decoded<typeof InspectedLog> {}

const partOf = { transaction_hash: hash, block_number: integer, timestamp };

export const ListedLog = model({ ...partOf, ...InspectedLog.shape });
export interface ListedLog extends Decoded<typeof ListedLog> {}

const { method, method_name } = InspectedTransaction.shape;

export const InspectedInternal = model({
  ...partOf,
  trace_address: list(z.int()),
  /** "call", "delegatecall", "create" … */
  type: text,
  sender: address,
  receiver: orNull(address),
  /** Contract that it creates. */
  contract_address: orNull(address),
  value: amount,
  gas_used: orNull(integer),
  /** Whether the call or a call around it failed. */
  undone: flag,
  method,
  method_name,
});
export interface InspectedInternal extends Decoded<typeof InspectedInternal> {}

export const InspectedTransfer = model({
  ...partOf,
  log_index: integer,
  method,
  method_name,
  ...tokenFields,
  sender: address,
  receiver: address,
  /** Null for an MRC721 transfer. */
  value: orNull(amount),
  /** Null for an MRC20 transfer. */
  token_id: orNull(amount),
});
export interface InspectedTransfer extends Decoded<typeof InspectedTransfer> {}

export const BalanceChange = model({
  address,
  /** Null for coins. */
  token: orNull(model(tokenFields)),
  /** Balances before and after; both null if no node knows them. */
  before: orNull(amount),
  after: orNull(amount),
  /** Difference such as "-5". If the balances are unknown, the sum of transfers and calls. */
  change: text,
});
export interface BalanceChange extends Decoded<typeof BalanceChange> {}

export const StateChange = model({
  address,
  what: z.enum(["storage", "nonce", "code"]),
  /** Null for a nonce and for code. */
  slot: orNull(hash),
  /** A word of storage, a nonce, or code; cut after 2000 characters. */
  before: text,
  after: text,
  /** The variables of the slot that changed; empty without a storage layout. */
  variables: list(
    model({
      /** "owner", "balanceOf[0x5fbd…]", "names.length" */
      name: text,
      type: text,
      before: text,
      after: text,
    }),
  ),
});
export interface StateChange extends Decoded<typeof StateChange> {}
export type StateChangeWire = Encoded<typeof StateChange>;

export const InspectedHolder = model({
  address,
  /** Amount of an MRC20 token, or number of ids of an MRC721 token. */
  balance: amount,
});

export const InspectedHolding = model({ ...tokenFields, balance: amount });
export interface InspectedHolding extends Decoded<typeof InspectedHolding> {}

export const InspectedNft = model({
  token_id: amount,
  owner: address,
  /** Empty if the contract has none. */
  token_uri: text,
});
export interface InspectedNft extends Decoded<typeof InspectedNft> {}

/** Counts of each of the last blocks, oldest first. */
export const Activity = model({
  first_block: integer,
  transaction_counts: list(integer),
  failed_counts: list(integer),
  gas_used: list(integer),
});

export const ChainSource = model({
  /** `built` is a chain of a program, such as a test. */
  kind: z.enum(chainOrigins),
  /** Name of the folder, or host and port of the node; null for other kinds. */
  name: orNull(text),
});

export const NodeProgress = model({
  state: z.enum(["restoring", "connecting", "catching-up", "following", "failing", "stuck"]),
  /** Number of the node's last block; null before it responds. */
  node_head: orNull(integer),
  /** Blocks behind the node; null before it responds. */
  lag: orNull(integer),
  /** While catching up; null at the head. */
  blocks_per_second: orNull(z.number()),
  transactions_per_second: orNull(z.number()),
  seconds_left: orNull(z.number()),
  /** Parts that the node did not return and will be asked for again, at most 20. */
  missing: list(text),
  /** Stays after the node has recovered. */
  last_error: orNull(model({ message: text, at: timestamp })),
});

export const Candidate = z.discriminatedUnion("kind", [
  model({ kind: z.literal("block"), block_number: integer, block_hash: hash }),
  model({ kind: z.literal("transaction"), transaction_hash: hash, block_number: integer }),
  model({
    kind: z.literal("account"),
    address,
    is_contract: flag,
    transaction_count: integer,
    balance: amount,
  }),
  model({ kind: z.literal("token"), ...InspectedToken.shape }),
  model({ kind: z.literal("contract"), ...InspectedContract.shape }),
  model({
    kind: z.enum(["function", "event", "error"]),
    /** "transfer(address,uint256)", or the selector if no source declares it. */
    signature: text,
    selector: hex,
    /** Transactions that call the function, or logs of the event; null for an error. */
    count: orNull(integer),
  }),
]);
export type Candidate = Decoded<typeof Candidate>;
