// Pairs of 32-bit numbers, each pair with a number of its own, found by content; 14 to 21 bytes each.

const NONE = new Uint32Array(0);

export class PairIds {
  #pairs = NONE;
  /** Open addressing; a slot holds id + 1. */
  #slots = NONE;
  #length = 0;

  /** The number of a pair, or -1. */
  find(left: number, right: number): number {
    if (this.#length === 0) return -1;
    return (this.#slots[this.#slotOf(left, right)] as number) - 1;
  }

  /** The number of a pair, which is added if it is new. */
  intern(left: number, right: number): number {
    if (this.#length * 10 >= this.#slots.length * 7) this.#rehash();
    const slot = this.#slotOf(left, right);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known - 1;
    const id = this.#length++;
    this.#reserve();
    this.#pairs[id * 2] = left;
    this.#pairs[id * 2 + 1] = right;
    this.#slots[slot] = id + 1;
    return id;
  }

  /** The slot that holds a pair, or the free one it belongs in. */
  #slotOf(left: number, right: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mix(left, right) & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] as number) - 1) * 2;
      if (at < 0 || (this.#pairs[at] === left && this.#pairs[at + 1] === right)) return slot;
    }
  }

  #reserve(): void {
    if (this.#length * 2 <= this.#pairs.length) return;
    const grown = new Uint32Array(Math.ceil(this.#length * (this.#length < 1024 ? 2 : 1.25)) * 2);
    grown.set(this.#pairs);
    this.#pairs = grown;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(Math.max(16, this.#slots.length * 2));
    for (let id = 0; id < this.#length; id++) {
      const slot = this.#slotOf(this.#pairs[id * 2] as number, this.#pairs[id * 2 + 1] as number);
      this.#slots[slot] = id + 1;
    }
  }
}

function mix(left: number, right: number): number {
  let sum = Math.imul(left ^ (left >>> 15), 0x9e3779b1) ^ right;
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
