// Reads the flat list of entries that trace_block returns, rewards included.
import * as z from "zod/mini";
import { orNull } from "../../src/models/primitives.ts";
import type { Hash } from "../chain/records.ts";
import { fastRecord } from "./fast.ts";
import { IngestError } from "./ingest-error.ts";
import { fieldAt, read } from "./read.ts";
import {
  type BlockTraces,
  type FrameFields,
  frameType,
  type Trace,
  type TraceReward,
  type UnboundFrame,
} from "./trace.ts";
import { address, count, data, hash, list, quantity, text } from "./values.ts";

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
    result: orNull(z.object({ address: orNull(address), gasUsed: orNull(count) })),
    error: orNull(text),
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

function flatFields(entry: FlatEntry): FrameFields {
  const { error, result } = entry;
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
      this.#started = true;
    }
  }

  get isEmpty(): boolean {
    return !this.#started;
  }
}

/** The traces of the `transactions` in `field`. */
export function flatTraces(
  given: unknown,
  field: string,
  transactions: readonly Hash[],
): BlockTraces {
  const traces = new Map(transactions.map((of) => [of, new FlatTrace()]));
  const rewards: TraceReward[] = [];
  for (const [index, entry] of read(flatSchema, given, [field]).entries()) {
    if (entry.type === "reward") {
      rewards.push(entry.action);
      continue;
    }
    const of = entry.transactionHash;
    const entryField = fieldAt([field, index]);
    const trace = traces.get(of);
    if (trace === undefined) {
      throw new IngestError(
        `expected a trace of one of the block's transactions, received one of ${of}`,
        { field: entryField },
      );
    }
    trace.add(entry, entryField);
  }
  const untraced = transactions.find((of) => traces.get(of)?.isEmpty);
  if (untraced !== undefined) {
    throw new IngestError(`expected a trace of transaction ${untraced}, received none`, { field });
  }
  return { traces: [...traces.values()], rewards };
}
