// Maps with a limit: the entries used last stay.

/** Sets an entry as the newest, and drops the oldest above the limit. */
export function keepRecent<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  limit: number,
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= limit) return;
  const [oldest] = map.keys();
  map.delete(oldest as Key);
}
