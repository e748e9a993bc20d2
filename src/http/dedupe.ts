// Lets identical requests in flight share one response.
import { AbortScope, abortable } from "./abort.ts";

interface InFlightRequest<T> {
  readonly response: Promise<T>;
  readonly scope: AbortScope;
  waiters: number;
  shared: boolean;
}

/** Requests in flight, by key. A request is aborted when its last waiter leaves. */
export class InFlightRequests<T> {
  readonly #requests = new Map<string, InFlightRequest<T>>();
  readonly #share: (response: T) => T;

  /** `share` copies a response, so that no caller can change or consume another caller's. */
  constructor(share: (response: T) => T = (response) => response) {
    this.#share = share;
  }

  async join(
    key: string,
    signal: AbortSignal | undefined,
    send: (scope: AbortScope) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const inFlight = this.#requests.get(key);
    if (inFlight) inFlight.shared = true;
    const request = inFlight ?? this.#start(key, send);
    request.waiters++;
    const leave = () => {
      request.waiters--;
      // Aborts only a request that is still listed: a request that has ended is not.
      if (request.waiters === 0 && this.#remove(key, request)) request.scope.abort(signal?.reason);
    };
    // Leaves in the event, not after the await, because the next microtask may send the request.
    signal?.addEventListener("abort", leave);
    try {
      const response = await (signal ? abortable(request.response, signal) : request.response);
      return request.shared ? this.#share(response) : response;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #start(key: string, send: (scope: AbortScope) => Promise<T>): InFlightRequest<T> {
    const scope = new AbortScope();
    const request = { response: send(scope), scope, waiters: 0, shared: false };
    this.#requests.set(key, request);
    const remove = () => this.#remove(key, request);
    request.response.then(remove, remove);
    return request;
  }

  #remove(key: string, request: InFlightRequest<T>): boolean {
    return this.#requests.get(key) === request && this.#requests.delete(key);
  }
}
