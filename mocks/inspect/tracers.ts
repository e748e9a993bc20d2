// Reads traces of the followed node, such as the return values of calls.

import { isObject } from "../../src/models/issues.ts";
import { asObject } from "../../src/models/json.ts";
import type { LiveChain, NodeAnswer } from "../chain/live-chain.ts";
import type { Hash } from "../chain/records.ts";
import { delay } from "../message/event-loop.ts";

type Source = Pick<LiveChain, "ask">;

/** Nodes that ignore the tracer and return steps, which may take 100 MB. They are asked once. */
const withoutTracers = new WeakSet<Source>();

const isSteps = (answer: NodeAnswer | undefined): boolean =>
  answer !== undefined &&
  "result" in answer &&
  isObject(answer.result) &&
  "structLogs" in answer.result;

/** Traces a transaction. Returns undefined if the node does not respond. */
export async function traceBy(
  live: Source,
  hash: Hash,
  tracer: { readonly tracer: string; readonly tracerConfig?: object },
): Promise<NodeAnswer | undefined> {
  if (withoutTracers.has(live)) return { result: null };
  // These options make steps smaller, if the node returns steps anyway.
  const smaller = { disableStack: true, disableMemory: true, disableStorage: true };
  const call = { method: "debug_traceTransaction", params: [hash, { ...tracer, ...smaller }] };
  const [answer] = (await live.ask?.([call]).catch(() => [])) ?? [];
  if (isSteps(answer)) withoutTracers.add(live);
  return answer;
}

/** How long the list of calls waits for return values, in milliseconds. */
const PATIENCE_MS = 2000;

/** Returns the output of the transaction and of each of its calls, in the order of the calls. */
export async function outputsOf(
  live: Source | undefined,
  hash: Hash,
): Promise<readonly (string | undefined)[]> {
  if (live?.ask === undefined) return [];
  const answered = new AbortController();
  const answer = await Promise.race([
    traceBy(live, hash, { tracer: "callTracer" }).finally(() => answered.abort()),
    delay(PATIENCE_MS, answered.signal).then(() => undefined),
  ]);
  const root = answer !== undefined && "result" in answer ? answer.result : undefined;
  if (!isObject(root) || !("gasUsed" in root) || isSteps(answer)) return [];
  const outputs: (string | undefined)[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const frame = open.pop();
    const { output, calls } = asObject(frame);
    outputs.push(typeof output === "string" ? output : undefined);
    if (Array.isArray(calls)) open.push(...calls.toReversed());
  }
  return outputs;
}
