// Freezes JSON that several callers hold: those who share a request, and those the cache gives the same object to.

/** Freezes a JSON value and everything in it; without recursion, as a store may hold anything. */
export function deepFreeze(json: unknown): void {
  const open = [json];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null || Object.isFrozen(one)) continue;
    Object.freeze(one);
    for (const value of Object.values(one))
      if (typeof value === "object" && value !== null) open.push(value);
  }
}
