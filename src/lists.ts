// The answer of a list operation: a page when awaited, its records when iterated.
import type { AnyOperation, OperationInput } from "./contract/index.ts";
import type { Call, RequestOptions } from "./transport/call.ts";

interface Page<Item> {
  readonly data: readonly Item[];
  readonly count: number | null;
}

export class PagedRequest<Item> implements PromiseLike<Page<Item>> {
  readonly #page: (offset: number, limit: number | undefined) => Promise<Page<Item>>;
  readonly #limit: number | undefined;
  readonly #offset: number;

  constructor(
    call: Call,
    operation: AnyOperation,
    input: OperationInput<AnyOperation>,
    options: RequestOptions,
  ) {
    this.#limit = input.limit;
    this.#offset = input.offset ?? 0;
    this.#page = async (offset, limit) =>
      (await call(operation, { ...input, offset, limit }, options)).data;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A = Page<Item>, B = never>(
    fulfilled?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page(this.#offset, this.#limit).then(fulfilled, rejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    const limit = this.#limit ?? 1000;
    for (let offset = this.#offset; ; offset += limit) {
      const { data } = await this.#page(offset, limit);
      yield* data;
      if (data.length < limit) return;
    }
  }
}
