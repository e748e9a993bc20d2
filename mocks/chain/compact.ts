// Merges the layers that forks leave behind, so that there are few and none is copied often.

export interface Compaction<Layer> {
  /** The largest layer that a merge may make. */
  readonly upTo: number;
  readonly size: (layer: Layer) => number;
  readonly merge: (lower: Layer, upper: Layer) => Layer;
}

/** Merges neighbouring layers, oldest first, unless the lower one is much larger; so each entry is copied only a few times, however many layers come. */
export function compact<Layer>(
  layers: readonly Layer[],
  { upTo, size, merge }: Compaction<Layer>,
): readonly Layer[] {
  const kept: Layer[] = [];
  for (const layer of layers) {
    let upper = layer;
    for (let lower = kept.at(-1); lower !== undefined; lower = kept.at(-1)) {
      if (size(lower) > size(upper) * 2 || size(lower) + size(upper) > upTo) break;
      upper = merge(lower, upper);
      kept.pop();
    }
    kept.push(upper);
  }
  return kept;
}
