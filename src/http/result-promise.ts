// Promises of a result that also give access to its HTTP response.
import type { ResponseWithData, ResultPromise } from "./call.ts";

/**
 * A promise of the data in the result of `withResponse()`. Calls `withResponse()` only when the
 * caller awaits the data. A promise that is derived earlier would report an unhandled rejection, even if the caller handles the rejection
 * of `withResponse()`.
 */
export abstract class WithResponse<Data, Full extends { readonly data: Data }>
  implements Promise<Data>
{
  abstract readonly [Symbol.toStringTag]: string;

  /** The result with its HTTP response. */
  abstract withResponse(): Promise<Full>;

  // biome-ignore lint/suspicious/noThenProperty: this object is meant to be awaited.
  then<Fulfilled = Data, Failed = never>(
    onfulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Fulfilled | Failed> {
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

/** Returns a promise of the part of a call's results that `pick` selects. */
export const pickResult = <Results, Data>(
  response: Promise<ResponseWithData<Results>>,
  pick: (results: Results) => Data | Promise<Data>,
): ResultPromise<Data> =>
  toResultPromise(
    response.then(async (results) => ({ ...results, data: await pick(results.data) })),
  );

/**
 * Returns a stand-in for the response of cached data. A response itself must not be cached, because
 * its body can be read once, and in Cloudflare Workers only by the request that received it.
 */
export const cachedResponse = (): Response =>
  new Response(null, { headers: { "x-mrc-explorer-cache": "hit" } });
