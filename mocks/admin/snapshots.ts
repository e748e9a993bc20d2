// The snapshots of each tenant, by number, for the admin API.
import { ServiceError } from "../api.ts";
import type { Explorer, ExplorerSnapshot } from "../explorer.ts";

/** Of each tenant, those used last: a snapshot keeps the blocks and faults it needs. */
const MAX_SNAPSHOTS = 100;

class Snapshots {
  /** In the order of their last use. */
  readonly #saved = new Map<string, ExplorerSnapshot>();
  #count = 0;

  add(snapshot: ExplorerSnapshot): string {
    const id = `${++this.#count}`;
    this.#saved.set(id, snapshot);
    const [oldest] = this.#saved.keys();
    if (this.#saved.size > MAX_SNAPSHOTS && oldest !== undefined) this.#saved.delete(oldest);
    return id;
  }

  get(id: string): ExplorerSnapshot {
    const saved = this.#saved.get(id);
    if (saved === undefined)
      throw new ServiceError(
        404,
        `snapshot: no snapshot ${id.slice(0, 20)}; the ${MAX_SNAPSHOTS} used last are kept`,
      );
    this.#saved.delete(id);
    this.#saved.set(id, saved);
    return saved;
  }
}

/** The snapshots of an explorer; they end with it. */
export function createSnapshots(): (explorer: Explorer) => Snapshots {
  const byExplorer = new WeakMap<Explorer, Snapshots>();
  return (explorer) => {
    const snapshots = byExplorer.get(explorer) ?? new Snapshots();
    byExplorer.set(explorer, snapshots);
    return snapshots;
  };
}
