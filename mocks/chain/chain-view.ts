// A view of a chain that hides part of it.
import type { ChainReader } from "./reader.ts";

/** The chain, but for queries that have answers of their own. */
export const viewOf = (chain: ChainReader, own: Partial<ChainReader>): ChainReader =>
  new Proxy(chain, {
    get(_, name) {
      if (name in own) return Reflect.get(own, name);
      const value: unknown = Reflect.get(chain, name);
      return typeof value === "function" ? value.bind(chain) : value;
    },
  });
