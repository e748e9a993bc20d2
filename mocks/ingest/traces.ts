// Reads the traces of a block in either form a node gives them, callTracer's nested frames or trace_block's flat list.
import type { Frame, FrameType, Hash, Transaction } from "../chain/records.ts";
import { IngestError } from "./fault.ts";
import {
  address,
  count,
  data,
  each,
  hash,
  isRaw,
  optional,
  quantity,
  type Raw,
  text,
} from "./fields.ts";

/** What a transaction's trace tells. */
export interface Trace {
  /** The error of the root frame. */
  readonly error: string | null;
  /** The frames below the root, in execution order. */
  frames(transaction: Transaction): Frame[];
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

type FrameFields = Omit<Frame, "transaction" | "traceAddress" | "undone" | "subTraces">;

const TYPES: ReadonlySet<string> = new Set<FrameType>([
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
]);

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

function nestedFrames(root: Raw, transaction: Transaction): Frame[] {
  const frames: Frame[] = [];
  const visit = (frame: Raw, above: readonly number[], failed: boolean) => {
    if (frame.calls === undefined || frame.calls === null) return;
    each(frame, "calls", (call, index) => {
      const fields = nestedFields(call);
      const traceAddress = [...above, index];
      const undone = failed || fields.error !== null;
      const subTraces = Array.isArray(call.calls) ? call.calls.length : 0;
      frames.push({ transaction, traceAddress, ...fields, undone, subTraces });
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
  const root = isRaw(entry.result) ? entry.result : entry;
  if (root.type === undefined) {
    const error = typeof entry.error === "string" ? `: the node said "${entry.error}"` : "";
    throw new IngestError(`expected a callTracer frame for transaction ${transaction}${error}`);
  }
  return {
    error: optional(root, "error", text),
    frames: (of) => nestedFrames(root, of),
  };
}

// trace_block

function flatFields(entry: Raw, action: Raw): FrameFields {
  const result = isRaw(entry.result) ? entry.result : {};
  const error = optional(entry, "error", text);
  const value = optional(action, "value", quantity) ?? 0n;
  const from = "from" in action ? address(action, "from") : undefined;
  const gas = {
    gasLimit: optional(action, "gas", count),
    gasUsed: optional(result, "gasUsed", count),
  };
  switch (entry.type) {
    case "call":
      return {
        type: action.callType === undefined ? "call" : frameType(action, "callType"),
        from: from ?? address(action, "from"),
        to: address(action, "to"),
        created: null,
        value,
        input: optional(action, "input", data) ?? "0x",
        ...gas,
        error,
      };
    case "create":
      return {
        type:
          action.creationMethod === undefined || action.creationMethod === null
            ? "create"
            : frameType(action, "creationMethod"),
        from: from ?? address(action, "from"),
        to: null,
        created: error === null ? optional(result, "address", address) : null,
        value,
        input: optional(action, "init", data) ?? "0x",
        ...gas,
        error,
      };
    default:
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
}

function traceAddress(entry: Raw): number[] {
  const path = entry.traceAddress;
  if (Array.isArray(path) && path.every((step) => Number.isSafeInteger(step))) return path;
  throw new IngestError("expected a list of positions", { field: "traceAddress" });
}

function flatFrames(entries: readonly Raw[], transaction: Transaction): Frame[] {
  // The failed frames that enclose the entry: entries come in execution order, so the parents are a stack.
  let failed: number[][] = [];
  const frames: Frame[] = [];
  for (const entry of entries) {
    const path = traceAddress(entry);
    failed = failed.filter(
      (above) => above.length < path.length && above.every((step, depth) => path[depth] === step),
    );
    if (optional(entry, "error", text) !== null) failed.push(path);
    if (path.length === 0) continue;
    frames.push({
      transaction,
      traceAddress: path,
      ...flatFields(entry, action(entry)),
      undone: failed.length > 0,
      subTraces: count(entry, "subtraces"),
    });
  }
  return frames;
}

function action(entry: Raw): Raw {
  if (isRaw(entry.action)) return entry.action;
  throw new IngestError("expected an object", { field: "action" });
}

function flatTraces(holder: Raw, field: string, transactions: readonly Hash[]): BlockTraces {
  const byTransaction = new Map<Hash, Raw[]>(transactions.map((of) => [of, []]));
  const rewards: Reward[] = [];
  each(holder, field, (entry) => {
    if (entry.type === "reward") {
      const to = action(entry);
      rewards.push({ author: address(to, "author"), value: quantity(to, "value") });
      return;
    }
    const of = hash(entry, "transactionHash");
    const entries = byTransaction.get(of);
    if (entries === undefined) {
      throw new IngestError(
        `expected a trace of one of the block's transactions, got one of ${of}`,
      );
    }
    entries.push(entry);
  });
  const traces = transactions.map((of): Trace => {
    const entries = byTransaction.get(of) ?? [];
    const [root] = entries;
    if (root === undefined || traceAddress(root).length > 0) {
      throw new IngestError(
        `expected the trace of transaction ${of} to begin with its root frame`,
        {
          field,
        },
      );
    }
    return {
      error: optional(root, "error", text),
      frames: (transaction) => flatFrames(entries, transaction),
    };
  });
  return { traces, rewards };
}

/** The traces in `holder[field]`, in either form; `transactions` are the block's, in order. */
export function readTraces(holder: Raw, field: string, transactions: readonly Hash[]): BlockTraces {
  const given = holder[field];
  const flat = Array.isArray(given) && given.some((entry) => isRaw(entry) && "action" in entry);
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
