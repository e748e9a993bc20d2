// Reads a list by its blocks: the range begins at the block of the last record read, and nothing in it can move.
import { AlignedIterator } from "./aligned-iterator.ts";
import { type ListProgress, MAX_REPEATS, REMEMBERED_KEYS } from "./iteration-state.ts";
import { type ListRecord, rankOf } from "./list-records.ts";
import type { ListPage } from "./received-page.ts";

/**
 * Once the list is known to be newest first, its range is narrowed to end at the block of the last record read: blocks
 * that arrive are outside. Should a record not be in its place nevertheless, whatever the order, the range is narrowed
 * to begin at its block. If it is not there either, the block itself was reorganised, and is read again.
 *
 * While all records are of one block, the order is unknown: the list is read as if it were newest first, and at its end
 * later blocks are looked for.
 */
export class PinnedIterator extends AlignedIterator {
  protected override afterPage(full: boolean): void {
    const { state } = this;
    const { order, stage, window } = state;
    const [list] = state.lists;
    super.afterPage(full);
    if (!list || list.ended || !this.#canAnchor(list)) return;
    if (stage === "start" && !order && !full) state.stage = "glance";
    if (state.stage !== "reading") return;
    const isNarrow = window.endBlock !== undefined;
    const isCertain = this.room > 0 && this.neededOverlap(list) <= this.room;
    if (isNarrow === order > 0 || !isCertain) this.#anchor(list);
  }

  /** Some servers give logs no block number; the block that an offset begins in may have begun before. */
  #canAnchor({ inBlock, rank }: ListProgress): boolean {
    return this.state.top !== undefined && rank !== undefined && inBlock !== undefined;
  }

  /** Narrows the range to begin at the block of the last record read. */
  #anchor(list: ListProgress): void {
    const { state } = this;
    const { inBlock = 0, rank } = list;
    state.window = state.order > 0 ? { startBlock: rank } : { ...state.window, endBlock: rank };
    list.next = inBlock;
  }

  #isAnchored({ inBlock, next, rank }: ListProgress): boolean {
    const { order, window } = this.state;
    return next === inBlock && rank === (order > 0 ? window.startBlock : window.endBlock);
  }

  protected override neededOverlap(list: ListProgress): number {
    return this.#canAnchor(list) && this.#isAnchored(list) ? 1 : super.neededOverlap(list);
  }

  protected override rankBefore(list: ListProgress): number | undefined {
    // A reorganisation between two answers would show a wrong order.
    return this.start > 0 || list.alone?.confirmed ? list.rank : undefined;
  }

  protected override read(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { state } = this;
    const { range, records } = page;
    const [first] = records;
    if (state.stage === "start" && typeof first?.block_number === "bigint")
      state.top = Number(first.block_number);
    if (this.#ignoresBlocks(page)) {
      // Then the whole list is read, like one whose range has no blocks.
      state.top = undefined;
      state.stage = "reading";
      state.window = {};
      list.next = this.start + list.read;
      return [];
    }
    if (state.stage === "beyond") return this.#readBeyond(list, page);
    if (state.stage === "glance" && records.length > list.next - range.offset) {
      state.stage = "reading";
      this.#anchor(list);
      return [];
    }
    return super.read(list, page);
  }

  /** Whether the server sends records outside the requested blocks. */
  #ignoresBlocks({ range: { startBlock, endBlock }, records }: ListPage): boolean {
    return [records[0], records.at(-1)].some(
      (record) =>
        typeof record?.block_number === "bigint" &&
        (record.block_number < (startBlock ?? record.block_number) ||
          record.block_number > (endBlock ?? record.block_number)),
    );
  }

  /** A bare page goes on where the last record was if it goes on with its block. */
  protected override readBare(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const [first] = page.records;
    if (first && this.#isAnchored(list) && rankOf(first) === list.rank)
      return this.accept(list, page, 0);
    return super.readBare(list, page);
  }

  /** The order is unknown at the end of what was read: later blocks follow if the list is oldest first. */
  override goesOn(list: ListProgress): boolean {
    const { state } = this;
    const { order, stage, top } = state;
    if (order || stage !== "reading" || top === undefined || this.start) return false;
    if (top >= (this.blocks.endBlock ?? Number.POSITIVE_INFINITY)) return false;
    state.stage = "beyond";
    state.window = { startBlock: top + 1 };
    list.checks = 0;
    this.#rewind(list);
    list.ended = false;
    return true;
  }

  #readBeyond(list: ListProgress, page: ListPage): readonly ListRecord[] {
    const { state } = this;
    const ranks = page.records.map((record) => rankOf(record) ?? 0);
    // Newest first: these records arrived since.
    if (!ranks.length || ranks.some((rank, index) => rank < (ranks[index - 1] ?? rank))) {
      list.ended = true;
      return [];
    }
    state.stage = "reading";
    const taken = this.accept(list, page, 0);
    state.top = list.rank;
    if (!state.order) state.window = { ...state.window, endBlock: list.rank };
    return taken;
  }

  /** Begins the range anew. */
  #rewind(list: ListProgress): void {
    list.next = 0;
    list.inBlock = 0;
    list.bare = false;
    list.alone = undefined;
    this.state.repeats = 0;
  }

  protected override recover(
    list: ListProgress,
    page: ListPage,
    expected: number,
  ): readonly ListRecord[] {
    const { state } = this;
    if (!this.#canAnchor(list)) return super.recover(list, page, expected);
    if (!this.#isAnchored(list) && page.records.length && page.records.length <= expected) {
      // The page is too short to show the record; at the block's beginning, one known record is enough.
      state.stage = "reading";
      this.#anchor(list);
      return [];
    }
    // A prefetched page may be out of date, and another replica may know more.
    if (page.prefetched || ++state.repeats <= MAX_REPEATS) return [];
    if (state.stage === "glance") state.stage = "reading";
    else if (this.#isAnchored(list)) {
      this.reportReorganisation(list, undefined, true);
      state.moved = undefined;
      list.missingKeys = [...(list.missingKeys ?? []), ...list.lastKeys].slice(-REMEMBERED_KEYS);
      list.lastKeys = [];
      // What comes again was counted already.
      list.read -= list.inBlock ?? 0;
      this.#rewind(list);
      return [];
    } else {
      const found = this.find(list, page, this.keysOf(page.records), expected);
      state.moved = { shift: found < 0 ? undefined : found - expected };
    }
    state.repeats = 0;
    this.#anchor(list);
    return [];
  }

  protected override foundInPlace(list: ListProgress): void {
    const { moved } = this.state;
    if (moved) this.reportReorganisation(list, moved.shift);
    this.state.moved = undefined;
  }
}
