// Equal questions that are asked while the first of them is under way share its answer.
import { abortable } from "./abort.ts";

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly end: AbortController;
  passengers: number;
}

/** What is under way, by question. It is given up when the last who wanted it has gone. */
export class Shared<T> {
  readonly #flights = new Map<string, Flight<T>>();

  async join(
    question: string,
    signal: AbortSignal | undefined,
    ask: (end: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const flight = this.#flights.get(question) ?? this.#start(question, ask);
    flight.passengers++;
    try {
      return await (signal ? abortable(flight.answer, signal) : flight.answer);
    } finally {
      flight.passengers--;
      if (flight.passengers === 0) {
        this.#forget(question, flight);
        flight.end.abort(signal?.reason);
      }
    }
  }

  #start(question: string, ask: (end: AbortSignal) => Promise<T>): Flight<T> {
    const end = new AbortController();
    const flight: Flight<T> = { answer: ask(end.signal), end, passengers: 0 };
    this.#flights.set(question, flight);
    const over = () => this.#forget(question, flight);
    flight.answer.then(over, over);
    return flight;
  }

  #forget(question: string, flight: Flight<T>): void {
    if (this.#flights.get(question) === flight) this.#flights.delete(question);
  }
}
