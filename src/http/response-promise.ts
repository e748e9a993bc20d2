// The promise of a result that can also be asked for the response it came in.
import type { AnswerPromise, ResponseWithData } from "./call.ts";

/**
 * A promise that stands on what `withResponse()` gives, and derives nothing from it before it is asked: a failure that
 * is handled there must not count as unhandled elsewhere.
 */
export abstract class WithResponse<Data, Full extends { readonly data: Data }>
  implements Promise<Data>
{
  abstract readonly [Symbol.toStringTag]: string;

  /** The result with the HTTP response it came in. */
  abstract withResponse(): Promise<Full>;

  // biome-ignore lint/suspicious/noThenProperty: awaiting it is what it is for.
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

class Promised<Data> extends WithResponse<Data, ResponseWithData<Data>> {
  readonly [Symbol.toStringTag] = "AnswerPromise";
  readonly #answer: Promise<ResponseWithData<Data>>;

  constructor(answer: Promise<ResponseWithData<Data>>) {
    super();
    this.#answer = answer;
  }

  withResponse(): Promise<ResponseWithData<Data>> {
    return this.#answer;
  }
}

/** The promise of an answer, as that of its data. */
export const toResponsePromise = <Data>(
  answer: Promise<ResponseWithData<Data>>,
): AnswerPromise<Data> => new Promised(answer);
