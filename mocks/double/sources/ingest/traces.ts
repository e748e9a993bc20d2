// Traces of a block, in whichever form a node has them: of callTracer, or of trace_block.
import * as z from "zod/mini";
import { isHex } from "../../../../src/models/hex.ts";
import { type Issue, isObject } from "../../../../src/models/issues.ts";
import { orNull } from "../../../../src/models/primitives.ts";
import { toHex, WORD_DIGITS, wordOf } from "../../chain/hex.ts";
import { FRAME_TYPES, type FrameType, isCreation } from "../../chain/kinds.ts";
import type { Frame, Hash, Hex } from "../../chain/records.ts";
import {
  address,
  anything,
  checkBy,
  count,
  data,
  fastRecord,
  hash,
  list,
  quantity,
  text,
} from "./node-schemas.ts";
import { fieldAt, IngestError, ingestError, type Path, read, within } from "./read.ts";

/** A frame below the root, without its transaction. */
export type UnboundFrame = Omit<Frame, "transaction">;

/** The trace of a transaction. */
export interface Trace extends Pick<Frame, "error" | "output"> {
  /** The frames below the root, in execution order. `error` and `output` are of the root. */
  readonly frames: readonly UnboundFrame[];
}

/** A reward in trace_block: new coins for an account. */
export interface TraceReward {
  readonly author: `0x${string}`;
  readonly value: bigint;
}

export interface BlockTraces {
  /** By position in the block. */
  readonly traces: readonly Trace[];
  readonly rewards: readonly TraceReward[];
}

export type FrameFields = Omit<UnboundFrame, "traceAddress" | "undone" | "subTraces">;

const TYPES: ReadonlyMap<string, FrameType> = new Map([
  ...FRAME_TYPES.map((type) => [type, type] as const),
  ["suicide", "selfdestruct"],
]);

/** A type of call frame, in any case. */
const frameType = z.transform<unknown, FrameType>((given, { issues }) => {
  const word = typeof given === "string" ? given.toLowerCase() : given;
  const type = typeof word === "string" ? TYPES.get(word) : undefined;
  if (type !== undefined) return type;
  issues.push({ code: "custom", message: "a type of call frame", input: word });
  return z.NEVER;
});

/** `Error(string)`, which Solidity reverts with. */
const ERROR = "0x08c379a0";

/**
 * What a failed frame returned, from the first of these that says so: bytes, or the text that a node decoded from them. Undefined for a
 * frame without an error, or without a reason.
 */
function outputOf(error: string | null, ...given: readonly unknown[]): Hex | undefined {
  if (error === null) return undefined;
  const found = given.find((one) => typeof one === "string" && one !== "" && one !== "0x");
  if (typeof found !== "string") return undefined;
  if (isHex(found)) return found.toLowerCase() as Hex;
  const bytes = new TextEncoder().encode(found);
  const digits = toHex(bytes, 0, bytes.length).slice(2);
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return `${ERROR}${word(32)}${word(bytes.length)}${padded}`;
}

const word = (value: number): string => wordOf(BigInt(value)).slice(2);

const rootFields = {
  error: orNull(text),
  // Of failed frames alone they are kept, so that those of others need not be checked.
  output: anything,
  revertReason: anything,
  calls: orNull(list(z.unknown())),
};

/** The root frame; its other fields repeat the transaction's. */
const rootSchema = fastRecord(z.object({ type: anything, ...rootFields }));

/** debug_traceTransaction returns the root frame, debug_traceBlockByNumber wraps it. */
const entrySchema = fastRecord(
  z.object({ txHash: orNull(hash), result: anything, type: anything, ...rootFields }),
);

const frameSchema = fastRecord(
  z.object({
    type: frameType,
    from: address,
    to: orNull(address),
    value: orNull(quantity),
    input: orNull(data),
    gas: orNull(count),
    gasUsed: orNull(count),
    ...rootFields,
  }),
);

const checkFrame = checkBy(frameSchema);

/** A frame with an address in the trace; `undone` if one above it failed. */
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

/** The frames below the root at `path`. Reports all their issues in one error. */
function nestedFrames(root: z.output<typeof rootSchema>, path: Path): UnboundFrame[] {
  const frames: UnboundFrame[] = [];
  const issues: Issue[] = [];
  const visit = (calls: readonly unknown[] | null, above: readonly number[], failed: boolean) => {
    for (const [index, call] of calls?.entries() ?? []) {
      const traceAddress = [...above, index];
      const { value, issues: found } = checkFrame(call);
      if (found !== undefined) {
        const at = [...path, ...traceAddress.flatMap((step) => ["calls", step])];
        issues.push(...found.map((issue) => within(at, issue)));
        continue;
      }
      const frame = nestedFrame(value, traceAddress, failed);
      frames.push(frame);
      if (frame.subTraces > 0) visit(value.calls, traceAddress, frame.undone);
    }
  };
  visit(root.calls, [], root.error !== null);
  const [first, ...others] = issues;
  if (first !== undefined) throw ingestError([first, ...others]);
  return frames;
}

/** The trace of a transaction, found at `path`. */
function nestedTrace(given: unknown, transaction: Hash, path: Path): Trace {
  const location = { field: fieldAt(path) };
  const entry = read(entrySchema, given, path);
  const { txHash } = entry;
  if (txHash !== null && txHash !== transaction) {
    throw new IngestError(
      `expected the trace of transaction ${transaction}, received the trace of ${txHash}`,
      location,
    );
  }
  const wrapped = isObject(entry.result);
  const at = wrapped ? [...path, "result"] : path;
  const root = wrapped ? read(rootSchema, entry.result, at) : entry;
  if (root.type === undefined) {
    const error = entry.error === null ? "" : `: the node returned the error "${entry.error}"`;
    throw new IngestError(
      `expected a callTracer frame for transaction ${transaction}${error}`,
      location,
    );
  }
  const { error, output, revertReason } = root;
  return { error, output: outputOf(error, output, revertReason), frames: nestedFrames(root, at) };
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
    result: orNull(
      z.object({
        address: orNull(address),
        gasUsed: orNull(count),
        // Of failed frames alone they are kept.
        output: anything,
        code: anything,
      }),
    ),
    error: orNull(text),
    revertReason: anything,
    traceAddress: positions,
    subtraces: count,
    transactionHash: hash,
  });

const sent = { from: address, value: orNull(quantity), gas: orNull(count) };

// Older nodes leave out the kind of call or creation.
const callEntry = flatEntry(["call"], {
  ...sent,
  to: address,
  input: orNull(data),
  callType: orNull(frameType),
});
const createEntry = flatEntry(["create"], {
  ...sent,
  init: orNull(data),
  creationMethod: orNull(frameType),
});
const endEntry = flatEntry(["suicide", "selfdestruct"], {
  address,
  refundAddress: orNull(address),
  balance: orNull(quantity),
});
const rewardEntry = z.object({
  type: z.literal("reward"),
  action: z.object({ author: address, value: quantity }),
});

const flatSchema = fastRecord(
  list(z.discriminatedUnion("type", [callEntry, createEntry, endEntry, rewardEntry])),
);

type FlatEntry = Exclude<z.output<typeof flatSchema>[number], { readonly type: "reward" }>;

/** What a failed frame returned; besu has it next to the result, which is then null. */
const returnedBy = ({ error, result, revertReason }: FlatEntry): Hex | undefined =>
  outputOf(error, result?.output, result?.code, revertReason);

function flatFields(entry: FlatEntry): FrameFields {
  const { error, result } = entry;
  const output = returnedBy(entry);
  switch (entry.type) {
    case "call": {
      const { callType, from, to, value, input, gas } = entry.action;
      return {
        type: callType ?? "call",
        from,
        to,
        created: null,
        value: value ?? 0n,
        input: input ?? "0x",
        gasLimit: gas,
        gasUsed: result?.gasUsed ?? null,
        error,
        output,
      };
    }
    case "create": {
      const { creationMethod, from, value, init, gas } = entry.action;
      return {
        type: creationMethod ?? "create",
        from,
        to: null,
        created: error === null ? (result?.address ?? null) : null,
        value: value ?? 0n,
        input: init ?? "0x",
        gasLimit: gas,
        gasUsed: result?.gasUsed ?? null,
        error,
        output,
      };
    }
    default: {
      const { address, refundAddress, balance } = entry.action;
      return {
        type: "selfdestruct",
        from: address,
        to: refundAddress,
        created: null,
        value: balance ?? 0n,
        input: "0x",
        gasLimit: null,
        gasUsed: null,
        error,
      };
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

  /** Adds the entry at `field`. */
  add(entry: FlatEntry, field: string): void {
    const { traceAddress: path, error, subtraces: subTraces } = entry;
    if (this.#started === (path.length === 0)) {
      throw new IngestError("expected a transaction's trace to begin with its root frame", {
        field: `${field}.traceAddress`,
      });
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

/** The traces of the `transactions` in `field`. */
function flatTraces(given: unknown, field: string, transactions: readonly Hash[]): BlockTraces {
  const traces = new Map(transactions.map((transaction) => [transaction, new FlatTrace()]));
  const rewards: TraceReward[] = [];
  for (const [index, entry] of read(flatSchema, given, [field]).entries()) {
    if (entry.type === "reward") {
      rewards.push(entry.action);
      continue;
    }
    const { transactionHash: hash } = entry;
    const entryField = fieldAt([field, index]);
    const trace = traces.get(hash);
    if (trace === undefined) {
      throw new IngestError(
        `expected a trace of one of the block's transactions, received one of ${hash}`,
        { field: entryField },
      );
    }
    trace.add(entry, entryField);
  }
  const untraced = transactions.find((transaction) => traces.get(transaction)?.isEmpty);
  if (untraced !== undefined) {
    throw new IngestError(`expected a trace of transaction ${untraced}, received none`, { field });
  }
  return { traces: [...traces.values()], rewards };
}

const entries = list(z.unknown());

/** The traces in `holder[field]`, in either form; `transactions` are the block's, in order. */
export function readTraces(
  holder: Readonly<Record<string, unknown>>,
  field: string,
  transactions: readonly Hash[],
): BlockTraces {
  const given = read(entries, holder[field], [field]);
  if (given.some((entry) => isObject(entry) && "action" in entry))
    return flatTraces(given, field, transactions);
  if (given.length !== transactions.length) {
    throw new IngestError(
      `expected a trace for each of the block's ${transactions.length} transactions, received ${given.length}`,
      { field },
    );
  }
  const traces = transactions.map((transaction, index) =>
    nestedTrace(given[index], transaction, [field, index]),
  );
  return { traces, rewards: [] };
}
