// The owners in a generated MRC721 collection, so that only owners transfer tokens.
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address } from "../chain/records.ts";
import type { RandomStream } from "./stream.ts";

export class Collection {
  readonly #ids: bigint[] = [];
  readonly #owners = new Map<bigint, Address>();

  /** The number of tokens ever minted. */
  get minted(): number {
    return this.#ids.length;
  }

  setOwner(id: bigint, owner: Address): void {
    if (!this.#owners.has(id)) this.#ids.push(id);
    this.#owners.set(id, owner);
  }

  /** A random token; undefined if it is burnt, or if there is none. */
  pick(stream: RandomStream): { readonly id: bigint; readonly owner: Address } | undefined {
    const id = this.#ids[stream.below(this.#ids.length)];
    const owner = id === undefined ? undefined : this.#owners.get(id);
    if (id === undefined || owner === undefined || owner === ZERO_ADDRESS) return undefined;
    return { id, owner };
  }
}
