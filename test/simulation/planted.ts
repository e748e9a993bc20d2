// Bugs to plant, as the text of a file before and after: what a simulated world must find. `npm run simulate -- --planted` searches for each.

export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Occurs once. */
  readonly old: string;
  readonly now: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a freed slot wakes nobody",
    file: "src/http/rate-limiter.ts",
    old: "    this.#active--;\n    this.#startQueued();",
    now: "    this.#active--;",
  },
  {
    name: "the rate limiter counts half of its window",
    file: "src/http/rate-limiter.ts",
    old: "const past = performance.now() - perMs;",
    now: "const past = performance.now() - perMs / 2;",
  },
  {
    name: "an abort lets the next request go",
    file: "src/http/send.ts",
    old: "this.#scope = new AbortScope().follow(signal);",
    now: "this.#scope = new AbortScope().follow(signal?.aborted ? signal : undefined);",
  },
  {
    name: "a timer stays after its call",
    file: "src/http/abort.ts",
    old: ").finally(() => clearTimeout(timer));",
    now: ");",
  },
  {
    name: "requests that ended stay listed as in flight",
    file: "src/http/dedupe.ts",
    old: "    request.response.then(remove, remove);",
    now: "    request.response.then(remove, remove);\n    this.#requests.set(key + performance.now(), request);",
  },
  {
    name: "a cursor skips a record",
    file: "src/lists/cursor.ts",
    old: "progress: { ...rest, limit: ",
    now: "progress: { ...rest, next: rest.next + 1, keys: [], known: [], limit: ",
  },
  {
    name: "a watcher forgets that a record was undone",
    file: "src/lists/list-poller.ts",
    old: "else if (now.length < count) removed.push(...before.records.slice(now.length));",
    now: "",
  },
  {
    name: "a watcher reads from its newest block on",
    file: "src/lists/list-poller.ts",
    old: "const block = newest - depth + 1n;",
    now: "const block = newest;",
  },
  {
    name: "a record that returns is yielded again",
    file: "src/lists/list-poller.ts",
    old: "yielded: Math.max(now.length, yielded), gone: false });",
    now: "yielded: now.length, gone: false });\n    for (const [key, { gone }] of known) if (gone) known.delete(key);",
  },
  {
    name: "the last balance of a batch is left out",
    file: "src/lists/balance-batches.ts",
    old: "if (isValid) balances.set(",
    now: "if (isValid && balances.size < 19) balances.set(",
  },
  {
    name: "the journal misses every fiftieth request",
    file: "mocks/double/journal/journal.ts",
    old: "    this.#entries.push(entry);",
    now: "    if (this.#count % 50 === 0) return entry;\n    this.#entries.push(entry);",
  },
  {
    name: "the store drops its last block",
    file: "mocks/workbench/follow/store/chain-store.ts",
    old: "const ends = await files.blocks.append(blocks.map(blockLine));",
    now: "const ends = await files.blocks.append(blocks.map(blockLine).slice(0, blocks.length - 1 || 1));",
  },
  {
    name: "a follower stops at a failed poll",
    file: "mocks/workbench/follow/follow-node.ts",
    old: "        else this.pollLater();",
    now: "        else if (this.#follower.status().lastError === null) this.pollLater();",
  },
  {
    name: "a pause of a 429 is not kept",
    file: "src/http/rate-limiter.ts",
    old: "this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);",
    now: "this.#pausedUntil = performance.now();",
  },
  {
    name: "a slot leaks at an abort",
    file: "src/http/rate-limiter.ts",
    old: "      else this.#release();",
    now: "",
  },
  {
    name: "a slot is freed twice",
    file: "src/http/rate-limiter.ts",
    old: "      if (held) this.#release();",
    now: "      this.#release();",
  },
  {
    name: "a request continues that nobody awaits",
    file: "src/http/dedupe.ts",
    old: "request.controller.abort(signal?.reason);",
    now: "void 0;",
  },
  {
    name: "a follower trusts its own head for ever",
    file: "mocks/workbench/follow/node-follower.ts",
    old: "return hash === chain.block(number)?.hash;",
    now: "return number < chain.head.number || hash === chain.block(number)?.hash;",
  },
];
