// A list of a service that grows while it is read: in memory, with every habit the specification leaves open.
import { operations } from "../../../src/contract/index.ts";
import type { Call } from "../../../src/http/call.ts";
import { CheckedInput } from "../../../src/http/request.ts";
import { type ListOperation, type PagedRequest, paged } from "../../../src/lists/paged-request.ts";

export type SimulatedRecord = { readonly block_number: bigint } & Record<string, unknown>;

export interface Habits {
  readonly order: "newest first" | "oldest first";
  readonly count: "total" | "page" | "nonsense" | "none";
  /** The longest page the server gives, whatever is asked. */
  readonly cap: number;
}

const hash = (...words: unknown[]) => words.join(":");

/** What a block brings to a list, by the number of records. */
export type ListId = "A2" | "A5" | "A10" | "L1";

export const mining: Readonly<
  Record<string, (block: number, size: number, fork: number) => SimulatedRecord[]>
> = {
  A2: (block, size, fork) =>
    Array.from({ length: size }, (_, index) => ({
      block_number: BigInt(block),
      transaction_hash: hash(block, index, fork),
    })),
  // A batch: every record of the block looks the same.
  A5: (block, size, fork) =>
    Array.from({ length: size }, () => ({
      block_number: BigInt(block),
      transaction_hash: hash(block, fork),
      token_address: "0x1",
      sender: "0x0",
      receiver: "0x2",
    })),
  // No block number; several logs in a transaction.
  L1: (block, size, fork) =>
    Array.from({ length: size }, (_, index) => ({
      block_number: undefined as unknown as bigint,
      timestamp: new Date(block * 1000),
      transaction_hash: hash(block, index >> 1, fork),
      log_index: index,
    })),
  A10: (block) => [{ block_number: BigInt(block), timestamp: new Date(block * 1000) }],
};

interface Asked {
  readonly limit?: number;
  readonly offset?: number;
  readonly startBlock?: bigint;
  readonly endBlock?: bigint;
}

export class GrowingList {
  readonly habits: Habits;
  readonly blocks: (readonly SimulatedRecord[])[] = [];
  /** Called before every answer, and before the next is let go. */
  before: () => void | Promise<void> = () => {};
  requests = 0;
  inFlight = 0;
  mostInFlight = 0;

  constructor(habits: Habits) {
    this.habits = habits;
  }

  get records(): SimulatedRecord[] {
    return this.blocks.flat();
  }

  answer({ limit = 50, offset = 0, startBlock = 0n, endBlock = 1n << 60n }: Asked) {
    const { order, count, cap } = this.habits;
    const all = this.blocks.slice(Number(startBlock), Number(endBlock) + 1).flat();
    if (order === "newest first") all.reverse();
    const data = all.slice(offset, offset + Math.min(limit, cap));
    const counts = { total: all.length, page: data.length, nonsense: 7, none: null };
    return { count: counts[count], data };
  }

  readonly call: Call = async (_, input, options) => {
    options?.signal?.throwIfAborted();
    // An iteration that goes in circles would never end.
    if (++this.requests > 20_000) throw new Error("The list was asked for 20000 times");
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    let open = true;
    const close = () => {
      if (open) this.inFlight--;
      open = false;
    };
    options?.signal?.addEventListener("abort", close);
    try {
      await this.before();
      options?.signal?.throwIfAborted();
      return { data: this.answer(wireOf(input)) as never, response: new Response() };
    } finally {
      close();
    }
  };

  list(id: "A2" | "A5" | "A10" | "L1", query: object = {}): PagedRequest<SimulatedRecord> {
    const operation: ListOperation = operations[id];
    return paged(this.call, operation, { ...anyAccount(id), ...query } as never) as never;
  }
}

/** What a request of a list asks, in its wire form. */
export const wireOf = (input: Parameters<Call>[1]): Partial<Record<string, never>> =>
  (input instanceof CheckedInput ? input.wire : input) as never;

const address = `0x${"a".repeat(40)}`;

/** Whose list it is; a server in memory has only one. */
export const anyAccount = (id: "A2" | "A5" | "A10" | "L1"): object =>
  id === "L1" ? { address } : { address_hash: address };

/** How often each record stands in a list. */
export function tally(records: Iterable<object>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    const text = JSON.stringify(record, (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
