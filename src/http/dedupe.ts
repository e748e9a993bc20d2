// Equal questions that are asked while the first of them is under way share its answer.
import { abortable } from "./abort.ts";

interface InFlight<T> {
  readonly response: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
}

/** What is under way, by question. It is given up when the last who wanted it has gone. */
export class InFlightRequests<T> {
  readonly #flights = new Map<string, InFlight<T>>();

  async join(
    question: string,
    signal: AbortSignal | undefined,
    ask: (end: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const flight = this.#flights.get(question) ?? this.#start(question, ask);
    flight.waiters++;
    try {
      return await (signal ? abortable(flight.response, signal) : flight.response);
    } finally {
      flight.waiters--;
      if (flight.waiters === 0) {
        this.#forget(question, flight);
        flight.controller.abort(signal?.reason);
      }
    }
  }

  #start(question: string, ask: (end: AbortSignal) => Promise<T>): InFlight<T> {
    const end = new AbortController();
    const flight: InFlight<T> = { response: ask(end.signal), controller: end, waiters: 0 };
    this.#flights.set(question, flight);
    const over = () => this.#forget(question, flight);
    flight.response.then(over, over);
    return flight;
  }

  #forget(question: string, flight: InFlight<T>): void {
    if (this.#flights.get(question) === flight) this.#flights.delete(question);
  }
}
