// Where a watch without `from` starts: which of the records that its first successful poll reads are new.
import { type ListRecord, rankOf } from "./list-records.ts";

type IsNew = (record: ListRecord) => boolean;

/** How far ahead of the service's time a block may be; one further ahead is of a simulated chain. */
const MAX_AHEAD = 60_000;

/** Fixes the start by the first response there is. */
export class WatchStart {
  /** The second in which the watch began: blocks have times in seconds. */
  readonly #began = Math.floor(Date.now() / 1000) * 1000;
  #isFirstLook = true;
  #isNew: IsNew | undefined;

  /** Which records are new, given how to read the first two of the list. */
  async find(
    read: () => Promise<{ data: { data: readonly ListRecord[] }; response: Response }>,
  ): Promise<IsNew> {
    if (this.#isNew) return this.#isNew;
    const isFirstLook = this.#isFirstLook;
    this.#isFirstLook = false;
    const { data, response } = await read();
    this.#isNew = isFirstLook ? behindNewest(data.data) : this.#sinceBegin(response);
    // In a list of another order, it is what comes after the first poll.
    return this.#isNew ?? (() => false);
  }

  /** Earlier looks failed: by the time of blocks, compared with the service's time now. */
  #sinceBegin({ headers }: Response): IsNew {
    const ahead = (Date.parse(headers.get("date") ?? "") || Date.now()) - Date.now();
    return ({ timestamp }) => {
      const time = timestamp instanceof Date ? timestamp.getTime() - ahead : Number.NaN;
      return time >= this.#began && time <= Date.now() + MAX_AHEAD;
    };
  }
}

/** What comes after the newest record; undefined if the records do not show that they are newest first. */
function behindNewest([newest, other]: readonly ListRecord[]): IsNew | undefined {
  if (newest === undefined) return () => true;
  const rank = rankOf(newest);
  if (rank === undefined || other === undefined || rank <= (rankOf(other) ?? rank))
    return undefined;
  return (record) => (rankOf(record) ?? 0) > rank;
}
