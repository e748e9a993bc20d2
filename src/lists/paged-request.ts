// Lists: a request that can be awaited for one page or iterated for every record, exactly once, while the list grows.
import type { OperationResults } from "../contract/index.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { CheckedInput, checkParameters } from "../http/request.ts";
import { WithResponse } from "../http/result-promise.ts";
import type { ItemOf, ListInput, ListOperation, ListSource, PageContents } from "./page.ts";

/**
 * One page of a list, with the other fields of the results (`to_block` of simple transactions, `mrc_20` and `mrc_721` of
 * the combined token list).
 */
export type Page<Item, Results = unknown> = PageBase<Item, Results> &
  Omit<Results, keyof PageBase<Item, Results>>;

interface PageBase<Item, Results> extends PageContents<Item, Results> {
  /** The next page; empty if there are no more records. */
  nextPage(): PagedRequest<Item, Results>;
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
  readonly #source: ListSource;
  #page: Promise<ResponseWithData<Page<Item, Results>>> | undefined;

  constructor(source: ListSource) {
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
    this.#page ??= this.#read();
    return this.#page;
  }

  async #read(): Promise<ResponseWithData<Page<Item, Results>>> {
    const { readPage } = await load();
    const { data, next, response } = await readPage<Item, Results>(this.#source);
    return { data: toPage(data, next), response };
  }

  /**
   * Every record, exactly once, even while the chain grows (see docs/iteration.md). Leaving the loop aborts requests in
   * flight.
   *
   * @example
   * for await (const { value } of explorer.accounts.transactions(address, { prefetch: 4 })) console.log(value);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) for (const record of data) yield record;
  }

  /**
   * Every page that holds new records, with a cursor to resume from.
   *
   * @example
   * for await (const { data, cursor } of explorer.accounts.transactions(address, { limit: 100 }).pages())
   *   console.log(data.length, cursor);
   */
  async *pages(): AsyncGenerator<Page<Item, Results>, void, undefined> {
    const { readPages } = await load();
    for await (const { data, next } of readPages<Item, Results>(this.#source))
      yield toPage(data, next);
  }

  /**
   * Returns up to `parts` cursors, one for each range of blocks of the list, for workers that read them at the same time: pass one as
   * `resume` to the same list. New blocks belong to the last part. A list without blocks has one part.
   *
   * @example
   * const cursors = await explorer.accounts.transactions(address).split(4);
   * const parts = cursors.map((resume) => explorer.accounts.transactions(address, { resume }).collect());
   * const all = (await Promise.all(parts)).flat();
   */
  async split(parts: number): Promise<string[]> {
    const { splitList } = await load();
    return splitList(this.#source, parts);
  }

  /**
   * All records in an array, or the first `max`.
   *
   * @example
   * const newest = await explorer.accounts.transactions(address).collect({ max: 5 });
   * newest.length; // 5
   */
  async collect(options: { readonly max?: number | undefined } = {}): Promise<Item[]> {
    const { collectRecords } = await load();
    return collectRecords<Item>(this.#source, options);
  }
}

/** Loads the code that reads lists when a list is first read. */
const load = () => import("./lazy.ts");

/** `source`: the list from the next page on. */
const toPage = <Item, Results>(
  contents: Results & PageContents<Item, Results>,
  source: ListSource,
): Page<Item, Results> => ({ ...contents, nextPage: () => new PagedRequest(source) });

/** The parameters of a list, checked and converted once for all its pages; or the error that says what is wrong. */
function checkedOrError(operation: ListOperation, given: object): unknown {
  try {
    return new CheckedInput(checkParameters(operation, given));
  } catch (error) {
    return error;
  }
}

/** Whether a topic is an event in words. */
const isEvent = (topic: unknown): topic is string =>
  typeof topic === "string" && topic.endsWith(")");

/** The parameters with an event's hash in place of its name and types. */
async function withTopic(operation: ListOperation, given: { readonly topic_0: string }) {
  const { eventTopic } = await import("../contract/event-topic.ts");
  const topic_0 = eventTopic(given.topic_0);
  return { parameters: checkedOrError(operation, { ...given, topic_0 }) };
}

/** Creates the request for a list. `load`: see {@link ListSource}. */
export function paged<Op extends ListOperation>(
  call: Call,
  operation: Op,
  input: ListInput<Op>,
  options?: RequestOptions,
  load?: ListSource["load"],
): PagedRequest<ItemOf<Op>, OperationResults<Op>> {
  const { prefetch, maxItems, resume, onReorganisation, onShortfall, ...given } =
    // If the value is not an object, every parameter is missing and reported.
    Object(input) as ListInput<ListOperation> & { readonly topic_0?: unknown };
  const { topic_0 } = given;
  return new PagedRequest({
    call,
    operation,
    load: isEvent(topic_0) ? () => withTopic(operation, { ...given, topic_0 }) : load,
    parameters: checkedOrError(operation, given),
    options,
    iteration: { prefetch, maxItems, resume: resume ?? undefined, onReorganisation, onShortfall },
  });
}

export type {
  ItemOf,
  IterationOptions,
  ListInput,
  ListOperation,
  Reorganisation,
  Shortfall,
  TokenHolding,
} from "./page.ts";
