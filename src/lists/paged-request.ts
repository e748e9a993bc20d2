// Lists: a request that can be awaited for one page or iterated for every record, exactly once, while the list grows.
import type { OperationInput, OperationResults } from "../contract/index.ts";
import { ExplorerError, ParameterError } from "../errors/index.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { WithResponse } from "../http/response-promise.ts";
import type { PageRange, Reorganisation } from "./list-iterator.ts";
import type { ItemOf, ListOperation } from "./list-records.ts";

/** How a list is read. */
export interface IterationOptions {
  /**
   * How many pages to have in flight while iterating. They are read in order; leaving the loop aborts them.
   * Default 0: a page is asked for when the one before it is used up.
   */
  readonly prefetch?: number | undefined;
  /** The most records to read, over all pages. */
  readonly maxItems?: number | undefined;
  /** Goes on behind the page that gave this cursor, also in another process. */
  readonly resume?: string | undefined;
  /** Called when the list turns out to have changed in what was read already. */
  readonly onReorganisation?: ((event: Reorganisation) => void) | undefined;
}

/**
 * One page of a list, with what else stood in the results beside it (`to_block` of simple transactions, `mrc_20` and
 * `mrc_721` of the combined token list).
 */
export type Page<Item, Results = unknown> = PagePart<Item, Results> &
  Omit<Results, keyof PagePart<Item, Results>>;

interface PagePart<Item, Results> {
  /** The records, in the server's order; none that an earlier page had. */
  readonly data: Item[];
  /** What the service says of how many there are: of the list, or of the page (R8). */
  readonly count: number | null;
  /** The page size asked for. */
  readonly limit: number;
  /** The position of the first record in the list, as the server counted then. */
  readonly offset: number;
  /** The results the page was made of, as they came; they may hold records that an earlier page had. */
  readonly results: Results;
  /** Where to go on behind this page: `{ resume: cursor }`, in this process or another. */
  readonly cursor: string;
  /** False if this is the last page. True does not promise that another one holds records. */
  hasNextPage(): boolean;
  /** The page behind this one; without records if there are none. */
  nextPage(): PagedRequest<Item, Results>;
}

/** What a list is asked with: the parameters of the operation and how to read it. */
export type ListInput<Op extends ListOperation> = OperationInput<Op> & IterationOptions;

interface Range {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** What every page of one list has in common. */
export interface ListSource<Results> {
  readonly operation: ListOperation;
  readonly range: Range;
  readonly options: RequestOptions;
  readonly iteration: IterationOptions;
  /** Tells the list from others, in cursors. */
  readonly name: string;
  fetch(part: PageRange, signal?: AbortSignal): Promise<ResponseWithData<Results>>;
}

/**
 * A list of the service. Nothing is asked before it is awaited or iterated; whatever is asked rejects as the client's methods do. A
 * {@link ParameterError} also where `resume` is the cursor of another list.
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
  #answer: Promise<ResponseWithData<Page<Item, Results>>> | undefined;

  constructor(source: ListSource<Results>) {
    super();
    this.#source = source;
  }

  /**
   * The first page, with the HTTP response it came in.
   *
   * @example
   * const { data: page, response } = await explorer.accounts.transactions(address).withResponse();
   * console.log(page.data.length, response.headers.get("date"));
   */
  withResponse(): Promise<ResponseWithData<Page<Item, Results>>> {
    this.#answer ??= pages().then(({ readPage: onePage }) => onePage<Item, Results>(this.#source));
    return this.#answer;
  }

  /**
   * Every record, exactly once; see docs/iteration.md for what that means while the chain grows. Leaving the loop aborts what is in flight.
   *
   * @example
   * for await (const { value } of explorer.accounts.transactions(address, { prefetch: 4 })) console.log(value);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /**
   * Every page, with a cursor to go on from later; pages without new records are left out.
   *
   * @example
   * for await (const { data, cursor } of explorer.accounts.transactions(address, { limit: 100 }).pages())
   *   console.log(data.length, cursor);
   */
  async *pages(): AsyncGenerator<Page<Item, Results>, void, undefined> {
    let cursor = this.#source.iteration.resume;
    try {
      const { readPages: pagesOf } = await pages();
      for await (const page of pagesOf<Item, Results>(this.#source)) {
        cursor = page.cursor;
        yield page;
      }
    } catch (error) {
      if (error instanceof ExplorerError) error.cursor = cursor;
      throw error;
    }
  }

  /**
   * The records in an array: all of them, or the first `max`.
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
    const { readPages: pagesOf } = await pages();
    for await (const page of pagesOf<Item, Results>(source))
      for (const record of page.data) records.push(record);
    return records;
  }
}

/** What reads pages is loaded when the first list is read. */
const pages = () => import("./read-pages.ts");

/** How a list is iterated is no parameter of its operation. */
const noIteration = {
  prefetch: undefined,
  maxItems: undefined,
  resume: undefined,
  onReorganisation: undefined,
} satisfies { [Option in keyof Required<IterationOptions>]: undefined };

/** A request for a list. */
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
    fetch: (part, signal) => {
      const { endBlock, ...range } = part;
      const pinned = endBlock === undefined ? {} : { endBlock };
      const asked = { ...input, ...range, ...pinned, ...noIteration };
      return call(operation, asked, { ...options, ...(signal && { signal }) });
    },
  });
}

/** The operation and its parameters, in one order. */
function nameOf(operation: ListOperation, parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return [operation.id, ...given.map(([key, value]) => `${key}=${value}`).sort()]
    .join(" ")
    .toLowerCase();
}

export type { Reorganisation } from "./list-iterator.ts";
export type { ItemOf, ListOperation, TokenHolding } from "./list-records.ts";
