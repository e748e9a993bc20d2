// Reads the traces of a block, in the form of callTracer or of trace_block.
import { fromString } from "ox/Hex";
import * as z from "zod/mini";
import { reader } from "../../src/models/codec.ts";
import { isHex } from "../../src/models/hex.ts";
import { check, describe, isObject } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import { FRAME_TYPES, type FrameType, isCreation } from "../chain/fields.ts";
import { WORD_DIGITS, wordOf } from "../chain/hex.ts";
import type { Frame, Hash, Hex } from "../chain/records.ts";
import {
  address,
  anything,
  count,
  cut,
  data,
  describeIssue,
  fieldAt,
  hash,
  IngestError,
  list,
  maybe,
  type Path,
  quantity,
  read,
  setNull,
} from "./read.ts";

/** Maximum characters of an error's text, such as the reason of a revert. */
const MAX_REASON = 2 ** 12;
/** Maximum bytes of the output of a failed frame. */
const MAX_OUTPUT = 2 ** 14;

/** A frame below the root, without its transaction. */
export type UnboundFrame = Omit<Frame, "transaction">;

export interface Trace extends Pick<Frame, "error" | "output"> {
  /** The frames below the root, in execution order. `error` and `output` are the root's. */
  readonly frames: readonly UnboundFrame[];
}

/** A reward in trace_block: new coins for an account. */
export interface TraceReward {
  readonly author: `0x${string}`;
  readonly value: bigint;
}

export interface BlockTraces {
  /** Traces by position in the block. */
  readonly traces: readonly Trace[];
  readonly rewards: readonly TraceReward[];
}

export type FrameFields = Omit<UnboundFrame, "traceAddress" | "undone" | "subTraces">;

const TYPES: ReadonlyMap<string, FrameType> = new Map([
  ...FRAME_TYPES.map((type) => [type, type] as const),
  ["suicide", "selfdestruct"],
]);

/** A type of call frame, in any case. Other types become `unknown`. */
const frameType = reader<FrameType>("a type of call frame", (value) =>
  typeof value === "string" ? (TYPES.get(value.toLowerCase()) ?? "unknown") : undefined,
);

/** `Error(string)`, which Solidity reverts with. */
const ERROR = "0x08c379a0";

// Returns the output of a failed frame, from the first value that has it: bytes, or the text that a
// node decoded from them. Undefined for a frame without an error, or without a reason.
function outputOf(error: string | null, ...values: readonly unknown[]): Hex | undefined {
  if (error === null) return undefined;
  const output = values.find(
    (value) => typeof value === "string" && value !== "" && value !== "0x",
  );
  if (typeof output !== "string") return undefined;
  if (!isHex(output)) return encodedError(output);
  return output.slice(0, 2 + 2 * MAX_OUTPUT).toLowerCase() as Hex;
}

function encodedError(reason: string): Hex {
  const digits = fromString(cut(reason, MAX_REASON)).slice(2);
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return `${ERROR}${word(32)}${word(digits.length / 2)}${padded}`;
}

const word = (value: number): string => wordOf(BigInt(value)).slice(2);

/** The error of a frame. */
const reason = reader("a text", (value) =>
  typeof value === "string" ? cut(value, MAX_REASON) : undefined,
);

const rootFields = {
  error: maybe(reason),
  // Not checked, because it is used only if the frame failed.
  output: anything,
  revertReason: anything,
  calls: maybe(list(z.unknown())),
};

/** The root frame; its other fields repeat the transaction's. */
const rootSchema = z.object({ type: anything, ...rootFields });

/** debug_traceTransaction returns the root frame, debug_traceBlockByNumber wraps it. */
const entrySchema = z.object({
  txHash: maybe(hash),
  result: anything,
  type: anything,
  ...rootFields,
});

const frameSchema = z.object({
  type: frameType,
  from: address,
  to: maybe(address),
  value: maybe(quantity),
  input: maybe(data),
  gas: maybe(count),
  gasUsed: maybe(count),
  ...rootFields,
});

/** Makes a frame with its address in the trace. It is `undone` if a frame above it failed. */
function nestedFrame(
  frame: z.output<typeof frameSchema>,
  traceAddress: readonly number[],
  undone: boolean,
): UnboundFrame {
  const { type, error, to, output, revertReason } = frame;
  const creates = isCreation(type);
  // A selfdestruct has no gas of its own, though nodes write 0.
  const hasGas = type !== "selfdestruct";
  return {
    traceAddress,
    type,
    from: frame.from,
    to: creates ? null : to,
    created: creates && error === null ? to : null,
    value: frame.value ?? 0n,
    input: frame.input ?? "0x",
    gasLimit: hasGas ? frame.gas : null,
    gasUsed: hasGas ? frame.gasUsed : null,
    error,
    output: outputOf(error, output, revertReason),
    undone: undone || error !== null,
    subTraces: frame.calls?.length ?? 0,
  };
}

/** Reports data that a block lacks. */
export type Note = (field: string, reason: string) => void;

/** The optional fields of a frame. */
const OPTIONAL: ReadonlySet<unknown> = new Set(["gas", "gasUsed", "input", "error", "calls"]);

// Reads the value at `path` by a schema. Optional fields that cannot be read become null, and are
// noted.
// @throws IngestError about the other fields
function readLenient<Schema extends AnySchema>(
  schema: Schema,
  raw: unknown,
  path: Path,
  note: Note,
): z.output<Schema> {
  const { value, issues } = check(schema, raw);
  if (issues === undefined) return value;
  if (!issues.every(({ path }) => OPTIONAL.has(path.at(-1)))) return read(schema, raw, path);
  const copy: unknown = structuredClone(raw);
  for (const issue of issues) {
    note(fieldAt([...path, ...issue.path]), describeIssue(issue));
    setNull(copy, issue.path);
  }
  return read(schema, copy, path);
}

function nestedFrames(root: z.output<typeof rootSchema>, path: Path, note: Note): UnboundFrame[] {
  const frames: UnboundFrame[] = [];
  const visit = (
    calls: readonly unknown[] | null,
    above: readonly number[],
    at: Path,
    failed: boolean,
  ) => {
    for (const [index, call] of calls?.entries() ?? []) {
      const traceAddress = [...above, index];
      const place = [...at, "calls", index];
      const callFrame = readLenient(frameSchema, call, place, note);
      if (callFrame.type === "unknown")
        note(
          fieldAt([...place, "type"]),
          `expected a type of call frame, received ${describe(Object(call).type)}`,
        );
      const frame = nestedFrame(callFrame, traceAddress, failed);
      frames.push(frame);
      if (frame.subTraces > 0) visit(callFrame.calls, traceAddress, place, frame.undone);
    }
  };
  visit(root.calls, [], path, root.error !== null);
  return frames;
}

/** A transaction that the node did not trace. */
const UNTRACED: Trace = { error: null, frames: [] };

function nestedTrace(raw: unknown, path: Path, note: Note): Trace {
  const entry = read(entrySchema, raw, path);
  const wrapped = isObject(entry.result);
  const at = wrapped ? [...path, "result"] : path;
  const root = wrapped ? read(rootSchema, entry.result, at) : entry;
  if (root.type === undefined) {
    const error = entry.error === null ? "" : `: the node returned the error "${entry.error}"`;
    throw new IngestError(`expected a callTracer frame${error}`, { field: fieldAt(path) });
  }
  const { error, output, revertReason } = root;
  return {
    error,
    output: outputOf(error, output, revertReason),
    frames: nestedFrames(root, at, note),
  };
}

const hashOnly = z.object({ txHash: hash });

// Returns the traces of the `transactions`, matched by the hashes in the entries, or else by
// position.
function nestedTraces(
  raw: readonly unknown[],
  transactions: readonly Hash[],
  note: Note,
): readonly Trace[] {
  const ofBlock = new Set(transactions);
  const positions = new Map<Hash, number>();
  for (const [index, entry] of raw.entries()) {
    const { txHash } = check(hashOnly, entry).value ?? {};
    const transactionHash =
      txHash ?? (raw.length === transactions.length ? transactions[index] : undefined);
    const field = fieldAt(["traces", index]);
    if (transactionHash !== undefined && ofBlock.has(transactionHash))
      positions.set(transactionHash, index);
    else if (entry !== null)
      note(
        field,
        `expected a trace of one of the block's transactions, received the trace of ${transactionHash ?? "another transaction"}`,
      );
  }
  return transactions.map((transaction) => {
    const index = positions.get(transaction);
    if (index === undefined) {
      note("traces", `expected the trace of transaction ${transaction}, received none`);
      return UNTRACED;
    }
    try {
      return nestedTrace(raw[index], ["traces", index], note);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      const { location, reason } = error;
      note(location.field ?? "traces", `${reason}, for transaction ${transaction}`);
      return UNTRACED;
    }
  });
}

const positions = z.custom<readonly number[]>(
  (path) => Array.isArray(path) && path.every((step) => Number.isSafeInteger(step)),
  "a list of positions",
);

const flatEntry = <const Type extends string, Action extends z.core.$ZodLooseShape>(
  types: readonly Type[],
  action: Action,
) =>
  z.object({
    type: z.literal(types),
    action: z.object(action),
    result: maybe(
      z.object({
        address: maybe(address),
        gasUsed: maybe(count),
        // Not checked, because they are used only if the frame failed.
        output: anything,
        code: anything,
      }),
    ),
    error: maybe(reason),
    revertReason: anything,
    traceAddress: positions,
    subtraces: count,
    transactionHash: hash,
  });

const sent = { from: address, value: maybe(quantity), gas: maybe(count) };

// Older nodes leave out the kind of call or creation.
const callEntry = flatEntry(["call"], {
  ...sent,
  to: address,
  input: maybe(data),
  callType: maybe(frameType),
});
const createEntry = flatEntry(["create"], {
  ...sent,
  init: maybe(data),
  creationMethod: maybe(frameType),
});
const endEntry = flatEntry(["suicide", "selfdestruct"], {
  address,
  refundAddress: maybe(address),
  balance: maybe(quantity),
});
const rewardEntry = z.object({
  type: z.literal("reward"),
  action: z.object({ author: address, value: quantity }),
});

const flatSchema = z.discriminatedUnion("type", [callEntry, createEntry, endEntry, rewardEntry]);

type FlatEntry = Exclude<z.output<typeof flatSchema>, { readonly type: "reward" }>;

/** Returns the output of a failed frame. In besu, it is next to the result, which is then null. */
const returnedBy = ({ error, result, revertReason }: FlatEntry): Hex | undefined =>
  outputOf(error, result?.output, result?.code, revertReason);

function flatFields(entry: FlatEntry): FrameFields {
  const { error, result } = entry;
  const ended = { gasUsed: result?.gasUsed ?? null, error, output: returnedBy(entry) };
  switch (entry.type) {
    case "call": {
      const { callType, from, to, value, input, gas } = entry.action;
      const sent = { from, to, created: null, value: value ?? 0n, input: input ?? "0x" } as const;
      return { type: callType ?? "call", ...sent, gasLimit: gas, ...ended };
    }
    case "create": {
      const { creationMethod, from, value, init, gas } = entry.action;
      const created = error === null ? (result?.address ?? null) : null;
      const sent = { from, to: null, created, value: value ?? 0n, input: init ?? "0x" } as const;
      return { type: creationMethod ?? "create", ...sent, gasLimit: gas, ...ended };
    }
    default: {
      const { address: from, refundAddress: to, balance } = entry.action;
      const sent = { from, to, created: null, value: balance ?? 0n, input: "0x" } as const;
      return { type: "selfdestruct", ...sent, gasLimit: null, gasUsed: null, error };
    }
  }
}

/** One transaction's entries, which come in execution order. */
class FlatTrace implements Trace {
  error: string | null = null;
  output: Hex | undefined;
  readonly frames: UnboundFrame[] = [];
  /** The failed frames that enclose the next entry. */
  #failed: (readonly number[])[] = [];
  #started = false;

  add(entry: FlatEntry, field: string, note: Note): void {
    const { traceAddress: path, error, subtraces: subTraces } = entry;
    if (this.#started === (path.length === 0)) {
      note(`${field}.traceAddress`, "expected a transaction's trace to begin with its root frame");
      this.#started = true;
      return;
    }
    this.#failed = this.#failed.filter(
      (above) => above.length < path.length && above.every((step, depth) => path[depth] === step),
    );
    if (error !== null) this.#failed.push(path);
    if (this.#started) {
      const undone = this.#failed.length > 0;
      this.frames.push({ traceAddress: path, ...flatFields(entry), undone, subTraces });
    } else {
      this.error = error;
      this.output = returnedBy(entry);
      this.#started = true;
    }
  }

  get isEmpty(): boolean {
    return !this.#started;
  }
}

function flatTraces(
  raw: readonly unknown[],
  transactions: readonly Hash[],
  note: Note,
): BlockTraces {
  const traces = new Map(transactions.map((transaction) => [transaction, new FlatTrace()]));
  const rewards: TraceReward[] = [];
  for (const [index, rawEntry] of raw.entries()) {
    const entry = readEntry(rawEntry, ["traces", index], note);
    if (entry === undefined) continue;
    if (entry.type === "reward") {
      rewards.push(entry.action);
      continue;
    }
    const { transactionHash: hash } = entry;
    const field = fieldAt(["traces", index]);
    const trace = traces.get(hash);
    if (trace !== undefined) trace.add(entry, field, note);
    else
      note(
        field,
        `expected a trace of one of the block's transactions, received a trace of ${hash}`,
      );
  }
  for (const [transaction, trace] of traces)
    if (trace.isEmpty)
      note("traces", `expected the trace of transaction ${transaction}, received none`);
  return { traces: [...traces.values()], rewards };
}

/** Reads the entry of trace_block at `path`; undefined if it cannot be read, which is noted. */
function readEntry(raw: unknown, path: Path, note: Note): z.output<typeof flatSchema> | undefined {
  try {
    return readLenient(flatSchema, raw, path, note);
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    note(error.location.field ?? "traces", error.reason);
    return undefined;
  }
}

const entries = list(z.unknown());

// Reads the traces of a block in either form. A transaction without a trace has no frames, and is
// noted.
export function readTraces(
  traces: unknown,
  transactions: readonly Hash[],
  note: Note,
): BlockTraces {
  const traceList = read(entries, traces, ["traces"]);
  if (traceList.some((entry) => isObject(entry) && "action" in entry))
    return flatTraces(traceList, transactions, note);
  return { traces: nestedTraces(traceList, transactions, note), rewards: [] };
}
