// Reads the traces of a block in either form: callTracer's nested frames or trace_block's flat list.
import * as z from "zod/mini";
import { isObject } from "../../src/models/issues.ts";
import type { Hash } from "../chain/records.ts";
import { nestedTrace } from "./call-tracer.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import type { BlockTraces } from "./trace.ts";
import { flatTraces } from "./trace-block.ts";
import { list } from "./values.ts";

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
  const traces = transactions.map((of, index) => nestedTrace(given[index], of, [field, index]));
  return { traces, rewards: [] };
}
