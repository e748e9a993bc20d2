// A block as this package read it, in one short line with a checksum: restarting needs neither the node's long form nor its checks.
import { crc32 } from "node:zlib";
import type { BlockInput, Execution } from "../chain/block-input.ts";
import type { Block, ChainTransaction, Frame, Log } from "../chain/records.ts";

/** Part of each line: lines of another form are ignored, and written anew from the node's form. */
const FORM = 1;

/** A safe integer as a number, a larger one as digits: `BigInt()` reads both. */
type Amount = number | string;

type Fields<Of, Keys extends readonly (keyof Of)[]> = {
  -readonly [Index in keyof Keys]: Of[Keys[Index]] extends bigint
    ? Amount
    : Of[Keys[Index]] extends bigint | null
      ? Amount | null
      : Of[Keys[Index]];
};

type PackedHeader = Fields<
  Block,
  [
    "number",
    "hash",
    "parentHash",
    "timestamp",
    "miner",
    "gasUsed",
    "gasLimit",
    "baseFeePerGas",
    "fees",
    "miningReward",
  ]
>;

type PackedTransaction = Fields<
  ChainTransaction,
  [
    "hash",
    "from",
    "to",
    "created",
    "value",
    "input",
    "nonce",
    "succeeded",
    "error",
    "gasLimit",
    "gasUsed",
    "cumulativeGasUsed",
    "gasPrice",
    "maxFeePerGas",
    "maxPriorityFeePerGas",
  ]
>;

type PackedFrame = Fields<
  Frame,
  [
    "traceAddress",
    "type",
    "from",
    "to",
    "created",
    "value",
    "input",
    "gasLimit",
    "gasUsed",
    "error",
    "undone",
    "subTraces",
  ]
>;

type PackedLog = Fields<Log, ["index", "address", "data", "topics"]>;
type PackedExecution = [PackedTransaction, PackedFrame[], PackedLog[]];
type Credits = NonNullable<BlockInput["credits"]>;
type PackedCredits = [Credits[number][0], Amount][];

type PackedBlock = [
  form: number,
  end: number,
  header: PackedHeader,
  executions: PackedExecution[],
  credits: PackedCredits | null,
];

/** A block from a packed line. */
export interface UnpackedBlock {
  readonly input: BlockInput;
  /** Where the block's line in the node's form ends. */
  readonly end: number;
}

const CHECKSUM_DIGITS = 8;
const checksum = (bytes: string | Buffer): string =>
  crc32(bytes).toString(16).padStart(CHECKSUM_DIGITS, "0");

const amount = (value: bigint): Amount =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value.toString();

const amountOrNull = (value: bigint | null) => (value === null ? null : amount(value));
const bigintOrNull = (value: Amount | null) => (value === null ? null : BigInt(value));

/** A block as a line; `end` is where its line in the node's form ends. */
export function packBlock({ block, executions, credits }: BlockInput, end: number): string {
  const packed: PackedBlock = [
    FORM,
    end,
    [
      block.number,
      block.hash,
      block.parentHash,
      block.timestamp,
      block.miner,
      block.gasUsed,
      block.gasLimit,
      amountOrNull(block.baseFeePerGas),
      amount(block.fees),
      amount(block.miningReward),
    ],
    executions.map(packExecution),
    credits?.map(([of, change]) => [of, amount(change)]) ?? null,
  ];
  const text = JSON.stringify(packed);
  return checksum(text) + text;
}

const packExecution = ({ transaction: of, frames, logs }: Execution): PackedExecution => [
  [
    of.hash,
    of.from,
    of.to,
    of.created,
    amount(of.value),
    of.input,
    of.nonce,
    of.succeeded,
    of.error,
    of.gasLimit,
    of.gasUsed,
    of.cumulativeGasUsed,
    amount(of.gasPrice),
    amountOrNull(of.maxFeePerGas),
    amountOrNull(of.maxPriorityFeePerGas),
  ],
  frames.map((frame) => [
    frame.traceAddress,
    frame.type,
    frame.from,
    frame.to,
    frame.created,
    amount(frame.value),
    frame.input,
    frame.gasLimit,
    frame.gasUsed,
    frame.error,
    frame.undone,
    frame.subTraces,
  ]),
  logs.map(({ index, address, data, topics }) => [index, address, data, topics]),
];

/** The block in a line; undefined for a line that is damaged, or of another form. */
export function unpackBlock(line: Buffer): UnpackedBlock | undefined {
  const text = line.subarray(CHECKSUM_DIGITS);
  if (line.toString("latin1", 0, CHECKSUM_DIGITS) !== checksum(text)) return undefined;
  const packed: PackedBlock = JSON.parse(text.toString());
  const [form, end, header, executions, credits] = packed;
  if (form !== FORM) return undefined;
  const block = unpackHeader(header, executions.length);
  const input = {
    block,
    executions: executions.map((execution, index) => unpackExecution(execution, block, index)),
  };
  if (credits === null) return { input, end };
  return { input: { ...input, credits: credits.map(([of, change]) => [of, BigInt(change)]) }, end };
}

const unpackHeader = (
  [
    number,
    hash,
    parentHash,
    timestamp,
    miner,
    gasUsed,
    gasLimit,
    baseFee,
    fees,
    miningReward,
  ]: PackedHeader,
  transactionCount: number,
): Block => ({
  number,
  hash,
  parentHash,
  timestamp,
  miner,
  gasUsed,
  gasLimit,
  baseFeePerGas: bigintOrNull(baseFee),
  transactionCount,
  fees: BigInt(fees),
  miningReward: BigInt(miningReward),
});

function unpackExecution(
  [of, frames, logs]: PackedExecution,
  block: Block,
  index: number,
): Execution {
  const transaction: ChainTransaction = {
    hash: of[0],
    block,
    index,
    from: of[1],
    to: of[2],
    created: of[3],
    value: BigInt(of[4]),
    input: of[5],
    nonce: of[6],
    succeeded: of[7],
    error: of[8],
    gasLimit: of[9],
    gasUsed: of[10],
    cumulativeGasUsed: of[11],
    gasPrice: BigInt(of[12]),
    maxFeePerGas: bigintOrNull(of[13]),
    maxPriorityFeePerGas: bigintOrNull(of[14]),
  };
  return {
    transaction,
    frames: frames.map(
      (frame): Frame => ({
        transaction,
        traceAddress: frame[0],
        type: frame[1],
        from: frame[2],
        to: frame[3],
        created: frame[4],
        value: BigInt(frame[5]),
        input: frame[6],
        gasLimit: frame[7],
        gasUsed: frame[8],
        error: frame[9],
        undone: frame[10],
        subTraces: frame[11],
      }),
    ),
    logs: logs.map(
      ([index, address, data, topics]): Log => ({ transaction, index, address, data, topics }),
    ),
  };
}
