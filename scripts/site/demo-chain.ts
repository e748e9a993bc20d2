// The demo chain as the site sends it: columns in place of records, and the code of contracts apart, because few blocks read it.
import { Chain } from "../../mocks/double/chain/chain.ts";
import type { BlockInput, HeadState } from "../../mocks/double/chain/records.ts";

/** Records by field: what is alike stands together, and compresses well. */
type Columns = Readonly<Record<string, readonly unknown[]>>;
type Row = Readonly<Record<string, unknown>>;

/** What blocks, their executions and these hold. */
export interface PackedChain {
  readonly chainId: number;
  readonly blocks: Columns;
  readonly credits: readonly unknown[];
  readonly transactions: Columns;
  readonly frames: Columns;
  readonly logs: Columns;
  /** How many transactions a block has, and how many frames and logs a transaction. */
  readonly counts: Readonly<Record<"transactions" | "frames" | "logs", readonly number[]>>;
  readonly state: Row;
}

/** The rest of it: what calls send and return, codes, and verified sources. */
export interface PackedCode {
  readonly transactions: Columns;
  readonly frames: Columns;
  readonly states: readonly Row[];
}

const UNDEFINED = "u";
const isMarked = (text: string) => text === UNDEFINED || /^-?\d+n$/.test(text);

/** What {@link JSON.stringify} cannot write, in words. */
export function marked(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value === undefined) return UNDEFINED;
  if (typeof value === "string" && isMarked(value)) throw new Error(`ambiguous: ${value}`);
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]));
}

/** The value of what {@link marked} returned. */
function unmarked(value: unknown): unknown {
  if (typeof value === "string" && isMarked(value))
    return value === UNDEFINED ? undefined : BigInt(value.slice(0, -1));
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unmarked(one)]));
}

export const columnsOf = (rows: readonly Row[]): Columns =>
  Object.fromEntries(
    [...new Set(rows.flatMap(Object.keys))].map((name) => [
      name,
      rows.map((row) => marked(row[name])),
    ]),
  );

/** The records of columns, one after the other. */
function* rowsOf(columns: Columns): Generator<Row, undefined> {
  const names = Object.keys(columns);
  const length = names.length === 0 ? 0 : (columns[names[0] ?? ""]?.length ?? 0);
  for (let index = 0; index < length; index++)
    yield Object.fromEntries(names.map((name) => [name, unmarked(columns[name]?.[index])]));
  return undefined;
}

/** The demo chain; with the code of contracts, if it was requested. */
export function unpacked(packed: PackedChain, code?: PackedCode): Chain {
  const chain = new Chain({ chainId: packed.chainId, origin: { kind: "demo", name: null } });
  const transactions = rowsOf({ ...packed.transactions, ...code?.transactions });
  const frames = rowsOf({ ...packed.frames, ...code?.frames });
  const logs = rowsOf(packed.logs);
  let index = 0;
  const take = (from: Generator<Row, undefined>, count = 0) =>
    Array.from({ length: count }, () => from.next().value ?? {});
  for (const [number, block] of [...rowsOf(packed.blocks)].entries()) {
    const executions = take(transactions, packed.counts.transactions[number]).map((row) => {
      const transaction = { input: "0x", ...row, block };
      const of = (rows: readonly Row[]) =>
        rows.map((one) => ({ input: "0x", output: "0x", ...one, transaction }));
      const execution = {
        transaction,
        frames: of(take(frames, packed.counts.frames[index])),
        logs: of(take(logs, packed.counts.logs[index])),
      };
      index++;
      return execution;
    });
    const credits = unmarked(packed.credits[number]);
    // What `packed` was made of; the test compares what both chains answer.
    chain.append({ block, executions, credits } as object as BlockInput);
  }
  for (const state of [packed.state, ...(code?.states ?? [])])
    chain.applyHeadState(unmarked(state) as HeadState);
  return chain;
}
