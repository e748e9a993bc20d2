// Reads a list whose range cannot be pinned: each page starts with known records, which show how far the list moved.
import { findLastRead, matchesUpTo } from "./alignment.ts";
import type { ListProgress } from "./iteration-state.ts";
import { ListIterator, type ListPage } from "./list-iterator.ts";
import { type ListRecord, type ListResults, rankOf } from "./list-records.ts";
import { endSearch, isExhausted, searchPage } from "./moved-record-search.ts";

export class AlignedIterator extends ListIterator {
  protected afterFirstPage(_first: ListRecord | undefined, _full: boolean): void {
    this.state.stage = "reading";
  }

  protected afterPage(): void {}

  protected defer(pages: readonly ListResults[]): boolean {
    const key = this.#unconfirmedKey(pages);
    if (key === undefined) return false;
    this.state.overlapping = true;
    this.state.shortPages = true;
    this.confirm(key);
    return true;
  }

  /** Requests the page again, with the record before it in view; then the record with this key is taken. */
  protected confirm(key: string): void {
    this.state.unconfirmed = key;
  }

  /** The key of a record on a page without known ones that may have arrived at the start of the list. */
  #unconfirmedKey(pages: readonly ListResults[]): string | undefined {
    const { lists, order, overlapping, unconfirmed } = this.state;
    if (overlapping || this.positionsFixed) return undefined;
    for (const [index, { records }] of pages.entries()) {
      const [record] = records;
      const list = lists[index];
      if (!record || !list || list.ended) continue;
      const rank = rankOf(record) ?? 0;
      if (order < 0 && rank <= (list.rank ?? rank)) continue;
      const keys = this.keysOf(records);
      if (keys[0] !== unconfirmed && !keys.some((key) => list.lastKeys.includes(key)))
        return keys[0];
    }
    return undefined;
  }

  protected read(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { state } = this;
    const { lastKeys } = list;
    if (!lastKeys.length) return this.accept(list, page, 0);
    const expected = list.next - 1 - page.range.offset;
    const known = this.sequential && !list.search && state.overlapping ? this.overlapOf(list) : 0;
    // Almost always the list is where it was.
    const head = this.keysOf(page.records.slice(0, known));
    if (known && expected === known - 1 && matchesUpTo(head, lastKeys, expected))
      return this.accept(list, page, known);
    const keys = this.keysOf(page.records);
    if (state.overlapping) delete state.unconfirmed;
    else if (!list.search) {
      // If nothing can have moved, records with known keys are others.
      const start = this.positionsFixed
        ? 0
        : keys.findLastIndex((key) => lastKeys.includes(key)) + 1;
      return this.accept(list, page, start);
    }
    // The page was requested for the other list.
    const other = expected < 0 || (expected >= this.overlapOf(list) && expected >= keys.length);
    return other && !list.search ? [] : this.#align(list, page, keys, expected);
  }

  /** Takes what is behind the last record read, wherever in the page that is; searches for it if it is not there. */
  #align(
    list: ListProgress,
    page: ListPage,
    keys: readonly string[],
    expected: number,
  ): readonly ListRecord[] {
    const { state } = this;
    const { offset } = page.range;
    const found = findLastRead(keys, list.lastKeys, expected, this.keysRepeat && offset > 0);
    if (found < 0) {
      // A prefetched page may be out of date.
      if (!page.prefetched) this.#search(list, page, keys);
      return [];
    }
    const shift = found - expected;
    if (this.positionsFixed ? shift !== 0 : state.order < 0 && shift < 0)
      this.reportReorganisation(shift, offset + found + 1);
    list.search = undefined;
    // In a list that time orders, what moved back did so because something newer arrived before it.
    if (shift > 0 && list.rank !== undefined) state.order ||= -1;
    return this.accept(list, page, found + 1);
  }

  #search(list: ListProgress, { range, records }: ListPage, keys: readonly string[]): void {
    const { order } = this.state;
    const search = searchPage(list, { ...range, records, keys }, this.state);
    if (!isExhausted(search)) return;
    endSearch(list, search, { order, start: this.start, keysRepeat: this.keysRepeat });
    // A list that time does not order may just have lost the record.
    if (order || !search.lastFound) this.reportReorganisation(undefined, list.next);
  }
}
