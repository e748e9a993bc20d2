// The owners in a generated MRC721 collection, so that only owners transfer tokens.
import type { Account } from "./account.ts";
import type { RandomStream } from "./stream.ts";

/** A token of a collection. */
export interface Item {
  readonly id: bigint;
  /** Null once it is burnt. */
  owner: Account | null;
}

export class Collection {
  readonly #items: Item[] = [];

  /** The number of tokens ever minted. */
  get minted(): number {
    return this.#items.length;
  }

  mint(id: bigint, owner: Account): void {
    this.#items.push({ id, owner });
  }

  /** A random token, which may be burnt; undefined if there is none. */
  pick(stream: RandomStream): Item | undefined {
    return this.#items[stream.below(this.#items.length)];
  }
}
