// A chain that changes by itself, such as one that follows a node: whether it can be read, what to refresh first, and how it is.
import type { ChainWriter } from "./writer.ts";

/** A chain that something outside keeps up to date. Explorers share it: `reset`, `restore` and tenants leave it as it is. */
export interface LiveChain {
  readonly chain: ChainWriter;
  readonly live: true;
  /** Why requests cannot be answered now, for a response 503; undefined if they can. */
  unavailable(): string | undefined;
  /** What `/health` tells beside the head. */
  health(): Readonly<Record<string, unknown>>;
}

/** Whether a source of a chain is live. */
export const isLive = (source: object | undefined): source is LiveChain =>
  source !== undefined && "live" in source && source.live === true;
