// The promise of a result that can also be asked for the response it came in.
import type { Answer, AnswerPromise } from "./call.ts";

/**
 * Stands on one promise only, and derives nothing from it before it is asked: a failure that is handled through
 * `withResponse()` must not count as unhandled elsewhere.
 */
class Promised<Data> implements AnswerPromise<Data> {
  readonly #answer: Promise<Answer<Data>>;

  constructor(answer: Promise<Answer<Data>>) {
    this.#answer = answer;
  }

  get [Symbol.toStringTag](): string {
    return "AnswerPromise";
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Result = Data, Otherwise = never>(
    fulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    rejected?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Result | Otherwise> {
    return this.#answer.then(({ data }) => data).then(fulfilled, rejected);
  }

  catch<Otherwise = never>(
    rejected?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Data | Otherwise> {
    return this.then(undefined, rejected);
  }

  finally(done?: (() => void) | null): Promise<Data> {
    return this.then().finally(done);
  }

  withResponse(): Promise<Answer<Data>> {
    return this.#answer;
  }
}

/** The promise of an answer, as that of its data. */
export const promised = <Data>(answer: Promise<Answer<Data>>): AnswerPromise<Data> =>
  new Promised(answer);
