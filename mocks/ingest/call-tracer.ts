// Reads the nested frames of callTracer.
import * as z from "zod/mini";
import { check, type Issue, isObject } from "../../src/models/issues.ts";
import { orNull } from "../../src/models/primitives.ts";
import { isCreation } from "../chain/frame-type.ts";
import type { Hash } from "../chain/records.ts";
import { fastRecord } from "./fast.ts";
import { IngestError } from "./ingest-error.ts";
import { fieldAt, ingestError, type Path, read, within } from "./read.ts";
import { type FrameFields, frameType, type Trace, type UnboundFrame } from "./trace.ts";
import { address, anything, count, data, hash, list, quantity, text } from "./values.ts";

const rootFields = { error: orNull(text), calls: orNull(list(z.unknown())) };

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

function nestedFields(frame: z.output<typeof frameSchema>): FrameFields {
  const { type, error, to } = frame;
  const creates = isCreation(type);
  // A selfdestruct has no gas of its own, though nodes write 0.
  const hasGas = type !== "selfdestruct";
  return {
    type,
    from: frame.from,
    to: creates ? null : to,
    created: creates && error === null ? to : null,
    value: frame.value ?? 0n,
    input: frame.input ?? "0x",
    gasLimit: hasGas ? frame.gas : null,
    gasUsed: hasGas ? frame.gasUsed : null,
    error,
  };
}

/** The frames below the root at `path`. Reports all their issues in one error. */
function nestedFrames(root: z.output<typeof rootSchema>, path: Path): UnboundFrame[] {
  const frames: UnboundFrame[] = [];
  const issues: Issue[] = [];
  const visit = (calls: readonly unknown[] | null, above: readonly number[], failed: boolean) => {
    for (const [index, call] of calls?.entries() ?? []) {
      const traceAddress = [...above, index];
      const { value: frame, issues: found } = check(frameSchema, call);
      if (found !== undefined) {
        const at = [...path, ...traceAddress.flatMap((step) => ["calls", step])];
        issues.push(...found.map((issue) => within(at, issue)));
        continue;
      }
      const undone = failed || frame.error !== null;
      const subTraces = frame.calls?.length ?? 0;
      frames.push({ traceAddress, ...nestedFields(frame), undone, subTraces });
      visit(frame.calls, traceAddress, undone);
    }
  };
  visit(root.calls, [], root.error !== null);
  const [first, ...others] = issues;
  if (first !== undefined) throw ingestError([first, ...others]);
  return frames;
}

/** The trace of a transaction, found at `path`. */
export function nestedTrace(given: unknown, transaction: Hash, path: Path): Trace {
  const location = { field: fieldAt(path) };
  const entry = read(entrySchema, given, path);
  const { txHash: of } = entry;
  if (of !== null && of !== transaction) {
    throw new IngestError(
      `expected the trace of transaction ${transaction}, received the trace of ${of}`,
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
  return { error: root.error, frames: nestedFrames(root, at) };
}
