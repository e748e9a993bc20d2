// A request for a list: await it for one page, or iterate it for every record exactly once, even
// while the list grows.

import type { OperationResults } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { nameCaller } from "../http/caller.ts";
import { WithResponse } from "../http/result-promise.ts";
import type { ListInput, ListSource, Period, PreparedList } from "./list.ts";
import type { PageRead } from "./one-page.ts";
import type { ItemOf, ListOperation } from "./records.ts";

/** The fields that the pages of all lists have. */
interface PageContents<Item, Results> extends Iterable<Item> {
  /** The records, in the server's order, without those of earlier pages. */
  readonly data: Item[];
  /** The server's count of records, in the list or only on the page; null without one. */
  readonly count: number | null;
  /** The number of records requested for the page; fewer only at the end of the list. */
  readonly limit: number;
  /** How many records of the list come before this page. */
  readonly offset: number;
  /** The results as received. They may repeat records of earlier pages. */
  readonly results: Results;
  /** Pass this as `resume` to continue after this page, in this process or another. */
  readonly cursor: string;
  /** False if this is the last page. If true, the next page may still be empty. */
  hasNextPage(): boolean;
  /** The next page; empty if there are no more records. */
  nextPage(): PagedRequest<Item, Results>;
}

/**
 * One page of a list. Iterate it for its records. A page also has the other fields of the results:
 * `to_block` of simple transactions, or `mrc_20` and `mrc_721` of the combined token list.
 */
export type Page<Item, Results = unknown> = PageContents<Item, Results> &
  Omit<Results, keyof PageContents<Item, Results>>;

/**
 * A request for a list. It is sent when you await or iterate it. It rejects like the client's other
 * methods, and with a {@link ParameterError} if `resume` is not a cursor of this list.
 *
 * @example
 * const { data, count, hasNextPage } = await explorer.accounts.transactions(address, { limit: 10 });
 * for await (const transaction of explorer.accounts.transactions(address)) console.log(transaction.value);
 */
export class PagedRequest<Item, Results = unknown> extends WithResponse<
  Page<Item, Results>,
  ResponseWithData<Page<Item, Results>>
> {
  readonly [Symbol.toStringTag] = "PagedRequest";
  readonly #prepare: () => Promise<PreparedList>;
  readonly #resume: string | undefined;
  #page: Promise<ResponseWithData<Page<Item, Results>>> | undefined;

  constructor(prepare: () => Promise<PreparedList>, resume?: string) {
    super();
    this.#prepare = prepare;
    this.#resume = resume;
  }

  /**
   * The first page, and its HTTP response.
   *
   * @example
   * const { data: page, response } = await explorer.accounts.transactions(address).withResponse();
   * console.log(page.data.length, response.headers.get("date"));
   */
  withResponse(): Promise<ResponseWithData<Page<Item, Results>>> {
    this.#page ??= this.#read();
    return this.#page;
  }

  async #read(): Promise<ResponseWithData<Page<Item, Results>>> {
    const { cursorOf, readPage } = await load();
    const list = await this.#prepare();
    const page = await readPage(list);
    return { data: toPage(page, (next) => cursorOf(list, next)), response: page.response };
  }

  /**
   * Every record, exactly once, even while the chain grows (see docs/iteration.md). Leaving the
   * loop aborts requests in flight.
   *
   * @example
   * for await (const { value } of explorer.accounts.transactions(address, { prefetch: 4 }))
   *   console.log(value);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { readRecords } = await load();
    // The records are the operation's items, which the reader treats as `ListRecord`s.
    for await (const records of readRecords(await this.#prepare()))
      for (const record of records) yield record as Item;
  }

  /**
   * Every page that holds new records, with a cursor to resume from.
   *
   * @example
   * for await (const { data, cursor } of explorer.accounts.transactions(address, { limit: 100 }).pages())
   *   console.log(data.length, cursor);
   */
  async *pages(): AsyncGenerator<Page<Item, Results>, void, undefined> {
    const { cursorOf, readPages } = await load();
    const list = await this.#prepare();
    for await (const page of readPages(list)) yield toPage(page, (next) => cursorOf(list, next));
  }

  /**
   * Splits the list into up to `parts` ranges of blocks and returns a cursor for each, so that
   * several workers can read the list at the same time: each passes its cursor as `resume` to the
   * same list. New blocks belong to the last part. A list without blocks has one part.
   *
   * @example
   * const cursors = await explorer.accounts.transactions(address).split(4);
   * const parts = cursors.map((resume) => explorer.accounts.transactions(address, { resume }).collect());
   * const transactions = (await Promise.all(parts)).flat();
   */
  async split(parts: number): Promise<string[]> {
    const { checkParts, splitList } = await load();
    checkParts(parts);
    return splitList(await this.#prepare(), parts, this.#resume);
  }

  /**
   * All records in an array, or the first `max`.
   *
   * @example
   * const newest = await explorer.accounts.transactions(address).collect({ max: 5 });
   * newest.length; // 5
   */
  async collect(
    options: {
      /** The maximum number of records. @default Infinity */
      readonly max?: number | undefined;
    } = {},
  ): Promise<Item[]> {
    const { collectLimit, collectRecords } = await load();
    const max = collectLimit(options);
    return (await collectRecords(await this.#prepare(), max)) as Item[];
  }
}

/** Loads the code that reads lists when a list is first read. */
const load = () => loadCode(() => import("./read-pages.ts"));

/** Returns a page as the caller sees it. Its cursor is a getter, because few callers use it. */
function toPage<Item, Results>(
  { hasNextPage, next, records, response, results, ...page }: PageRead,
  cursorOf: (position: NonNullable<PreparedList["position"]>) => string,
): Page<Item, Results> {
  const data = records as Item[];
  const contents = {
    ...{ ...results, ...page, data, results: results as Results },
    hasNextPage: () => hasNextPage,
    nextPage: () => new PagedRequest<Item, Results>(async () => next()),
    [Symbol.iterator]: () => data.values(),
    get cursor() {
      const { position } = next();
      return position ? cursorOf(position) : "";
    },
  };
  return contents as typeof contents & Page<Item, Results>;
}

/** Adds the account or transaction to a query. The check refuses a query that is not an object. */
export const withSubject = <Query, Subject extends object>(query: Query, subject: Subject) =>
  (typeof query === "object" || query === undefined ? { ...query, ...subject } : query) as Query &
    Subject;

/**
 * Creates the request for a list. `extend` loads parts of the request that few programs need: other
 * records of the operation, or the topics of an event.
 */
export function paged<Op extends ListOperation>(
  call: Call,
  operation: Op,
  input: ListInput<Op>,
  options?: RequestOptions,
  extend?: (parameters: Readonly<Record<string, unknown>>) => Promise<Partial<ListSource>>,
): PagedRequest<ItemOf<Op>, OperationResults<Op>> {
  const query: ListInput<ListOperation> & Period = Object(input);
  const { maxItems, onReorganisation, onShortfall, prefetch, resume, since, until, ...parameters } =
    query;
  const rethrow = nameCaller(paged);
  const source: ListSource = {
    ...{ call, operation, options, rethrow, period: { since, until } },
    // The check of the parameters reports an input that is not an object.
    parameters: query === input || (input ?? undefined) === undefined ? parameters : input,
    iteration: { prefetch, maxItems, onReorganisation, onShortfall },
    resume: resume ?? undefined,
  };
  const prepare = async () => {
    const { prepareList } = await load();
    return prepareList({ ...source, ...(await extend?.(parameters)) });
  };
  return new PagedRequest(() => prepare().catch(rethrow), source.resume);
}

export type {
  IterationOptions,
  ListInput,
  Moment,
  Period,
  Reorganisation,
  Shortfall,
} from "./list.ts";
export type { ItemOf, ListOperation, TokenHolding } from "./records.ts";
