// Reads the traces of a block in either form a node gives them, callTracer's nested frames or trace_block's flat list.
import { isObject } from "../../src/models/issues.ts";
import { FRAME_TYPES, type Frame, type FrameType, type Hash } from "../chain/records.ts";
import { IngestError } from "./fault.ts";
import {
  address,
  count,
  data,
  each,
  hash,
  optional,
  quantity,
  type Raw,
  raw,
  text,
} from "./fields.ts";

/** A frame below the root of a transaction that is still to be read. */
type UnboundFrame = Omit<Frame, "transaction">;

/** What a transaction's trace tells. */
export interface Trace {
  /** The error of the root frame. */
  readonly error: string | null;
  /** The frames below the root, in execution order. */
  readonly frames: readonly UnboundFrame[];
}

/** What issuance a trace_block tells of: new coins for an account. */
export interface Reward {
  readonly author: `0x${string}`;
  readonly value: bigint;
}

export interface BlockTraces {
  /** By position in the block. */
  readonly traces: readonly Trace[];
  readonly rewards: readonly Reward[];
}

type FrameFields = Omit<UnboundFrame, "traceAddress" | "undone" | "subTraces">;

const TYPES: ReadonlySet<string> = new Set(FRAME_TYPES);

function isFrameType(type: string): type is FrameType {
  return TYPES.has(type);
}

function frameType(of: Raw, field: string): FrameType {
  const type = text(of, field).toLowerCase();
  if (type === "suicide") return "selfdestruct";
  if (isFrameType(type)) return type;
  throw new IngestError(`expected a type of call frame, got "${type}"`, { field });
}

function isCreation(type: FrameType): boolean {
  return type === "create" || type === "create2";
}

// callTracer

function nestedFields(frame: Raw): FrameFields {
  const type = frameType(frame, "type");
  const error = optional(frame, "error", text);
  const to = optional(frame, "to", address);
  const creation = isCreation(type);
  // A node writes 0 gas for the end of a contract, which takes none: there is no such figure.
  const gas =
    type === "selfdestruct" ? () => null : (field: string) => optional(frame, field, count);
  return {
    type,
    from: address(frame, "from"),
    to: creation ? null : to,
    created: creation && error === null ? to : null,
    value: optional(frame, "value", quantity) ?? 0n,
    input: optional(frame, "input", data) ?? "0x",
    gasLimit: gas("gas"),
    gasUsed: gas("gasUsed"),
    error,
  };
}

function nestedFrames(root: Raw): UnboundFrame[] {
  const frames: UnboundFrame[] = [];
  const visit = (frame: Raw, above: readonly number[], failed: boolean) => {
    if (frame.calls === undefined || frame.calls === null) return;
    each(frame, "calls", (call, index) => {
      const fields = nestedFields(call);
      const traceAddress = [...above, index];
      const undone = failed || fields.error !== null;
      const subTraces = Array.isArray(call.calls) ? call.calls.length : 0;
      frames.push({ traceAddress, ...fields, undone, subTraces });
      visit(call, traceAddress, undone);
    });
  };
  visit(root, [], optional(root, "error", text) !== null);
  return frames;
}

function nestedTrace(entry: Raw, transaction: Hash): Trace {
  const of = optional(entry, "txHash", hash);
  if (of !== null && of !== transaction) {
    throw new IngestError(`expected the trace of transaction ${transaction}, got that of ${of}`);
  }
  // debug_traceTransaction answers the frame itself, debug_traceBlockByNumber wraps it.
  const root = isObject(entry.result) ? entry.result : entry;
  if (root.type === undefined) {
    const error = typeof entry.error === "string" ? `: the node said "${entry.error}"` : "";
    throw new IngestError(`expected a callTracer frame for transaction ${transaction}${error}`);
  }
  return { error: optional(root, "error", text), frames: nestedFrames(root) };
}

// trace_block

function flatFields(entry: Raw): FrameFields {
  const action = raw(entry, "action");
  const result = isObject(entry.result) ? entry.result : {};
  const error = optional(entry, "error", text);
  if (entry.type !== "call" && entry.type !== "create") {
    return {
      type: frameType(entry, "type"),
      from: address(action, "address"),
      to: optional(action, "refundAddress", address),
      created: null,
      value: optional(action, "balance", quantity) ?? 0n,
      input: "0x",
      gasLimit: null,
      gasUsed: null,
      error,
    };
  }
  const creation = entry.type === "create";
  return {
    // Older nodes do not say which kind of creation it was.
    type: optional(action, creation ? "creationMethod" : "callType", frameType) ?? entry.type,
    from: address(action, "from"),
    to: creation ? null : address(action, "to"),
    created: creation && error === null ? optional(result, "address", address) : null,
    value: optional(action, "value", quantity) ?? 0n,
    input: optional(action, creation ? "init" : "input", data) ?? "0x",
    gasLimit: optional(action, "gas", count),
    gasUsed: optional(result, "gasUsed", count),
    error,
  };
}

function traceAddress(entry: Raw): number[] {
  const path = entry.traceAddress;
  if (Array.isArray(path) && path.every((step) => Number.isSafeInteger(step))) return path;
  throw new IngestError("expected a list of positions", { field: "traceAddress" });
}

/** One transaction's entries, which come in execution order. */
class FlatTrace implements Trace {
  error: string | null = null;
  readonly frames: UnboundFrame[] = [];
  /** The failed frames that enclose the next entry. */
  #failed: number[][] = [];
  #begun = false;

  add(entry: Raw): void {
    const path = traceAddress(entry);
    const error = optional(entry, "error", text);
    if (this.#begun === (path.length === 0)) {
      throw new IngestError("expected a transaction's trace to begin with its root frame", {
        field: "traceAddress",
      });
    }
    this.#failed = this.#failed.filter(
      (above) => above.length < path.length && above.every((step, depth) => path[depth] === step),
    );
    if (error !== null) this.#failed.push(path);
    if (this.#begun) {
      const undone = this.#failed.length > 0;
      const subTraces = count(entry, "subtraces");
      this.frames.push({ traceAddress: path, ...flatFields(entry), undone, subTraces });
    } else {
      this.error = error;
      this.#begun = true;
    }
  }

  get isEmpty(): boolean {
    return !this.#begun;
  }
}

function flatTraces(holder: Raw, field: string, transactions: readonly Hash[]): BlockTraces {
  const traces = new Map(transactions.map((of) => [of, new FlatTrace()]));
  const rewards: Reward[] = [];
  each(holder, field, (entry) => {
    if (entry.type === "reward") {
      const action = raw(entry, "action");
      rewards.push({ author: address(action, "author"), value: quantity(action, "value") });
      return;
    }
    const of = hash(entry, "transactionHash");
    const trace = traces.get(of);
    if (trace === undefined) {
      throw new IngestError(
        `expected a trace of one of the block's transactions, got one of ${of}`,
      );
    }
    trace.add(entry);
  });
  const untraced = transactions.find((of) => traces.get(of)?.isEmpty);
  if (untraced !== undefined) {
    throw new IngestError(`expected a trace of transaction ${untraced}, got none`, { field });
  }
  return { traces: [...traces.values()], rewards };
}

/** The traces in `holder[field]`, in either form; `transactions` are the block's, in order. */
export function readTraces(holder: Raw, field: string, transactions: readonly Hash[]): BlockTraces {
  const given = holder[field];
  const flat = Array.isArray(given) && given.some((entry) => isObject(entry) && "action" in entry);
  if (flat) return flatTraces(holder, field, transactions);
  const entries = each(holder, field, (entry) => entry);
  if (entries.length !== transactions.length) {
    throw new IngestError(
      `expected a trace for each of the block's ${transactions.length} transactions, got ${entries.length}`,
      { field },
    );
  }
  const traces = each(holder, field, (entry, index) =>
    nestedTrace(entry, transactions[index] ?? "0x"),
  );
  return { traces, rewards: [] };
}
