// Reads callTracer's nested frames.
import * as z from "zod/mini";
import { check, type Issue, isObject } from "../../src/models/issues.ts";
import { orNull } from "../../src/models/primitives.ts";
import type { Hash } from "../chain/records.ts";
import { fastRecord } from "./fast.ts";
import { IngestError } from "./ingest-error.ts";
import { fieldAt, ingestError, type Path, read, within } from "./read.ts";
import { type FrameFields, frameType, type Trace, type UnboundFrame } from "./trace.ts";
import { address, anything, count, data, hash, list, quantity, text } from "./values.ts";

const rootFields = { error: orNull(text), calls: orNull(list(z.unknown())) };

/** The root frame: what else it says is the transaction's own. */
const rootSchema = fastRecord(z.object({ type: anything, ...rootFields }));

/** debug_traceTransaction answers the root itself, debug_traceBlockByNumber wraps it. */
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
  const creation = type === "create" || type === "create2";
  // A node writes 0 gas for the end of a contract, which takes none: there is no such figure.
  const ends = type === "selfdestruct";
  return {
    type,
    from: frame.from,
    to: creation ? null : to,
    created: creation && error === null ? to : null,
    value: frame.value ?? 0n,
    input: frame.input ?? "0x",
    gasLimit: ends ? null : frame.gas,
    gasUsed: ends ? null : frame.gasUsed,
    error,
  };
}

/** The frames below a root that stands at `path`. All that is wrong in them is one error. */
function nestedFrames(root: z.output<typeof rootSchema>, path: Path): UnboundFrame[] {
  const frames: UnboundFrame[] = [];
  const issues: Issue[] = [];
  const visit = (calls: readonly unknown[] | null, above: readonly number[], failed: boolean) => {
    for (const [index, call] of calls?.entries() ?? []) {
      const traceAddress = [...above, index];
      const { value: frame, issues: wrong } = check(frameSchema, call);
      if (wrong !== undefined) {
        const at = [...path, ...traceAddress.flatMap((step) => ["calls", step])];
        issues.push(...wrong.map((issue) => within(at, issue)));
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

/** The trace of a transaction, as it stands at `path`. */
export function nestedTrace(given: unknown, transaction: Hash, path: Path): Trace {
  const place = { field: fieldAt(path) };
  const entry = read(entrySchema, given, path);
  const { txHash: of } = entry;
  if (of !== null && of !== transaction) {
    throw new IngestError(
      `expected the trace of transaction ${transaction}, got that of ${of}`,
      place,
    );
  }
  const wrapped = isObject(entry.result);
  const at = wrapped ? [...path, "result"] : path;
  const root = wrapped ? read(rootSchema, entry.result, at) : entry;
  if (root.type === undefined) {
    const error = entry.error === null ? "" : `: the node said "${entry.error}"`;
    throw new IngestError(
      `expected a callTracer frame for transaction ${transaction}${error}`,
      place,
    );
  }
  return { error: root.error, frames: nestedFrames(root, at) };
}
