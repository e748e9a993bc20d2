// Reads a list that may move: each page starts with known records, which show how far it moved.
import { findLastRead, matchesUpTo } from "./alignment.ts";
import { type ListProgress, MAX_REPEATS } from "./iteration-state.ts";
import { ListIterator } from "./list-iterator.ts";
import type { ListRecord } from "./list-records.ts";
import { endSearch, isExhausted, searchPage } from "./moved-record-search.ts";
import { totalIn } from "./promised-count.ts";
import type { ListPage } from "./received-page.ts";

/** Stands for a page without records. */
const NOTHING = "";
/** How often a record that comes alone may be requested again. A total that never stays the same means something else. */
const MAX_DOUBTS = 5;

export class AlignedIterator extends ListIterator {
  protected afterPage(_full: boolean): void {
    const { state } = this;
    if (state.stage === "start" && state.lists.some(({ read }) => read)) state.stage = "reading";
  }

  goesOn(_list: ListProgress): boolean {
    return false;
  }

  protected rankBefore({ rank }: ListProgress): number | undefined {
    return rank;
  }

  protected read(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { lastKeys, next } = list;
    const { range, records } = page;
    if (!lastKeys.length) return this.accept(list, page, 0);
    if (list.search) return this.#searchIn(list, page);
    const expected = next - 1 - range.offset;
    const head = this.keysOf(records.slice(0, expected + 1));
    if (matchesUpTo(head, lastKeys, expected)) return this.#goOn(list, page, expected + 1);
    // The page may be requested for the other list of A6.
    if (range.offset !== next - this.overlapOf(list)) return [];
    return expected < 0 ? this.readBare(list, page) : this.recover(list, page, expected);
  }

  /** The last record read is in its place: takes what is behind it. */
  #goOn(list: ListProgress, page: ListPage, start: number): readonly ListRecord[] {
    this.foundInPlace(list);
    this.state.repeats = 0;
    const taken = this.accept(list, page, start);
    if (taken.length || !list.alone) return taken;
    // A page with room for more shows by itself that nothing follows.
    if (list.alone.key === NOTHING && this.room > 0) list.ended = true;
    else if (!this.#doubts(list, page)) list.alone = { ...list.alone, confirmed: true };
    list.bare = true;
    return taken;
  }

  /** Whether the page may show another state of a list that moves than the lone record; if so, both are requested again. */
  #doubts(list: ListProgress, page: ListPage): boolean {
    const { alone } = list;
    if (!alone || this.state.order > 0 || totalIn(page) === alone.total) return false;
    if (alone.doubts === MAX_DOUBTS) return false;
    list.alone = { ...alone, confirmed: false, doubts: alone.doubts + 1 };
    return true;
  }

  /** Runs when the last record read was found in its place. */
  protected foundInPlace(_list: ListProgress): void {}

  /** A page that starts behind the last record read: nothing shows yet that nothing is between them. */
  protected readBare(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { count, range, records } = page;
    const { alone, lastKeys, promised, read } = list;
    const keys = this.keysOf(records);
    const [key = NOTHING] = keys;
    const known = this.keysRepeat ? [] : keys.filter((one) => lastKeys.includes(one));
    if (alone?.confirmed && alone.key === key) {
      if (this.#doubts(list, page)) return [];
      // A reorganisation brought them behind the last record read.
      if (known.length) list.missingKeys = [...(list.missingKeys ?? []), ...known];
      return this.accept(list, page, 0);
    }
    if (!keys.length && count === range.offset && promised === this.start + read) {
      list.ended = true;
      return [];
    }
    list.alone = { key, total: totalIn(page), confirmed: false, doubts: alone?.doubts ?? 0 };
    if (known.length) return this.recover(list, page, -1);
    list.bare = false;
    return [];
  }

  /** The last record read is not where it was expected. */
  protected recover(list: ListProgress, page: ListPage, expected: number): readonly ListRecord[] {
    const { state } = this;
    // A prefetched page may be out of date.
    if (page.prefetched) return [];
    state.repeats++;
    const keys = this.keysOf(page.records);
    const found = this.find(list, page, keys, expected);
    const shift = found - expected;
    // New records at the start of the list move the others back. Another replica may not know them yet.
    const isGrowth = found < 0 ? keys.some((key) => list.lastKeys.includes(key)) : shift > 0;
    const isUsual = list.rank === undefined || (isGrowth && state.order <= 0);
    if (!isUsual && state.repeats <= MAX_REPEATS) return [];
    return found < 0
      ? this.#searchOn(list, page, keys)
      : this.#acceptMoved(list, page, found, shift);
  }

  /** The index of the last record read; -1 if the page does not hold it. */
  protected find(
    { lastKeys }: ListProgress,
    { range }: ListPage,
    keys: readonly string[],
    expected: number,
  ): number {
    return findLastRead(keys, lastKeys, expected, this.keysRepeat && range.offset > 0);
  }

  #acceptMoved(list: ListProgress, page: ListPage, found: number, shift: number) {
    const { state } = this;
    if (state.order > 0 ? shift !== 0 : state.order < 0 && shift < 0)
      this.reportReorganisation(list, shift);
    // In a list that time orders, what moved back did so because something newer arrived before it.
    if (shift > 0 && list.rank !== undefined) state.order ||= -1;
    list.search = undefined;
    if (!shift) return this.#goOn(list, page, found + 1);
    list.alone = undefined;
    return this.accept(list, page, found + 1);
  }

  #searchIn(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const expected = list.next - 1 - page.range.offset;
    const keys = this.keysOf(page.records);
    const found = this.find(list, page, keys, expected);
    if (found >= 0) return this.#acceptMoved(list, page, found, found - expected);
    if (page.prefetched) return [];
    this.state.repeats++;
    return this.#searchOn(list, page, keys);
  }

  #searchOn(list: ListProgress, { range, records }: ListPage, keys: readonly string[]) {
    const { state, start } = this;
    const search = searchPage(list, { ...range, records, keys }, state);
    if (!isExhausted(search)) return [];
    if (!list.searched) {
      list.searched = true;
      list.search = undefined;
      if (list.alone?.key === NOTHING) list.alone = undefined;
      list.bare = false;
      return [];
    }
    list.searched = undefined;
    endSearch(list, search, { order: state.order, start });
    state.repeats = 0;
    list.alone = undefined;
    list.bare = this.room < 1;
    // A list that time does not order may just have lost the record.
    if (state.order || !search.lastFound) this.reportReorganisation(list, undefined, true);
    return [];
  }
}
