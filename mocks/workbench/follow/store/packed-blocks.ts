// `blocks.packed` of a store: each block in one short line with a checksum, so that a restart needs neither the node's long form nor its checks.
import { crc32 } from "node:zlib";
import * as z from "zod/mini";
import { check } from "../../../../src/models/issues.ts";
import {
  blockFields,
  frameFields,
  logFields,
  transactionFields,
} from "../../../double/chain/fields.ts";
import { amount, type Json } from "../../../double/chain/kinds.ts";
import { RecordCodec } from "../../../double/chain/record-codec.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Hash,
} from "../../../double/chain/records.ts";
import { LineFile } from "./line-file.ts";
import { StoreError } from "./store-error.ts";

/** The form of the lines. What records hold stands next to it in the first line, so that a new field needs no new version. */
const VERSION = 2;

const FIRST_LINE = {
  version: VERSION,
  fields: Object.fromEntries(
    Object.entries({
      block: blockFields,
      transaction: transactionFields,
      frame: frameFields,
      log: logFields,
    }).map(([record, fields]) => [
      record,
      Object.entries(fields).map(([name, { kind }]) => `${name}: ${kind.name}`),
    ]),
  ),
};

const versionSchema = z.object({ version: z.int() });

const blocks = new RecordCodec(blockFields);
const transactions = new RecordCodec(transactionFields);
const frames = new RecordCodec(frameFields);
const logs = new RecordCodec(logFields);

type Row = readonly Json[];
type PackedExecution = readonly [
  hash: Hash,
  transaction: Row,
  frames: readonly Row[],
  logs: readonly Row[],
];
type PackedBlock = readonly [
  end: number,
  header: Row,
  executions: readonly PackedExecution[],
  credits: readonly (readonly [Address, Json])[] | null,
];

/** A block of the file. */
export interface StoredBlock {
  readonly input: BlockInput;
  /** Where the block's line in the node's form ends. */
  readonly blockEnd: number;
  /** Where its line in this file ends. */
  readonly end: number;
}

export class PackedBlocks {
  readonly #file: LineFile;
  /** Where the first block begins. */
  readonly #start: number;

  private constructor(file: LineFile, start: number) {
    this.#file = file;
    this.#start = start;
  }

  /**
   * Opens a file, or creates it. One that is damaged, or whose records have other fields, is emptied.
   *
   * @throws StoreError for one in a form that this release does not know
   */
  static async open(path: string): Promise<PackedBlocks> {
    const file = await LineFile.open(path);
    const expected = withChecksum(FIRST_LINE);
    for await (const { bytes, end } of file.lines()) {
      if (bytes.toString() === expected) return new PackedBlocks(file, end);
      const { value } = check(versionSchema, checkedLine(bytes));
      if (value === undefined || value.version === VERSION) break;
      await file.close();
      throw new StoreError(
        `${path} has version ${value.version} of the form of a store, and this release knows version ${VERSION}. What to do: use the release that wrote it, or delete the file, which is then made from blocks.ndjson`,
      );
    }
    await file.cut(0);
    const [start = 0] = await file.append([expected]);
    return new PackedBlocks(file, start);
  }

  /** The blocks up to the first that is damaged. */
  async *blocks(): AsyncGenerator<StoredBlock, void, undefined> {
    for await (const { bytes, end } of this.#file.lines(this.#start)) {
      const packed = checkedLine(bytes) as PackedBlock | undefined;
      if (packed === undefined) return;
      yield { input: unpack(packed), blockEnd: packed[0], end };
    }
  }

  /** Appends blocks; `blockEnds` has where their lines in the node's form end. Returns where each line ends. */
  async append(inputs: readonly BlockInput[], blockEnds: readonly number[]): Promise<number[]> {
    return await this.#file.append(
      inputs.map((input, index) => withChecksum(pack(input, blockEnds[index] ?? 0))),
    );
  }

  /** Keeps the blocks up to the one that ends there; 0: none. */
  async cut(end: number): Promise<void> {
    await this.#file.cut(Math.max(end, this.#start));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

const CHECKSUM_DIGITS = 8;
const checksum = (bytes: string | Buffer): string =>
  crc32(bytes).toString(16).padStart(CHECKSUM_DIGITS, "0");

function withChecksum(value: unknown): string {
  const text = JSON.stringify(value);
  return checksum(text) + text;
}

/** What a line has; undefined if it is damaged. */
function checkedLine(line: Buffer): unknown {
  const text = line.subarray(CHECKSUM_DIGITS);
  if (line.toString("latin1", 0, CHECKSUM_DIGITS) !== checksum(text)) return undefined;
  return JSON.parse(text.toString());
}

const pack = ({ block, executions, credits }: BlockInput, blockEnd: number): PackedBlock => [
  blockEnd,
  blocks.toRow(block),
  executions.map(packExecution),
  credits?.map(([account, change]) => [account, amount.toJson(change)] as const) ?? null,
];

const packExecution = (execution: Execution): PackedExecution => [
  execution.transaction.hash,
  transactions.toRow(execution.transaction),
  execution.frames.map((frame) => frames.toRow(frame)),
  execution.logs.map((log) => logs.toRow(log)),
];

function unpack([, header, executions, credits]: PackedBlock): BlockInput {
  const block = blocks.fromRow(header);
  const input = {
    block,
    executions: executions.map((execution, index) => unpackExecution(execution, block, index)),
  };
  if (credits === null) return input;
  return {
    ...input,
    credits: credits.map(([account, change]) => [account, amount.fromJson(change)]),
  };
}

function unpackExecution(
  [hash, row, frameRows, logRows]: PackedExecution,
  block: Block,
  index: number,
): Execution {
  const transaction: ChainTransaction = Object.assign(transactions.fromRow(row), {
    hash,
    block,
    index,
  });
  return {
    transaction,
    frames: frameRows.map((frame) => Object.assign(frames.fromRow(frame), { transaction })),
    logs: logRows.map((log) => Object.assign(logs.fromRow(log), { transaction })),
  };
}
