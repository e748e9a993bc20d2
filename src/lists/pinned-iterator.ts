// Reads a list whose range can be pinned: once it ends at the block of its newest record, nothing can move any more.
import { AlignedIterator } from "./aligned-iterator.ts";
import { matchesUpTo } from "./alignment.ts";
import type { ListProgress } from "./iteration-state.ts";
import type { ListPage } from "./list-iterator.ts";
import { type ListRecord, rankOf } from "./list-records.ts";

/**
 * A list that is newest first is pinned to the block of its first record. One that is oldest first needs no pin. While
 * all records are of one block, both are possible: that block is read to its end, and what follows it decides. Pinned or
 * not, pages are aligned as in any other list; after pinning, only a reorganisation moves them.
 */
export class PinnedIterator extends AlignedIterator {
  protected override afterFirstPage(first: ListRecord | undefined, full: boolean): void {
    const { state } = this;
    state.stage = "reading";
    // Some servers give logs no block number.
    if (typeof first?.block_number !== "bigint" || state.order > 0) return;
    if (state.order < 0) state.endBlock = state.firstRank;
    else if (full) this.#pinToFirstBlock();
    else state.stage = "short-first-page";
  }

  /** Whatever the order, what was read is the beginning of the first record's block. */
  #pinToFirstBlock(): void {
    this.state.stage = "first-block";
    this.state.endBlock = this.state.firstRank;
  }

  /** Leaves the first block once it is read to its end. */
  protected override afterPage(): void {
    const { state } = this;
    const [list] = state.lists;
    if (state.stage !== "first-block" || !list) return;
    if (state.order) state.stage = "reading";
    else if (list.ended) {
      list.ended = false;
      state.stage = "after-first-block";
      state.endBlock = undefined;
      state.overlapping = state.longestPage > 1;
    }
  }

  protected override confirm(key: string): void {
    if (this.state.stage === "short-first-page") this.#pinToFirstBlock();
    else super.confirm(key);
  }

  protected override read(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { stage } = this.state;
    const deciding = stage === "short-first-page" || stage === "after-first-block";
    if (deciding && list.lastKeys.length && !this.#isOldestFirst(list, page)) return [];
    return super.read(list, page);
  }

  /** Whether the page goes on with later blocks, so that the list is oldest first. Otherwise decides what to do. */
  #isOldestFirst(list: ListProgress, { records }: ListPage): boolean {
    const { state } = this;
    const keys = this.keysOf(records);
    const known = this.overlapOf(list);
    const next = records[known];
    const rank = next && rankOf(next);
    const inPlace = known
      ? matchesUpTo(keys, list.lastKeys, known - 1)
      : !keys.some((key) => list.lastKeys.includes(key));
    if (inPlace && !next) {
      this.#endOrLookAgain(list, records.length, known);
      return false;
    }
    const later = rank !== undefined && rank > (list.rank ?? rank);
    if (inPlace && later && (known || state.stage === "after-first-block")) {
      state.order = 1;
      state.stage = "reading";
      return true;
    }
    // Something arrived before what was read: the list is newest first.
    if (state.stage === "after-first-block") list.ended = true;
    else this.#pinToFirstBlock();
    return false;
  }

  /** A page with nothing behind the known records is the last, unless it has no room for more. */
  #endOrLookAgain(list: ListProgress, length: number, known: number): void {
    const { state } = this;
    if (length < state.longestPage || !state.overlapping) list.ended = true;
    else if (known > 1) state.shortPages = true;
    else {
      // The record before the unconfirmed one is still in its place: what follows it arrived at the end.
      if (state.unconfirmed !== undefined) state.order = 1;
      state.stage = "reading";
    }
  }
}
