// Traces of a transaction by a tracer of the followed node: what its calls returned, and how it changed the state.

import { isObject } from "../../src/models/issues.ts";
import { asObject } from "../../src/models/json.ts";
import type { LiveChain, NodeAnswer } from "../chain/live-chain.ts";
import type { Hash } from "../chain/records.ts";
import { delay } from "../message/event-loop.ts";

type Source = Pick<LiveChain, "ask">;

/** The chains whose nodes return steps whatever tracer is requested: their tracers are not used again, because steps may be a hundred megabytes. */
const withoutTracers = new WeakSet<Source>();

const isSteps = (answer: NodeAnswer | undefined): boolean =>
  answer !== undefined &&
  "result" in answer &&
  isObject(answer.result) &&
  "structLogs" in answer.result;

/** What the node returns; undefined if it does not respond. */
export async function traceBy(
  live: Source,
  hash: Hash,
  tracer: { readonly tracer: string; readonly tracerConfig?: object },
): Promise<NodeAnswer | undefined> {
  if (withoutTracers.has(live)) return { result: null };
  // If the node returns steps anyway, they are smaller this way.
  const smaller = { disableStack: true, disableMemory: true, disableStorage: true };
  const call = { method: "debug_traceTransaction", params: [hash, { ...tracer, ...smaller }] };
  const [answer] = (await live.ask?.([call]).catch(() => [])) ?? [];
  if (isSteps(answer)) withoutTracers.add(live);
  return answer;
}

/** How long calls wait for what they returned, which is shown beside what is known already. */
const PATIENCE_MS = 2000;

/** What each call of a transaction returned, itself first, in order; undefined for those that returned nothing. */
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
