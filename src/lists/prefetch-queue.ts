// The pages of one iteration that are in flight: asked for ahead, given out in order, dropped when they turn out stale.

import { Scope } from "../http/abort.ts";
import type { Answer } from "../http/call.ts";
import type { Course, Part } from "./list-iterator.ts";

/** A part of a list that was asked for. */
export interface Asked<Results> {
  readonly part: Part;
  /** It was asked for before the part ahead of it had come. */
  readonly early: boolean;
  readonly answer: Promise<Answer<Results>>;
}

interface Origin<Results> {
  readonly options: { readonly signal?: AbortSignal | undefined };
  fetch(part: Part, signal: AbortSignal): Promise<Answer<Results>>;
}

const same = (one: Part, other: Part) =>
  one.offset === other.offset && one.limit === other.limit && one.endBlock === other.endBlock;

export class Flight<Results> {
  readonly #origin: Origin<Results>;
  #queue: Asked<Results>[] = [];
  #scope: Scope;
  /** Nothing from this position on is worth asking for ahead. */
  #bound = Infinity;

  constructor(origin: Origin<Results>) {
    this.#origin = origin;
    this.#scope = this.#open();
  }

  #open(): Scope {
    return new Scope().follow(this.#origin.options.signal);
  }

  /** The part to read next; `depth` parts stay in flight behind it while it is waited for. */
  next(course: Course, depth: number): Asked<Results> {
    this.fill(course, Math.max(depth, 1));
    // There is one: the line above asks for it.
    return this.#queue.shift() as Asked<Results>;
  }

  /** Asks for what comes next, if that is not under way, and for what comes behind it. */
  fill(course: Course, depth: number): void {
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

  #ask(part: Part, early: boolean): void {
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
