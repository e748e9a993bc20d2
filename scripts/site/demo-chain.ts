// Packs the demo chain for the site, as columns. The code of contracts is a file of its own,
// because few blocks read it.
import { Chain } from "../../mocks/chain/chain.ts";
import type { Block, BlockInput, HeadState } from "../../mocks/chain/records.ts";
import { type Columns, type Packed, pack, unpack } from "./columns.ts";

type Row = Readonly<Record<string, unknown>>;

/** A chain, without what few programs read. */
export interface PackedChain {
  readonly chainId: number;
  readonly columns: Packed<"blocks" | "transactions" | "frames" | "logs" | "state">;
}
/**
 * The columns that {@link PackedChain} leaves out: ABIs, or all code and sources together with
 * inputs and outputs.
 */
export type PackedRest = Packed<"transactions" | "frames" | "state">;

interface PackedParts {
  readonly chain: PackedChain;
  readonly abis: PackedRest;
  /** With the ABIs, too. */
  readonly code: PackedRest;
}

/** The parts of a chain: its blocks, and the state of its head. */
export interface ChainParts {
  readonly chainId: number;
  readonly inputs: readonly BlockInput[];
  readonly state: HeadState;
}

const columnsOf = (rows: readonly object[]): Columns =>
  Object.fromEntries(
    [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => [
      name,
      rows.map((row) => (row as Row)[name]),
    ]),
  );

/** Columns without some of them, and these alone. */
function parted(columns: Columns, names: readonly string[]): readonly [Columns, Columns] {
  const entries = Object.entries(columns);
  const of = (isApart: boolean) =>
    Object.fromEntries(entries.filter(([name]) => names.includes(name) === isApart));
  return [of(false), of(true)];
}

interface Fees {
  readonly gasPrice?: bigint | null;
  readonly maxFeePerGas?: bigint | null;
  readonly maxPriorityFeePerGas?: bigint | null;
}

/** Returns the gas price of an EIP-1559 transaction; undefined for other types. */
function priceIn(block: Pick<Block, "baseFeePerGas">, { maxFeePerGas, ...fees }: Fees) {
  const { maxPriorityFeePerGas: tip } = fees;
  if (block.baseFeePerGas === null || typeof maxFeePerGas !== "bigint" || typeof tip !== "bigint")
    return undefined;
  const wanted = block.baseFeePerGas + tip;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}

const APART = ["input", "output"];

/** A chain as JSON, in parts. */
export function packedChain({ chainId, inputs, state }: ChainParts): PackedParts {
  const executions = inputs.flatMap((input) => input.executions);
  const [transactions, calls] = parted(
    columnsOf(
      executions.map(({ frames, logs, transaction: { block, ...row } }) => ({
        ...row,
        // Follows from the gas used.
        cumulativeGasUsed: undefined,
        gasPrice: row.gasPrice === priceIn(block, row) ? undefined : row.gasPrice,
        counts: [frames.length, logs.length],
      })),
    ),
    APART,
  );
  const [frames, frameCalls] = parted(
    columnsOf(executions.flatMap((one) => one.frames.map(({ transaction: _, ...row }) => row))),
    APART,
  );
  const logs = executions.flatMap((one) => one.logs.map(({ transaction: _, ...row }) => row));
  const { codes = [], verified = [], ...plain } = state;
  // That there is code, for who calls it; which one is apart.
  const hasCode = "0x00";
  const shortCodes = [...codes].map(([address, code]) => [address, code === "0x" ? code : hasCode]);
  const unread = { code: hasCode, source: "", constructorArguments: "", swarmSource: "" };
  const shown = [...verified].map((contract) => ({ ...contract, ...unread }));
  const listed = (lists: Readonly<Record<string, Iterable<unknown> | undefined>>): Columns =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...(list ?? [])]]));
  const columns = {
    blocks: columnsOf(
      inputs.map(({ block, credits, executions: { length } }) => ({ ...block, credits, length })),
    ),
    ...{ transactions, frames, logs: columnsOf(logs) },
    state: listed({ ...plain, codes: shortCodes }),
  };
  const abis = { transactions: {}, frames: {}, state: listed({ verified: shown }) };
  const code = { transactions: calls, frames: frameCalls, state: listed({ codes, verified }) };
  return { chain: { chainId, columns: pack(columns) }, abis: pack(abis), code: pack(code) };
}

/** The records of columns, one after the other. */
function* rowsOf(columns: Columns): Generator<Row, undefined> {
  const [first] = Object.values(columns);
  for (let index = 0; index < (first?.length ?? 0); index++)
    yield Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, values[index]]),
    );
  return undefined;
}

/** Returns the parts that {@link packedChain} packed, as far as they are loaded. */
export function unpackedParts({ chainId, columns }: PackedChain, packed?: PackedRest): ChainParts {
  const tables = unpack(columns);
  const restTables = packed && unpack(packed);
  const transactions = rowsOf({ ...tables.transactions, ...restTables?.transactions });
  const frames = rowsOf({ ...tables.frames, ...restTables?.frames });
  const logs = rowsOf(tables.logs);
  const take = <Made>(rows: Generator<Row, undefined>, count: number, make: (row: Row) => Made) =>
    Array.from({ length: count }, () => make(rows.next().value ?? {}));
  const inputs = [...rowsOf(tables.blocks)].map(({ credits, length, ...fields }) => {
    const block = fields as object as Block;
    let cumulativeGasUsed = 0;
    const executions = take(transactions, Number(length), ({ counts, ...row }) => {
      cumulativeGasUsed += Number(row.gasUsed);
      const gasPrice = row.gasPrice === undefined ? priceIn(block, row) : row.gasPrice;
      const transaction = { input: "0x", ...row, gasPrice, cumulativeGasUsed, block };
      const [frameCount = 0, logCount = 0] = counts as readonly number[];
      return {
        transaction,
        frames: take(frames, frameCount, (frame) => ({
          ...{ input: "0x", output: "0x" },
          ...{ ...frame, transaction },
        })),
        logs: take(logs, logCount, (log) => ({ ...log, transaction })),
      };
    });
    return { block, executions, credits } as object as BlockInput;
  });
  return { chainId, inputs, state: { ...tables.state, ...restTables?.state } };
}

/** The demo chain. */
export function chainOf({ chainId, inputs, state }: ChainParts): Chain {
  const chain = new Chain({ chainId, origin: { kind: "demo", name: null } });
  for (const input of inputs) chain.append(input);
  chain.applyHeadState(state);
  return chain;
}
