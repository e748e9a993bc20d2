// Searches for the last record that was read, where a page lacks it: on pages towards the beginning of the list, then onward from there.
import type { BlockWindow } from "./block-window.ts";
import type { Answer } from "./progress.ts";

export class RecordSearch {
  readonly #blocks: BlockWindow;
  /** Where to look. */
  offset = 0;
  /** The page that lacks the record is empty. */
  beganEmpty = false;
  /** A page that was looked at is before the record. */
  #isOnward = false;

  constructor(blocks: BlockWindow) {
    this.#blocks = blocks;
  }

  /** Begins at the page that should begin with the record, and lacks it. */
  begin({ keys }: Answer): void {
    this.#isOnward = false;
    this.beganEmpty = !keys.length;
  }

  /**
   * Chooses where to look after a page without the record; false if it is nowhere. Blocks or times show the direction if they order the list;
   * `hasKnown`: the page has others that were read.
   */
  next({ keys, ranks, request }: Answer, hasKnown: boolean, longestPage: number): boolean {
    const { lowest } = this.#blocks;
    const [first, last] = [this.#blocks.past(ranks[0]), this.#blocks.past(ranks.at(-1))];
    const isAtBeginning = request.offset <= lowest;
    const isAfter = !keys.length || (first >= 0 && last > 0);
    // Nothing is left in its direction, or it would be on this page.
    const isNowhere = isAfter && (isAtBeginning || (this.#isOnward && !keys.length));
    if (isNowhere || (first < 0 && last > 0)) return false;
    this.#isOnward = !isAfter && (this.#isOnward || hasKnown || last < 0 || isAtBeginning);
    const page = Math.max(1, (this.#isOnward ? keys.length : longestPage) - 1);
    this.offset = Math.max(lowest, request.offset + (this.#isOnward ? page : -page));
    return true;
  }
}
