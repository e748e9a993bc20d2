// The demo chain as the site sends it: columns in place of records, each text once, and the code of contracts apart, because few blocks read it.
import { Chain } from "../../mocks/double/chain/chain.ts";
import type { Block, BlockInput, HeadState } from "../../mocks/double/chain/records.ts";
import { type Columns, type Packed, pack, unpack } from "./columns.ts";

type Row = Readonly<Record<string, unknown>>;

/** A chain, and apart from it what calls send and return, and the code and sources of contracts. */
export interface PackedChain {
  readonly chainId: number;
  readonly columns: Packed<"blocks" | "transactions" | "frames" | "logs" | "state">;
}
export type PackedCode = Packed<"transactions" | "frames" | "state">;

/** What a chain is made of: its blocks, and the state of its head. */
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

/** What a transaction of EIP-1559 pays for gas; undefined for others. */
function priceIn(block: Pick<Block, "baseFeePerGas">, { maxFeePerGas, ...fees }: Fees) {
  const { maxPriorityFeePerGas: tip } = fees;
  if (block.baseFeePerGas === null || typeof maxFeePerGas !== "bigint" || typeof tip !== "bigint")
    return undefined;
  const wanted = block.baseFeePerGas + tip;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}

const APART = ["input", "output"];

/** A chain as JSON: without code, and its code. */
export function packedChain({
  chainId,
  inputs,
  state,
}: ChainParts): readonly [PackedChain, PackedCode] {
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
  const unread = { code: "0x", source: "", constructorArguments: "", swarmSource: "" };
  const shown = [...verified].map((contract) => ({ ...contract, ...unread }));
  const listed = (lists: Readonly<Record<string, Iterable<unknown> | undefined>>): Columns =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...(list ?? [])]]));
  const columns = {
    blocks: columnsOf(
      inputs.map(({ block, credits, executions: { length } }) => ({ ...block, credits, length })),
    ),
    ...{ transactions, frames, logs: columnsOf(logs) },
    state: listed({ ...plain, verified: shown }),
  };
  const code = { transactions: calls, frames: frameCalls, state: listed({ codes, verified }) };
  return [{ chainId, columns: pack(columns) }, pack(code)];
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

/** What {@link packedChain} was made of; without the code, if it was not loaded. */
export function unpackedParts({ chainId, columns }: PackedChain, packed?: PackedCode): ChainParts {
  const all = unpack(columns);
  const code = packed && unpack(packed);
  const transactions = rowsOf({ ...all.transactions, ...code?.transactions });
  const frames = rowsOf({ ...all.frames, ...code?.frames });
  const logs = rowsOf(all.logs);
  const take = <Made>(rows: Generator<Row, undefined>, count: number, make: (row: Row) => Made) =>
    Array.from({ length: count }, () => make(rows.next().value ?? {}));
  const inputs = [...rowsOf(all.blocks)].map(({ credits, length, ...fields }) => {
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
  return { chainId, inputs, state: { ...all.state, ...code?.state } };
}

/** The demo chain. */
export function chainOf({ chainId, inputs, state }: ChainParts): Chain {
  const chain = new Chain({ chainId, origin: { kind: "demo", name: null } });
  for (const input of inputs) chain.append(input);
  chain.applyHeadState(state);
  return chain;
}
