// The pages that were answered last, to be sent again as they are while their chain stays as it is.
import type { ServiceResponse } from "../message/message.ts";

/** How many are kept, and the characters of each at most: 4 MB in all, and as many bytes of those that a port sent. */
const MAX_PAGES = 16;
const MAX_LENGTH = 2 ** 18;

/** A chain, which has another revision after every change. */
export interface Revised {
  readonly revision: number;
}

interface Page {
  readonly chain: WeakRef<Revised>;
  readonly revision: number;
  readonly response: ServiceResponse;
}

export class RecentPages {
  readonly #pages = new Map<string, Page>();

  /** The response to the same target, unless its chain has changed since. */
  find(target: string, chain: Revised): ServiceResponse | undefined {
    const page = this.#pages.get(target);
    if (page?.revision !== chain.revision || page.chain.deref() !== chain) return undefined;
    return page.response;
  }

  /** Keeps a response made of records' texts, if it is not too long; others are quickly made again. */
  keep(target: string, chain: Revised, response: ServiceResponse): void {
    const { body } = response;
    if (typeof body === "string") return;
    let length = target.length;
    for (const piece of body) length += piece.length;
    if (length > MAX_LENGTH) return;
    this.#pages.delete(target);
    const page = { chain: new WeakRef(chain), revision: chain.revision };
    this.#pages.set(target, { ...page, response: { ...response, isRepeated: true } });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}
