// Identical requests in flight share one response.
import { abortable } from "./abort.ts";

interface InFlightRequest<T> {
  readonly response: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
}

/** Requests in flight, by key. A request is aborted when its last waiter leaves. */
export class InFlightRequests<T> {
  readonly #requests = new Map<string, InFlightRequest<T>>();

  async join(
    key: string,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const request = this.#requests.get(key) ?? this.#start(key, send);
    request.waiters++;
    try {
      return await (signal ? abortable(request.response, signal) : request.response);
    } finally {
      request.waiters--;
      if (request.waiters === 0) {
        this.#remove(key, request);
        request.controller.abort(signal?.reason);
      }
    }
  }

  #start(key: string, send: (signal: AbortSignal) => Promise<T>): InFlightRequest<T> {
    const controller = new AbortController();
    const request: InFlightRequest<T> = {
      response: send(controller.signal),
      controller,
      waiters: 0,
    };
    this.#requests.set(key, request);
    const remove = () => this.#remove(key, request);
    request.response.then(remove, remove);
    return request;
  }

  #remove(key: string, request: InFlightRequest<T>): void {
    if (this.#requests.get(key) === request) this.#requests.delete(key);
  }
}
