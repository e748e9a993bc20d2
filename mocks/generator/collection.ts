// Who owns what in a generated MRC721 collection, so that only owners part with it.

import { ZERO_ADDRESS } from "../chain/constants.ts";
import type { Address } from "../chain/records.ts";
import type { RandomStream } from "./stream.ts";

export class Collection {
  readonly #ids: bigint[] = [];
  readonly #owners = new Map<bigint, Address>();

  /** How many were ever minted. */
  get minted(): number {
    return this.#ids.length;
  }

  give(id: bigint, owner: Address): void {
    if (!this.#owners.has(id)) this.#ids.push(id);
    this.#owners.set(id, owner);
  }

  /** Any token; undefined if it turns out to be burnt, or there is none. */
  pick(stream: RandomStream): { readonly id: bigint; readonly owner: Address } | undefined {
    const id = this.#ids[stream.below(this.#ids.length)];
    const owner = id === undefined ? undefined : this.#owners.get(id);
    if (id === undefined || owner === undefined || owner === ZERO_ADDRESS) return undefined;
    return { id, owner };
  }
}
