// The fields of blocks, transactions, frames and logs: the only list of them, which the store, the
// node reader and the builder use.
import type { Address, Hash, Hex } from "../../src/models/primitives.ts";

/**
 * The types of call frames. `unknown` stands for a type that only one chain has. Arbitrum, for example, moves coins
 * outside of contract code.
 */
export const FRAME_TYPES = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
  "unknown",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

/** Whether a frame of this type creates a contract. */
export const isCreation = (type: FrameType): boolean => type === "create" || type === "create2";

const WITHOUT_VALUE: ReadonlySet<FrameType> = new Set(["delegatecall", "staticcall", "callcode"]);

/**
 * Whether a frame of this type moves coins. The value of any other frame moves nothing: a
 * delegatecall, for example, repeats the value of its caller.
 */
export const movesValue = (type: FrameType): boolean => !WITHOUT_VALUE.has(type);

export interface Kind<Value> {
  readonly name: string;
  /** Never set; carries the type `Value`. */
  readonly value?: Value;
}

/** A kind whose values may be missing. */
export interface MaybeKind<Value, Missing> extends Kind<Value | Missing> {
  readonly valueKind: Kind<Value>;
  readonly missing: Missing;
}

const kind = <Value>(name: string): Kind<Value> => ({ name });

export const number = kind<number>("number");
export const numbers = kind<readonly number[]>("numbers");
export const amount = kind<bigint>("amount");
export const hex = kind<Hex>("hex");
export const address = kind<Address>("address");
export const hash = kind<Hash>("hash");
export const hashes = kind<readonly Hash[]>("hashes");
export const text = kind<string>("text");
export const flag = kind<boolean>("flag");
export const frameType = kind<FrameType>("frameType");

export const orNull = <Value>(valueKind: Kind<Value>): MaybeKind<Value, null> => ({
  name: `null or ${valueKind.name}`,
  valueKind,
  missing: null,
});

/** A value that a record may lack. The builder and the generator need not set it. */
export const optional = <Value>(valueKind: Kind<Value>): MaybeKind<Value, undefined> => ({
  name: `optional ${valueKind.name}`,
  valueKind,
  missing: undefined,
});

/** The objects in a node's responses from which fields of records are read. */
export type NodeObject = "block" | "transaction" | "receipt" | "log";

/** A field of a record. */
export interface Field<Value, At = `${NodeObject}.${string}` | undefined> {
  readonly kind: Kind<Value>;
  /**
   * The place of the field in a node's responses, such as `receipt.gasUsed`; undefined if
   * `mocks/ingest` computes the field.
   */
  readonly at: At;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<Of> = Of extends Field<infer Value, unknown> ? Value : never;

type OptionalName<Of extends Fields> = {
  [Name in keyof Of]: undefined extends ValueOf<Of[Name]> ? Name : never;
}[keyof Of];

type Required<Of extends Fields, Names extends keyof Of> = {
  readonly [Name in Names]: ValueOf<Of[Name]>;
};
type Optional<Of extends Fields, Names extends keyof Of> = {
  readonly [Name in Names]?: ValueOf<Of[Name]>;
};

export type OptionalOf<Of extends Fields> = Optional<Of, OptionalName<Of>>;

export type RecordOf<Of extends Fields> = Required<Of, Exclude<keyof Of, OptionalName<Of>>> &
  OptionalOf<Of>;

/** Picks the values of the fields that a record may lack. */
export function optionalIn<Of extends Fields>(fields: Of, values: object): OptionalOf<Of> {
  const optional = Object.entries(values).filter(([name, value]) => {
    const kind = fields[name]?.kind ?? {};
    return value !== undefined && "missing" in kind && kind.missing === undefined;
  });
  return Object.fromEntries(optional) as OptionalOf<Of>;
}

/** Describes a field that a node returns or, without `at`, a field that `mocks/ingest` computes. */
const field = <Value, const At extends `${NodeObject}.${string}` | undefined = undefined>(
  kind: Kind<Value>,
  at?: At,
) => ({ kind, at }) as Field<Value, At>;

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
  transactionCount: field(number),
  /** The fees that the miner receives. Excludes the base fee, which is burnt. */
  fees: field(amount),
  /** New coins for the miner, including uncle rewards; 0 on chains without block rewards. */
  miningReward: field(amount),
};

/** All transaction fields except those that place it in the chain: hash, block and index. */
export const transactionFields = {
  from: field(address, "transaction.from"),
  /** Null for a creation. */
  to: field(orNull(address), "transaction.to"),
  /**
   * The address of the contract that the transaction creates, even if the creation fails; null for
   * a call.
   */
  created: field(orNull(address)),
  value: field(amount, "transaction.value"),
  /** Null before the Byzantium fork, because earlier receipts have no status. */
  succeeded: field(orNull(flag)),
  /** The error in the transaction's trace; null if the transaction succeeded or has no trace. */
  error: field(orNull(text)),
  gasUsed: field(orNull(number), "receipt.gasUsed"),
  /** The effective price of a unit of gas; null if the node does not state it. */
  gasPrice: field(orNull(amount)),
  /**
   * The account that pays for the gas instead of the sender: Metadium's fee delegation (type 0x16).
   */
  feePayer: field(optional(address), "transaction.feePayer"),
  /**
   * The token that pays for the gas instead of coins (on Celo). The gas price is then in this
   * token.
   */
  feeCurrency: field(optional(address), "transaction.feeCurrency"),
  /** New coins that an L2 deposit credits to its sender, even if the transaction fails. */
  mint: field(optional(amount), "transaction.mint"),
  /**
   * The fee that an L2 charges for storing the transaction's data on the L1, in addition to gas.
   */
  l1Fee: field(optional(amount), "receipt.l1Fee"),
  nonce: field(orNull(number), "transaction.nonce"),
  gasLimit: field(orNull(number), "transaction.gas"),
  cumulativeGasUsed: field(orNull(number), "receipt.cumulativeGasUsed"),
  maxFeePerGas: field(orNull(amount), "transaction.maxFeePerGas"),
  maxPriorityFeePerGas: field(orNull(amount), "transaction.maxPriorityFeePerGas"),
  input: field(hex, "transaction.input"),
  /** The ABI-encoded return data that states the reason of a failure. */
  output: field(optional(hex)),
};

/**
 * No field of a frame has a place in a node's response, because `mocks/ingest` reads frames from
 * traces.
 */
export const frameFields = {
  type: field(frameType),
  from: field(address),
  to: field(orNull(address)),
  /** The contract that a create frame created; null for any other frame. */
  created: field(orNull(address)),
  value: field(amount),
  /** Whether the frame's effects are reverted, because the frame or an ancestor failed. */
  undone: field(flag),
  traceAddress: field(numbers),
  gasLimit: field(orNull(number)),
  gasUsed: field(orNull(number)),
  /** The frame's own error; null if it has none. */
  error: field(orNull(text)),
  /** The number of direct children. */
  subTraces: field(number),
  input: field(hex),
  /** The ABI-encoded return data that states the reason of the frame's own error. */
  output: field(optional(hex)),
};

export const logFields = {
  address: field(address, "log.address"),
  topics: field(hashes, "log.topics"),
  /** Position in the block. */
  index: field(number, "log.logIndex"),
  data: field(hex, "log.data"),
};
