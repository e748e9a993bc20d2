// Lists: a request that can be awaited for one page or iterated for every record, exactly once, while the list grows.
import type { OperationInput, OperationResults } from "../contract/index.ts";
import { ExplorerError, ParameterError } from "../errors/index.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { WithResponse } from "../http/response-promise.ts";
import type { PageRange } from "./iteration-state.ts";
import type { Reorganisation } from "./list-iterator.ts";
import type { ItemOf, ListOperation } from "./list-records.ts";

/** How a list is read. */
export interface IterationOptions {
  /**
   * How many pages to have in flight while iterating. They are read in order; leaving the loop aborts them. With 0, a
   * page is requested when the one before it is used up. @default 0
   */
  readonly prefetch?: number | undefined;
  /** The most records to read, over all pages. @default Infinity */
  readonly maxItems?: number | undefined;
  /** The `cursor` of a page: goes on behind it, in this process or another. */
  readonly resume?: string | undefined;
  /** Called when records that were read already turn out to be gone or moved. */
  readonly onReorganisation?: ((event: Reorganisation) => void) | undefined;
}

/**
 * One page of a list, with the other fields of the results (`to_block` of simple transactions, `mrc_20` and `mrc_721` of
 * the combined token list).
 */
export type Page<Item, Results = unknown> = PageBase<Item, Results> &
  Omit<Results, keyof PageBase<Item, Results>>;

interface PageBase<Item, Results> {
  /** The records, in the server's order, without those of earlier pages. */
  readonly data: Item[];
  /** How many records there are according to the service: in the list, or on the page (R8). */
  readonly count: number | null;
  /** The requested page size. */
  readonly limit: number;
  /** The position of the first record in the list at the time of the request. */
  readonly offset: number;
  /** The results as received; they may hold records of earlier pages. */
  readonly results: Results;
  /** Pass it as `resume` to go on behind this page, in this process or another. */
  readonly cursor: string;
  /** False if this is the last page. If true, the next page may still be empty. */
  hasNextPage(): boolean;
  /** The page behind this one; empty if there are no more records. */
  nextPage(): PagedRequest<Item, Results>;
}

/** The parameters of a list operation, and how to read the list. */
export type ListInput<Op extends ListOperation> = OperationInput<Op> & IterationOptions;

/** What all pages of a list have in common. */
export interface ListSource<Results> {
  readonly operation: ListOperation;
  readonly range: { readonly limit?: number | undefined; readonly offset?: number | undefined };
  readonly options: RequestOptions;
  readonly iteration: IterationOptions;
  /** Identifies the list in cursors. */
  readonly name: string;
  fetch(range: PageRange, signal?: AbortSignal): Promise<ResponseWithData<Results>>;
}

/**
 * A request for a list. It is sent once you await or iterate it, and rejects as the client's other methods do; also with
 * a {@link ParameterError} if `resume` is not a cursor of this list.
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
  readonly #source: ListSource<Results>;
  #page: Promise<ResponseWithData<Page<Item, Results>>> | undefined;

  constructor(source: ListSource<Results>) {
    super();
    this.#source = source;
  }

  /**
   * The first page, and its HTTP response.
   *
   * @example
   * const { data: page, response } = await explorer.accounts.transactions(address).withResponse();
   * console.log(page.data.length, response.headers.get("date"));
   */
  withResponse(): Promise<ResponseWithData<Page<Item, Results>>> {
    this.#page ??= load().then(({ readPage }) => readPage<Item, Results>(this.#source));
    return this.#page;
  }

  /**
   * Every record, exactly once, also while the chain grows (see docs/iteration.md). Leaving the loop aborts requests in
   * flight.
   *
   * @example
   * for await (const { value } of explorer.accounts.transactions(address, { prefetch: 4 })) console.log(value);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /**
   * Every page that holds new records, with a cursor to resume from.
   *
   * @example
   * for await (const { data, cursor } of explorer.accounts.transactions(address, { limit: 100 }).pages())
   *   console.log(data.length, cursor);
   */
  async *pages(): AsyncGenerator<Page<Item, Results>, void, undefined> {
    let cursor = this.#source.iteration.resume;
    try {
      const { readPages } = await load();
      for await (const page of readPages<Item, Results>(this.#source)) {
        cursor = page.cursor;
        yield page;
      }
    } catch (error) {
      if (error instanceof ExplorerError) error.cursor = cursor;
      throw error;
    }
  }

  /**
   * All records in an array, or the first `max`.
   *
   * @example
   * const newest = await explorer.accounts.transactions(address).collect({ max: 5 });
   * newest.length; // 5
   */
  async collect({ max }: { readonly max?: number | undefined } = {}): Promise<Item[]> {
    const { iteration } = this.#source;
    const maxItems =
      max === undefined ? iteration.maxItems : Math.min(max, iteration.maxItems ?? max);
    const records: Item[] = [];
    const source = { ...this.#source, iteration: { ...iteration, maxItems } };
    const { readPages } = await load();
    for await (const page of readPages<Item, Results>(source))
      for (const record of page.data) records.push(record);
    return records;
  }
}

/** Loads the code that reads pages when a list is first read. */
const load = () => import("./read-pages.ts");

/** Removes the iteration options from the parameters of an operation. */
const noIterationOptions = {
  prefetch: undefined,
  maxItems: undefined,
  resume: undefined,
  onReorganisation: undefined,
} satisfies { [Option in keyof Required<IterationOptions>]: undefined };

/** Creates the request for a list. */
export function paged<Op extends ListOperation>(
  call: Call,
  operation: Op,
  input: ListInput<Op>,
  options: RequestOptions = {},
): PagedRequest<ItemOf<Op>, OperationResults<Op>> {
  const { prefetch, maxItems, resume, onReorganisation, ...parameters } =
    input as ListInput<ListOperation>;
  const { limit, offset, ...rest } = parameters;
  return new PagedRequest({
    operation,
    range: { limit: limit ?? undefined, offset: offset ?? undefined },
    options,
    iteration: { prefetch, maxItems, resume, onReorganisation },
    name: nameOf(operation, rest),
    fetch: ({ endBlock, ...page }, signal) => {
      // Without a pin, the caller's own `endBlock` stays.
      const pin = endBlock === undefined ? {} : { endBlock };
      const pageInput = { ...input, ...page, ...pin, ...noIterationOptions };
      return call(operation, pageInput, { ...options, ...(signal && { signal }) });
    },
  });
}

/** The operation and its parameters, in a fixed order. */
function nameOf(operation: ListOperation, parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return [operation.id, ...given.map(([key, value]) => `${key}=${value}`).sort()]
    .join(" ")
    .toLowerCase();
}

export type { Reorganisation } from "./list-iterator.ts";
export type { ItemOf, ListOperation, TokenHolding } from "./list-records.ts";
