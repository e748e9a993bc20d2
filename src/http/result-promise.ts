// Promises of a result that also offer its HTTP response.
import type { ResponseWithData, ResultPromise } from "./call.ts";

/**
 * A promise based on `withResponse()`. It derives no promise from it until it is used: a rejection
 * handled there must not count as unhandled.
 */
export abstract class WithResponse<Data, Full extends { readonly data: Data }>
  implements Promise<Data>
{
  abstract readonly [Symbol.toStringTag]: string;

  /** The result with its HTTP response. */
  abstract withResponse(): Promise<Full>;

  // biome-ignore lint/suspicious/noThenProperty: it is meant to be awaited.
  then<Kept = Data, Failed = never>(
    onfulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onrejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onfulfilled, onrejected);
  }

  catch<Failed = never>(
    onrejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Data | Failed> {
    return this.then(undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onfinally);
  }
}

class PromisedResult<Data> extends WithResponse<Data, ResponseWithData<Data>> {
  readonly [Symbol.toStringTag] = "ResultPromise";
  readonly #response: Promise<ResponseWithData<Data>>;

  constructor(response: Promise<ResponseWithData<Data>>) {
    super();
    this.#response = response;
  }

  withResponse(): Promise<ResponseWithData<Data>> {
    return this.#response;
  }
}

/** The promise of a result, from the promise of the result with its response. */
export const toResultPromise = <Data>(
  response: Promise<ResponseWithData<Data>>,
): ResultPromise<Data> => new PromisedResult(response);
