// Promises of a result that also offer its HTTP response.
import type { ResponseWithData, ResultPromise } from "./call.ts";

/**
 * A promise of the data in `withResponse()`. It calls `withResponse()` only when it is awaited:
 * a promise derived earlier would report an unhandled rejection, even if the caller handles the
 * rejection of `withResponse()`.
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

export const toResultPromise = <Data>(
  response: Promise<ResponseWithData<Data>>,
): ResultPromise<Data> => new PromisedResult(response);

/** Returns a promise of the part of a call's results that a method returns. */
export const pickResult = <Results, Data>(
  response: Promise<ResponseWithData<Results>>,
  pick: (results: Results) => Data | Promise<Data>,
): ResultPromise<Data> =>
  toResultPromise(
    response.then(async (results) => ({ ...results, data: await pick(results.data) })),
  );
