// Strings that repeat (addresses, error messages), each stored once and referred to by a small number.

export class Interned<Text extends string> {
  readonly #ids = new Map<Text, number>();
  readonly #texts: Text[] = [];

  /** The number of a string, which is added if it is new. */
  intern(text: Text): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** The number of a string, or -1. */
  find(text: Text): number {
    return this.#ids.get(text) ?? -1;
  }

  at(id: number): Text {
    return this.#texts[id] as Text;
  }
}
