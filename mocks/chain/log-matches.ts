// The logs of a segment that matched a filter with several topics, kept for the next page of it.
import type { SomeIds } from "./ids.ts";

/** The ids that matched among the first `checked` logs. A segment only grows, so they stay matches. */
interface Matches {
  readonly ids: number[];
  checked: number;
}

/** The ids kept in all: 16 MB. An entry without ids counts too. */
const maxSize = 2 ** 21;
const sizeOf = ({ ids }: Matches): number => 32 + ids.length;

export class LogMatches {
  /** The least recently used first. */
  readonly #kept = new Map<string, Matches>();
  readonly #limit: number;
  #size = 0;

  constructor(limit = maxSize) {
    this.#limit = limit;
  }

  /** At most the limit. */
  get size(): number {
    return this.#size;
  }

  /** All matches of a filter among the first `count` logs; `matchesFrom` finds those whose id is not below its argument. */
  of(filter: string, count: number, matchesFrom: (start: number) => SomeIds): readonly number[] {
    const kept = this.#kept.get(filter);
    const matches = kept ?? { ids: [], checked: 0 };
    if (kept !== undefined) this.#drop(filter, kept);
    if (matches.checked < count) {
      for (const id of matchesFrom(matches.checked)) matches.ids.push(id);
      matches.checked = count;
    }
    this.#kept.set(filter, matches);
    this.#size += sizeOf(matches);
    for (const [oldest, other] of this.#kept) {
      if (this.#size <= this.#limit) break;
      this.#drop(oldest, other);
    }
    return matches.ids;
  }

  #drop(filter: string, matches: Matches): void {
    this.#kept.delete(filter);
    this.#size -= sizeOf(matches);
  }
}
