// The pages of one iteration that are in flight: asked for ahead, given out in order, dropped when they turn out stale.

import { AbortScope } from "../http/abort.ts";
import type { ResponseWithData } from "../http/call.ts";
import type { ListIterator, PageRange } from "./list-iterator.ts";

/** A part of a list that was asked for. */
export interface PendingPage<Results> {
  readonly part: PageRange;
  /** It was asked for before the part ahead of it had come. */
  readonly early: boolean;
  readonly answer: Promise<ResponseWithData<Results>>;
}

interface PageSource<Results> {
  readonly options: { readonly signal?: AbortSignal | undefined };
  fetch(part: PageRange, signal: AbortSignal): Promise<ResponseWithData<Results>>;
}

const same = (one: PageRange, other: PageRange) =>
  one.offset === other.offset && one.limit === other.limit && one.endBlock === other.endBlock;

export class PrefetchQueue<Results> {
  readonly #origin: PageSource<Results>;
  #queue: PendingPage<Results>[] = [];
  #scope: AbortScope;
  /** Nothing from this position on is worth asking for ahead. */
  #bound = Infinity;

  constructor(origin: PageSource<Results>) {
    this.#origin = origin;
    this.#scope = this.#open();
  }

  #open(): AbortScope {
    return new AbortScope().follow(this.#origin.options.signal);
  }

  /** The part to read next; `depth` parts stay in flight behind it while it is waited for. */
  next(course: ListIterator, depth: number): PendingPage<Results> {
    this.fill(course, Math.max(depth, 1));
    // There is one: the line above asks for it.
    return this.#queue.shift() as PendingPage<Results>;
  }

  /** Asks for what comes next, if that is not under way, and for what comes behind it. */
  fill(course: ListIterator, depth: number): void {
    const part = course.ask();
    const [head] = this.#queue;
    if (head && !same(head.part, part)) {
      this.drop();
      this.#scope = this.#open();
    }
    if (!this.#queue.length) this.#ask(part, false);
    while (this.#queue.length < depth) {
      const ahead = course.ahead(this.#queue.at(-1)?.part ?? part);
      if (!ahead || ahead.offset >= this.#bound) return;
      this.#ask(ahead, true);
    }
  }

  #ask(part: PageRange, early: boolean): void {
    const answer = this.#origin.fetch(part, this.#scope.signal);
    // It is looked at in its turn, or not at all.
    answer.catch(() => {});
    this.#queue.push({ part, early, answer });
  }

  /** Learns how far ahead it makes sense to ask: a count beyond the page can only be that of the list. */
  bound(end: number, left: number, count: number | null): void {
    this.#bound = Math.min(end + left, count !== null && count > end ? count : Infinity);
  }

  /** Aborts what is in flight. */
  drop(): void {
    this.#scope.abort(undefined);
    this.#scope.close();
    this.#queue = [];
  }
}
