// The clients of a simulated world: they watch, iterate, resume in other processes, batch, abort and sleep; and each notices when a promise is broken.
import { items } from "../../mocks/double/chain/listing.ts";
import type { BlockRange, ChainReader } from "../../mocks/double/chain/reader.ts";
import type { Address, Hash } from "../../mocks/double/chain/records.ts";
import { ExplorerClient, type Hooks, isExplorerError, type PagedRequest } from "../../src/index.ts";
import { type Limits, Process } from "./process.ts";
import type { Service } from "./service.ts";
import { type Chance, DAY, HOUR, MINUTE, rest } from "./virtual-time.ts";
import type { WorldLog } from "./world-log.ts";

/** What a client of the world needs. */
export interface Surroundings {
  readonly service: Service;
  readonly chance: Chance;
  readonly name: string;
  /** Ends all trouble, and all dawdling, some hours before the world ends. */
  readonly calm: AbortSignal;
  /** Ends the world. */
  readonly signal: AbortSignal;
  readonly log: WorldLog;
  /** Every client that was started. */
  readonly explorers: ExplorerClient[];
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

/** The end of a process, long after its calls: a timer that runs on would have fired. */
const AFTERMATH = 5 * MINUTE;

abstract class Client {
  protected readonly around: Surroundings;
  protected readonly account: Address;
  readonly #limits: Limits;
  #processes = 0;

  constructor(around: Surroundings) {
    const { chance, service } = around;
    this.around = around;
    this.account = chance.pick(service.accounts);
    const concurrency = chance.pick([1, 1, 2, 6]);
    this.#limits = chance.pick([
      { requests: 1, perMs: 500, concurrency },
      { requests: 5, perMs: 1_000, concurrency },
      { requests: 20, perMs: 60_000, concurrency },
    ]);
  }

  /** Lives until the world ends. */
  abstract live(): Promise<void>;

  /** Called at the end, when everything is up again and has had time to settle. */
  check(): void {}

  protected problem(text: string): void {
    this.around.log.problem(`${this.around.name}: ${text}`);
  }

  /** A client in a process of its own. */
  protected start(hooks: Hooks = {}): {
    readonly explorer: ExplorerClient;
    readonly process: Process;
  } {
    const { service, name, chance, log } = this.around;
    const process = new Process(`${name}.${++this.#processes}`, this.#limits, log);
    const { concurrency, ...rateLimit } = this.#limits;
    const explorer = new ExplorerClient({
      baseUrl: service.mock.baseUrl,
      apiKey: process.name,
      fetch: service.fetchOf(process),
      rateLimit,
      concurrency,
      retry: chance.between(0, 4),
      timeout: 10_000,
      logger: {},
      hooks,
    });
    this.around.explorers.push(explorer);
    return { explorer, process };
  }

  /** The check of a call that failed: never with an error that is not ours, and not when everything is up. */
  protected refusal(what: string): (error: unknown) => void {
    const { isUp } = this.around.service;
    return (error) => {
      if (!isExplorerError(error) || isUp) this.problem(`${what} failed: ${error}`);
    };
  }

  /** All calls of a process have ended: nothing is in flight, and nothing is sent. */
  protected async rest(process: Process, ms = AFTERMATH): Promise<void> {
    process.isQuiet = true;
    await rest(1);
    for (const { target } of process.open)
      this.problem(`${target} of ${process.name} is open after its calls`);
    await rest(ms, this.around.signal);
  }
}

/** Watches an account, for a while in each process. */
export class Watcher extends Client {
  /** Of the process that runs: the first block, and what is on the chain as far as it knows, by kind and hash. */
  #watched: { from: number; yielded: Set<string>; present: Set<string> } | undefined;

  async live(): Promise<void> {
    const { chance, calm, signal, service } = this.around;
    while (!signal.aborted) {
      await rest(chance.between(1, 60) * MINUTE, signal);
      if (signal.aborted) return;
      const { explorer, process } = this.start();
      const controller = new AbortController();
      const abort = () => {
        controller.abort();
        process.isQuiet = true;
      };
      signal.addEventListener("abort", abort);
      const from = Math.max(0, service.truth.head.number - chance.between(0, 60));
      const watched = { from, yielded: new Set<string>(), present: new Set<string>() };
      this.#watched = watched;
      if (chance.is(0.5) && !calm.aborted)
        void rest(chance.between(1, 40) * HOUR, calm).then(abort);
      try {
        for await (const { kind, record } of explorer.accounts.watch(this.account, {
          from,
          pollInterval: chance.pick([4, 8, 12]) * HOUR,
          signal: controller.signal,
          onError: () => {},
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
          if (chance.is(0.03) && !calm.aborted)
            await rest(chance.pick([MINUTE, HOUR, DAY]) * chance.next(), calm);
        }
      } catch (error) {
        // The first poll may fail.
        if (watched.yielded.size > 0 || !isExplorerError(error))
          this.problem(`watching ended: ${error}`);
      }
      if (!signal.aborted) this.#watched = undefined;
      abort();
      signal.removeEventListener("abort", abort);
      await this.rest(process);
    }
  }

  override check(): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    const { truth } = this.around.service;
    const expected = KINDS.flatMap((kind) =>
      lists[kind](truth, this.account, { startBlock: watched.from }).map(
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
      await rest(chance.between(4, 30) * HOUR, signal);
      if (signal.aborted) return;
      const kind = chance.pick(KINDS);
      await (chance.is(0.2) ? this.#readParts(kind) : this.#read(kind));
    }
  }

  /** Reads a list in parts, one after the other or at once. */
  async #readParts(kind: Kind): Promise<void> {
    const { chance } = this.around;
    const compare = this.#comparison(kind, true);
    const { explorer, process } = this.start();
    const limit = chance.between(5, 30);
    const refuse = this.refusal(`reading ${kind}s in parts`);
    try {
      const cursors = await this.#list(explorer, kind, {}).split(chance.between(2, 4));
      const parts = cursors.map((resume) =>
        this.#list(explorer, kind, { resume, limit }).collect(),
      );
      const read = (await Promise.all(parts)).flat();
      compare(read.map(({ transaction_hash }) => transaction_hash));
    } catch (error) {
      refuse(error);
    }
    // A part that failed ends the others only when they ask next.
    await rest(AFTERMATH);
    await this.rest(process);
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
    const { chance, signal } = this.around;
    let compare = this.#comparison(kind);
    const read: Hash[] = [];
    let resume: string | undefined;
    const limit = chance.between(5, 30);
    for (let attempts = 0; attempts < 40; attempts++) {
      // Nothing was read of what came and went since.
      if (read.length === 0) compare = this.#comparison(kind);
      const { explorer, process } = this.start();
      const controller = new AbortController();
      const options = { limit, resume, prefetch: chance.pick([0, 0, 2]) };
      const request = { signal: controller.signal };
      const lived = chance.pick([1, 3, 1000]);
      const refuse = this.refusal(`reading ${kind}s`);
      let isDone = false;
      try {
        let pages = 0;
        for await (const { data, cursor } of this.#list(explorer, kind, options, request).pages()) {
          read.push(...data.map(({ transaction_hash }) => transaction_hash));
          if (cursor !== undefined) resume = cursor;
          if (++pages >= lived) break;
          if (chance.is(0.02)) await rest(chance.pick([MINUTE, DAY]) * chance.next(), signal);
        }
        isDone = pages < lived;
      } catch (error) {
        refuse(error);
        if (isExplorerError(error, "LIST")) this.problem(`reading ended: ${error.message}`);
        if (isExplorerError(error)) resume = error.cursor ?? resume;
      }
      if ((resume?.length ?? 0) > 8_192) this.problem(`a cursor has ${resume?.length} characters`);
      controller.abort();
      await this.rest(process);
      if (isDone) return compare(read);
      await rest(chance.pick([1, 30, 600, 1440]) * MINUTE, signal);
      if (signal.aborted) return;
    }
    this.problem(`${kind}s were not read in 40 attempts`);
  }

  /** Begins an iteration; returns the check at its end: complete for the head it began at. */
  #comparison(kind: Kind, isInParts = false): (read: readonly Hash[]) => void {
    const { service } = this.around;
    const { reorganisations } = service;
    const head = service.chain.length > 0 ? service.commonHead : 0;
    // The index may lag by three blocks.
    const range = { endBlock: (head ?? 0) - 3 };
    const existing =
      service.chain.length > 0 ? lists[kind](service.chain, this.account, range) : [];
    return (read) => {
      const twice = read.filter((key, index) => read.indexOf(key) < index);
      if (twice.length > 0) this.problem(`${kind}s were read twice: ${twice}`);
      const reorganised = service.reorganisations - reorganisations;
      if (reorganised > 1 || head === undefined) return;
      // Replicas promise nothing while blocks are replaced, or where the fresh answer of three goes to another part.
      if (service.source === "a chain and replicas" && (reorganised > 0 || isInParts)) return;
      const stayed = new Set(lists[kind](service.chain, this.account, {}));
      const lost = existing.filter((key) => stayed.has(key) && !read.includes(key));
      if (lost.length > 0)
        this.problem(
          `${kind}s were lost: ${lost} of ${existing.length}, ${reorganised} reorganisations`,
        );
    };
  }
}

/** Lets that many promises settle. */
async function steps(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await undefined;
}

/** Like `Promise.all`, once none of them runs. */
const all = async <Result>(calls: readonly Promise<Result>[]): Promise<Result[]> => {
  await Promise.allSettled(calls);
  return await Promise.all(calls);
};

/** Asks for many balances, again and again, and often changes its mind. */
export class Wallet extends Client {
  async live(): Promise<void> {
    const { signal, chance } = this.around;
    while (!signal.aborted) {
      let giveUp: readonly [() => void, ...(() => void)[]] = [() => {}];
      // Also at the moments around a response, step by step: as a slot of the rate limiter passes to the next request.
      const onResponse = () => {
        if (chance.is(0.4)) void steps(chance.between(0, 16)).then(chance.pick(giveUp));
      };
      const { explorer, process } = this.start({ onResponse });
      for (let calls = chance.between(1, 5); calls > 0 && !signal.aborted; calls--) {
        await this.rest(process, chance.between(1, 12) * HOUR);
        process.isQuiet = false;
        // Calls at once share batches, and one that is aborted takes nothing from the other.
        const first = this.#ask(explorer);
        const others = Array.from({ length: chance.pick([0, 1, 2]) }, () => this.#ask(explorer));
        const abort =
          ({ controller }: typeof first) =>
          () => {
            controller.abort();
            if (others.length === 0) process.isQuiet = true;
          };
        giveUp = [abort(first), ...others.map(abort)];
        for (const end of giveUp) if (chance.is(0.4)) void rest(chance.between(1, 3_000)).then(end);
        await Promise.all([first, ...others].map(({ answer }) => answer));
        giveUp = [() => {}];
      }
      await this.rest(process);
    }
  }

  #ask(explorer: ExplorerClient): { controller: AbortController; answer: Promise<void> } {
    const { chance, service } = this.around;
    const more = Array.from({ length: 60 }, (_, at) => `0x${`${at}`.padStart(40, "0")}` as const);
    const asked = Array.from({ length: chance.between(1, 90) }, () =>
      chance.pick([...service.accounts, ...more]),
    );
    const controller = new AbortController();
    return { controller, answer: this.#compare(explorer, asked, controller.signal) };
  }

  async #compare(
    { accounts }: ExplorerClient,
    asked: readonly Address[],
    signal: AbortSignal,
  ): Promise<void> {
    const { chance, service } = this.around;
    const heads = () => `${service.truth.head.hash} ${service.chain.head.hash}`;
    const before = service.chain.length > 0 ? heads() : "";
    const refuse = this.refusal(`asking for ${asked.length} balances`);
    try {
      const entries = chance.is(0.5)
        ? await accounts.balances(asked, { signal })
        : await all(
            asked.map(async (address) => ({
              address,
              balance: await accounts.balance(address, { signal }),
            })),
          );
      const isSame = entries.every(
        ({ address, balance }, index) =>
          address === asked[index] && balance === service.truth.balance(address),
      );
      const isSettled = before === heads() && before.slice(0, 66) === before.slice(67);
      if (entries.length !== asked.length || (!isSame && isSettled))
        this.problem(`${asked.length} balances are wrong`);
    } catch (error) {
      if (!signal.aborted) refuse(error);
    }
  }
}
