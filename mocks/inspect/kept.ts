// Keeps what was computed of a whole chain until the chain changes.
import type { ChainWriter } from "../chain/writer.ts";

/** The keys of which values are kept, for each chain. */
const maxKeys = 20;

interface Kept<Value> {
  readonly revision: number;
  readonly values: Map<string, Value>;
}

/** Computes a value of a chain, and of a key where there are several; gives the one computed since the chain last changed, if there is one. */
export function keptFor<Value extends object, Key extends string = string>(
  compute: (chain: ChainWriter, key: Key) => Value,
): (chain: ChainWriter, key: Key) => Value {
  const ofChain = new WeakMap<ChainWriter, Kept<Value>>();
  return (chain, key) => {
    let kept = ofChain.get(chain);
    if (kept?.revision !== chain.revision) {
      kept = { revision: chain.revision, values: new Map() };
      ofChain.set(chain, kept);
    }
    const known = kept.values.get(key);
    if (known !== undefined) return known;
    const value = compute(chain, key);
    const [oldest] = kept.values.keys();
    if (kept.values.size >= maxKeys && oldest !== undefined) kept.values.delete(oldest);
    kept.values.set(key, value);
    return value;
  };
}
