// Requests the pages of an iteration ahead, hands them out in order, and drops them when they turn out stale.

import { AbortScope } from "../http/abort.ts";
import type { ResponseWithData } from "../http/call.ts";
import type { PageRange } from "./iteration-state.ts";
import type { ListIterator } from "./list-iterator.ts";

/** A page that was requested. */
export interface PendingPage<Results> {
  readonly range: PageRange;
  /** It was requested before the page ahead of it arrived. */
  readonly prefetched: boolean;
  readonly response: Promise<ResponseWithData<Results>>;
}

interface PageSource<Results> {
  readonly options: { readonly signal?: AbortSignal | undefined };
  fetch(range: PageRange, signal: AbortSignal): Promise<ResponseWithData<Results>>;
}

const isSameRange = (one: PageRange, other: PageRange) =>
  one.offset === other.offset &&
  one.limit === other.limit &&
  one.startBlock === other.startBlock &&
  one.endBlock === other.endBlock;

export class PrefetchQueue<Results> {
  readonly #source: PageSource<Results>;
  #pending: PendingPage<Results>[] = [];
  #scope: AbortScope;
  /** No page is requested ahead from this position on. */
  #end = Infinity;

  constructor(source: PageSource<Results>) {
    this.#source = source;
    this.#scope = this.#createScope();
  }

  #createScope(): AbortScope {
    return new AbortScope().follow(this.#source.options.signal);
  }

  /** The next page; `depth` pages are in flight while you wait for it. */
  next(iterator: ListIterator, depth: number): PendingPage<Results> {
    this.fill(iterator, Math.max(depth, 1));
    // `fill` has requested at least one.
    return this.#pending.shift() as PendingPage<Results>;
  }

  /** Requests the next page, unless it is in flight, and those behind it. */
  fill(iterator: ListIterator, depth: number): void {
    const range = iterator.nextRange();
    const [head] = this.#pending;
    if (head && !isSameRange(head.range, range)) {
      this.clear();
      this.#scope = this.#createScope();
    }
    if (!this.#pending.length) this.#request(range, false);
    while (this.#pending.length < depth) {
      const predicted = iterator.predictAfter(this.#pending.at(-1)?.range ?? range);
      if (!predicted || predicted.offset >= this.#end) return;
      this.#request(predicted, true);
    }
  }

  #request(range: PageRange, prefetched: boolean): void {
    const response = this.#source.fetch(range, this.#scope.signal);
    // The reader of the page handles its error; that of a dropped page needs no handling.
    response.catch(() => {});
    this.#pending.push({ range, prefetched, response });
  }

  /** Requests nothing ahead beyond `left` more records, or the end of the list if `count` tells it. */
  setEnd(position: number, left: number, count: number | null): void {
    // A count beyond the page can only be that of the list.
    this.#end = Math.min(position + left, count !== null && count > position ? count : Infinity);
  }

  /** Aborts the requests in flight. */
  clear(): void {
    this.#scope.abort(undefined);
    this.#scope.close();
    this.#pending = [];
  }
}
