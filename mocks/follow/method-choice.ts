// Which of several RPC methods a node supports, best first: one refusal is not remembered, a row of them is.

/** A method refused so often in a row counts as one the node does not have. */
const REFUSALS = 3;

export class MethodChoice<Method extends string> {
  readonly methods: readonly Method[];
  /** What to do if the node supports none of them, to end an error message. */
  readonly hint: string;
  readonly #refusals = new Map<Method, number>();
  #order: readonly Method[];

  constructor(methods: readonly Method[], hint = "") {
    this.methods = methods;
    this.hint = hint;
    this.#order = methods;
  }

  /** These methods come last from now on: the node is known not to have them. */
  avoid(methods: readonly string[]): void {
    const isAvoided = (method: Method) => methods.includes(method);
    this.#order = [
      ...this.methods.filter((method) => !isAvoided(method)),
      ...this.methods.filter(isAvoided),
    ];
  }

  /** The methods to try, best first; the last one is always worth a try. */
  candidates(): readonly Method[] {
    const open = this.#order.filter((method) => (this.#refusals.get(method) ?? 0) < REFUSALS);
    return open.length > 0 ? open : this.#order.slice(-1);
  }

  get best(): Method | undefined {
    return this.candidates()[0];
  }

  refused(method: Method): void {
    this.#refusals.set(method, (this.#refusals.get(method) ?? 0) + 1);
  }

  accepted(method: Method): void {
    this.#refusals.delete(method);
  }
}
