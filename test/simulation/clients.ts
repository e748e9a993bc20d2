// The clients of a simulated world: they watch, iterate, resume in other processes, batch, abort and sleep; and each notices when a promise is broken.
import { items } from "../../mocks/chain/listing.ts";
import type { BlockRange, ChainReader } from "../../mocks/chain/reader.ts";
import type { Address, Hash } from "../../mocks/chain/records.ts";
import { ExplorerClient, isExplorerError, type PagedRequest } from "../../src/index.ts";
import type { Service } from "./service.ts";
import { type Chance, HOUR, MINUTE, rest, type VirtualTime } from "./virtual-time.ts";

/** What a client of the world needs. */
export interface Surroundings {
  readonly service: Service;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly name: string;
  /** Ends all trouble, and all dawdling, some hours before the world ends. */
  readonly calm: AbortSignal;
  /** Ends the world. */
  readonly signal: AbortSignal;
  readonly problem: (text: string) => void;
}

/** The lists that are read, with the keys of their records on a chain. */
const lists = {
  transaction: (chain: ChainReader, account: Address, range: BlockRange) =>
    items(chain.transactions(account, "all", range)).map(({ hash }) => hash),
  mrc20Transfer: (chain: ChainReader, account: Address, range: BlockRange) =>
    items(chain.transfers(account, "mrc20", range)).map(({ log }) => log.transaction.hash),
  mrc721Transfer: (chain: ChainReader, account: Address, range: BlockRange) =>
    items(chain.transfers(account, "mrc721", range)).map(({ log }) => log.transaction.hash),
};

type Kind = keyof typeof lists;
const KINDS = Object.keys(lists) as [Kind, ...Kind[]];

/** What is sent within any `perMs`. */
interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

abstract class Client {
  protected readonly around: Surroundings;
  protected readonly account: Address;
  readonly #rate: Rate;
  #processes = 0;

  constructor(around: Surroundings) {
    this.around = around;
    this.account = around.chance.pick(around.service.accounts);
    this.#rate = around.chance.pick([
      { requests: 1, perMs: 500 },
      { requests: 5, perMs: 1_000 },
      { requests: 20, perMs: 60_000 },
    ]);
  }

  /** Lives until the world ends. */
  abstract live(): Promise<void>;

  /** Called at the end, when everything is up again and has had time to settle. */
  check(): void {}

  protected problem(text: string): void {
    this.around.problem(`${this.around.name}: ${text}`);
  }

  /** A client in a process of its own, and its name in what was sent. */
  protected start(): { readonly explorer: ExplorerClient; readonly process: string } {
    const { service, name, chance } = this.around;
    const process = `${name}.${++this.#processes}`;
    const explorer = new ExplorerClient({
      baseUrl: service.mock.baseUrl,
      apiKey: process,
      fetch: service.fetchOf(process),
      rateLimit: this.#rate,
      concurrency: chance.between(1, 6),
      retry: chance.between(0, 4),
      timeout: 10_000,
      logger: {},
    });
    return { explorer, process };
  }

  /** Nothing of a process is in flight, and nothing is sent for a while: its calls have ended. */
  protected async checkQuiet(process: string): Promise<void> {
    const { service } = this.around;
    const sent = () => service.sent.filter(({ client }) => client === process);
    await rest(1);
    const open = sent().filter(({ isOpen, signal }) => isOpen && !signal?.aborted);
    if (open.length > 0)
      this.problem(`${open.length} requests of ${process} are open after its calls`);
    const before = sent().length;
    await rest(5 * MINUTE);
    if (sent().length > before) this.problem(`${process} sent requests after its calls`);
  }

  /** A process ended, and nothing was sent too fast. */
  protected async end(process: string): Promise<void> {
    await this.checkQuiet(process);
    const sent = () => this.around.service.sent.filter(({ client }) => client === process);
    const { requests, perMs } = this.#rate;
    const times = sent().map(({ at }) => at);
    const tooFast = times.findIndex(
      (at, index) => (times[index + requests] ?? Infinity) - at < perMs - 1e-6,
    );
    if (tooFast >= 0)
      this.problem(`${process} sent over ${requests} requests in ${perMs} ms at ${times[tooFast]}`);
  }
}

/** Watches an account, for a while in each process. */
export class Watcher extends Client {
  /** Of the process that runs: the first block, and what is on the chain as far as it knows, by kind and hash. */
  #watched:
    | { from: number; yielded: Set<string>; present: Set<string>; failed: number }
    | undefined;

  async live(): Promise<void> {
    const { chance, calm, signal, service } = this.around;
    while (!signal.aborted) {
      await rest(chance.between(1, 60) * MINUTE, signal);
      if (signal.aborted) return;
      const { explorer, process } = this.start();
      const controller = new AbortController();
      const abort = () => controller.abort();
      signal.addEventListener("abort", abort);
      const from = Math.max(0, service.chain.head.number - chance.between(0, 60));
      const watched = { from, yielded: new Set<string>(), present: new Set<string>(), failed: 0 };
      this.#watched = watched;
      const isLast = chance.is(0.5);
      if (!isLast && !calm.aborted) void rest(chance.between(1, 40) * HOUR, calm).then(abort);
      const pollInterval = chance.between(5, 60) * MINUTE;
      try {
        for await (const { kind, record } of explorer.accounts.watch(this.account, {
          from,
          pollInterval,
          signal: controller.signal,
          onError: () => void watched.failed++,
          onReorganisation: ({ removed, returned }) => {
            for (const event of removed)
              watched.present.delete(`${event.kind} ${event.record.transaction_hash}`);
            for (const event of returned)
              watched.present.add(`${event.kind} ${event.record.transaction_hash}`);
          },
        })) {
          const key = `${kind} ${record.transaction_hash}`;
          if (watched.yielded.has(key)) this.problem(`${key} was yielded twice`);
          watched.yielded.add(key);
          watched.present.add(key);
          // It takes a while to handle some.
          if (chance.is(0.05) && !calm.aborted) await rest(chance.between(1, 200) * MINUTE, calm);
        }
      } catch (error) {
        // The first poll may fail.
        if (watched.yielded.size > 0 || !isExplorerError(error))
          this.problem(`watching ended: ${error}`);
      }
      if (!signal.aborted) this.#watched = undefined;
      controller.abort();
      signal.removeEventListener("abort", abort);
      await this.end(process);
    }
  }

  override check(): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    const { chain } = this.around.service;
    const expected = KINDS.flatMap((kind) =>
      lists[kind](chain, this.account, { startBlock: watched.from }).map(
        (hash) => `${kind} ${hash}`,
      ),
    );
    const lost = expected.filter((key) => !watched.present.has(key));
    const undone = [...watched.present].filter((key) => !expected.includes(key));
    if (lost.length > 0) this.problem(`did not see ${lost} (from ${watched.from})`);
    if (undone.length > 0) this.problem(`was not told that these are undone: ${undone}`);
  }
}

/** Reads whole lists, page by page, on and off, in one process or several. */
export class Reader extends Client {
  async live(): Promise<void> {
    const { signal, chance } = this.around;
    while (!signal.aborted) {
      await rest(chance.between(10, 300) * MINUTE, signal);
      if (signal.aborted) return;
      const kind = chance.pick(KINDS);
      await (chance.is(0.2) ? this.#readParts(kind) : this.#read(kind));
    }
  }

  /** Reads a list in parts, one after the other or at once. */
  async #readParts(kind: Kind): Promise<void> {
    const { service, chance } = this.around;
    const { reorganisations } = service;
    const existing = this.#existing(kind);
    const { explorer, process } = this.start();
    const limit = chance.between(2, 30);
    try {
      const cursors = await this.#list(explorer, kind, {}).split(chance.between(2, 4));
      const parts = cursors.map((resume) =>
        this.#list(explorer, kind, { resume, limit }).collect(),
      );
      const read = (await Promise.all(parts))
        .flat()
        .map(({ transaction_hash }) => transaction_hash);
      this.#compare(kind, existing, read, service.reorganisations - reorganisations);
    } catch (error) {
      if (!isExplorerError(error)) this.problem(`reading parts ended: ${error}`);
    }
    await rest(5 * MINUTE);
    await this.end(process);
  }

  #existing(kind: Kind): readonly Hash[] {
    const { chain } = this.around.service;
    // The index may lag by three blocks.
    return lists[kind](chain, this.account, { endBlock: chain.head.number - 3 });
  }

  #list(
    { accounts }: ExplorerClient,
    kind: Kind,
    query: { limit?: number; resume?: string | undefined; prefetch?: number },
    options: { signal?: AbortSignal } = {},
  ): PagedRequest<{ readonly transaction_hash: Hash }> {
    if (kind === "transaction") return accounts.transactions(this.account, query, options);
    if (kind === "mrc20Transfer") return accounts.mrc20Transfers(this.account, query, options);
    return accounts.mrc721Transfers(this.account, query, options);
  }

  async #read(kind: Kind): Promise<void> {
    const { service, chance, signal } = this.around;
    const { reorganisations } = service;
    const existing = this.#existing(kind);
    const read: Hash[] = [];
    let resume: string | undefined;
    const limit = chance.between(2, 30);
    for (let attempts = 0; attempts < 40; attempts++) {
      const { explorer, process } = this.start();
      const controller = new AbortController();
      const options = { limit, resume, prefetch: chance.pick([0, 0, 2]) };
      const request = { signal: controller.signal };
      const lived = chance.pick([1, 3, 1000]);
      let isDone = false;
      try {
        let pages = 0;
        for await (const { data, cursor } of this.#list(explorer, kind, options, request).pages()) {
          read.push(...data.map(({ transaction_hash }) => transaction_hash));
          if (cursor !== undefined) resume = cursor;
          if (++pages >= lived) break;
        }
        isDone = pages < lived;
      } catch (error) {
        if (!isExplorerError(error)) this.problem(`reading ended: ${error}`);
        else if (isExplorerError(error, "LIST")) this.problem(`reading ended: ${error.message}`);
        else resume = error.cursor ?? resume;
      }
      if ((resume?.length ?? 0) > 8_192) this.problem(`a cursor has ${resume?.length} characters`);
      controller.abort();
      await this.end(process);
      if (isDone)
        return this.#compare(kind, existing, read, service.reorganisations - reorganisations);
      await rest(chance.pick([1, 30, 600]) * MINUTE, signal);
      if (signal.aborted) return;
    }
    this.problem(`${kind}s were not read in 40 attempts`);
  }

  #compare(
    kind: Kind,
    existing: readonly Hash[],
    read: readonly Hash[],
    reorganised: number,
  ): void {
    const { service } = this.around;
    const twice = read.filter((key, index) => read.indexOf(key) < index);
    if (twice.length > 0) this.problem(`${kind}s were read twice: ${twice}`);
    if (reorganised > 1 || service.hasReplicas) return;
    const stayed = new Set(lists[kind](service.chain, this.account, {}));
    const lost = existing.filter((key) => stayed.has(key) && !read.includes(key));
    if (lost.length > 0)
      this.problem(
        `${kind}s were lost: ${lost} of ${existing.length}, ${reorganised} reorganisations`,
      );
  }
}

/** Asks for many balances, again and again, and often changes its mind. */
export class Wallet extends Client {
  async live(): Promise<void> {
    const { signal, chance } = this.around;
    while (!signal.aborted) {
      const { explorer, process } = this.start();
      for (let calls = chance.between(1, 5); calls > 0 && !signal.aborted; calls--) {
        await rest(chance.between(10, 300) * MINUTE, signal);
        await this.#ask(explorer);
        await this.checkQuiet(process);
      }
      await this.end(process);
    }
  }

  async #ask(explorer: ExplorerClient): Promise<void> {
    const { chance, service } = this.around;
    const more = Array.from({ length: 100 }, (_, at) => `0x${`${at}`.padStart(40, "0")}` as const);
    const asked = Array.from({ length: chance.between(1, 150) }, () =>
      chance.pick([...service.accounts, ...more]),
    );
    const { hash } = service.chain.head;
    const controller = new AbortController();
    if (chance.is(0.4)) void rest(chance.between(1, 3_000)).then(() => controller.abort());
    try {
      const entries = await explorer.accounts.balances(asked, { signal: controller.signal });
      const isSame = entries.every(
        ({ address, balance }, index) =>
          address === asked[index] && balance === service.chain.balance(address),
      );
      if (entries.length !== asked.length || (!isSame && service.chain.head.hash === hash))
        this.problem(`${asked.length} balances are wrong`);
    } catch (error) {
      if (!isExplorerError(error) && !controller.signal.aborted)
        this.problem(`balances ended: ${error}`);
    }
    controller.abort();
  }
}
