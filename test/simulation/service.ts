// The service of a simulated world: a chain that mines, reorganises and goes back; replicas that lag, or a followed node that goes away; faults, outages, restarts.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainReader } from "../../mocks/double/chain/reader.ts";
import type { Address } from "../../mocks/double/chain/records.ts";
import type { ChainSnapshot, ChainWriter } from "../../mocks/double/chain/writer.ts";
import { createExplorer, type Explorer } from "../../mocks/double/explorer.ts";
import type { Fault } from "../../mocks/double/faults/index.ts";
import {
  buildChain,
  type ChainBuilder,
  coins,
  continueChain,
} from "../../mocks/double/sources/builder/index.ts";
import { type Follower, startFollowing } from "../../mocks/workbench/follow/follow-node.ts";
import { ChainStore } from "../../mocks/workbench/follow/store/chain-store.ts";
import { SimulatedNode } from "./node.ts";
import type { Process, Sent } from "./process.ts";
import { type Chance, HOUR, MINUTE, rest } from "./virtual-time.ts";
import type { WorldLog } from "./world-log.ts";

/** Blocks that may still be replaced: watchers read 32 again. */
const REORGANISABLE = 24;

/** A follower that has had this long, with its node up and the chain as it was, has no reason to fail. */
const UNDISTURBED = 5 * MINUTE;

/** Where stores are kept: in memory, where a file takes no time of a disk. */
const FOLDERS = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const connectionFailed = (): Error =>
  new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });

/** What the service answers from. */
type Source = "its own chain" | "a chain and replicas" | "a followed node";

/** How many records each account has. */
const counts = (chain: ChainReader, accounts: readonly Address[]): string =>
  `${accounts.map((account) => [
    chain.transactions(account, "all", {}).count,
    chain.transfers(account, "mrc20", {}).count,
    chain.transfers(account, "mrc721", {}).count,
  ])}`;

export class Service {
  readonly accounts: readonly [Address, ...Address[]];
  readonly token: Address;
  readonly collection: Address;
  readonly source: Source;
  /** The chain as it is; what the service knows of it may be older. */
  readonly truth: ChainWriter;
  mock: Explorer;
  /** All trouble has ended, and has been got over. */
  isUp = false;
  readonly #chance: Chance;
  readonly #log: WorldLog;
  readonly #node: SimulatedNode;
  #follower: Follower | undefined;
  /** Of the store of what it follows. */
  readonly #folder: string | undefined;
  readonly #interval: number;
  readonly #replicas: Explorer[] = [];
  /** Answers of replicas in a row, by client and path: two of three may be stale. */
  readonly #staleInARow = new Map<string, number>();
  /** What each process of the service received. */
  readonly #received = new Map<Explorer, Sent[]>();
  #builder: ChainBuilder;
  #pastRewinds = 0;
  #highest = 0;
  #minted = 0n;
  #down: AbortController | undefined;
  /** Breaks the connection of each request that is in flight. */
  readonly #inFlight = new Set<() => void>();
  /** When the chain last changed, or its node came back. */
  #disturbedAt = 0;

  constructor(chance: Chance, log: WorldLog) {
    this.#chance = chance;
    this.#log = log;
    const builder = buildChain({ timestamp: new Date(Date.now() - 24 * HOUR), blockTime: 60 });
    const account = () => builder.account({ balance: coins(1_000_000) });
    const alice = account();
    this.accounts = [alice, ...Array.from({ length: 4 }, account)];
    this.token = builder.deployMRC20(alice, {
      name: "Gold",
      symbol: "GLD",
      decimals: 18,
      supply: coins(1_000_000),
    }).address;
    this.collection = builder.deployMRC721(alice, { name: "Art", symbol: "ART" }).address;
    // The block of these contracts stays.
    builder.mine(1 + REORGANISABLE);
    this.#builder = builder;
    this.truth = builder.chain;
    this.#highest = this.truth.head.number;
    this.#node = new SimulatedNode(this.truth);
    this.#interval = chance.between(20, 120) * MINUTE;
    this.source = chance.pick<Source>([
      "its own chain",
      "its own chain",
      "its own chain",
      "a chain and replicas",
      "a followed node",
    ]);
    if (this.source === "a followed node") this.#folder = mkdtempSync(join(FOLDERS, "mrc-world-"));
    this.mock = this.#start();
    if (this.source === "a chain and replicas")
      for (let replicas = 2; replicas > 0; replicas--)
        this.#replicas.push(this.#serve(this.truth.fork()));
  }

  /** What the service has of the chain. */
  get chain(): ChainWriter {
    return this.mock.chain;
  }

  /** How often the service has replaced or removed blocks. */
  get reorganisations(): number {
    return this.#pastRewinds + this.chain.rewindCount;
  }

  /** The last block that each replica has; undefined if one of them has blocks that were replaced. */
  get commonHead(): number | undefined {
    const heads = [this.chain, ...this.#replicas.map(({ chain }) => chain)].map(({ head }) => head);
    const isOneBranch = heads.every(({ hash, number }) => this.chain.block(number)?.hash === hash);
    return isOneBranch ? Math.min(...heads.map(({ number }) => number)) : undefined;
  }

  #start(): Explorer {
    if (this.#folder === undefined) return this.#serve(this.truth);
    this.#follower = startFollowing(this.#node.url, {
      fetch: this.#node.fetch,
      interval: this.#interval,
      retries: 3,
      store: join(this.#folder, "store"),
      // Its chain may have become shorter meanwhile.
      replace: true,
      onError: (error, ended) => {
        this.#log.note("service", `${error}`);
        if (ended) this.#log.problem(`following ended: ${error}`);
        const isFailing = this.#follower?.status().state === "failing" && !this.#node.isAway;
        if (isFailing && performance.now() - this.#disturbedAt > UNDISTURBED)
          this.#log.problem(`following failed although nothing was wrong: ${error}`);
      },
    });
    return this.#serve(this.#follower);
  }

  #serve(chain: ChainWriter | Follower): Explorer {
    const service = createExplorer({
      chain,
      now: Date.now,
      seed: this.#chance.between(1, 2 ** 30),
      conformance: "throw",
    });
    this.#received.set(service, []);
    return service;
  }

  /** The fetch function of a client's process. */
  fetchOf(process: Process): typeof fetch {
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const sent = process.send(`${url.pathname}${url.search}`, init?.signal ?? undefined);
      let response: Response | undefined;
      let fail = () => {};
      try {
        if (this.#down) throw connectionFailed();
        const service = this.#route(process.name, url.pathname);
        this.#received.get(service)?.push(sent);
        response = await new Promise<Response>((resolve, reject) => {
          fail = () => reject(connectionFailed());
          this.#inFlight.add(fail);
          service.fetch(input, init).then(resolve, reject);
        });
        return response;
      } finally {
        this.#inFlight.delete(fail);
        process.settle(sent, response);
      }
    };
  }

  #route(client: string, path: string): Explorer {
    const key = `${client} ${path}`;
    const before = this.#staleInARow.get(key) ?? 0;
    const replica = this.#replicas[this.#chance.between(0, 3)];
    const isStale = replica !== undefined && !path.includes("balance") && before < 2;
    this.#staleInARow.set(key, isStale ? before + 1 : 0);
    return isStale ? replica : this.mock;
  }

  /** Mines, reorganises and goes back until the signal aborts. */
  async live(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    let other: ChainSnapshot | undefined;
    while (!signal.aborted) {
      await rest(chance.pick([1, 10, 90, 360]) * chance.between(1, 60) * 1000, signal);
      if (signal.aborted) return;
      this.#disturbedAt = performance.now();
      const room = this.truth.head.number - this.#highest + REORGANISABLE;
      const depth = Math.min(room, chance.between(1, chance.pick([6, 6, 6, REORGANISABLE])));
      const what = chance.next();
      if (what < 0.08 && depth > 0) {
        other = this.truth.snapshot();
        this.#reorganise(depth, chance);
        this.#note(`${depth} blocks are replaced`);
      } else if (what < 0.12 && depth > 0) {
        this.truth.rewind(depth);
        this.#builder = continueChain(this.truth);
        this.#note(`${depth} blocks are removed`);
      } else if (what < 0.16 && other && this.#canReturnTo(other)) {
        this.truth.restore(other);
        this.#builder = continueChain(this.truth);
        other = undefined;
        this.#note("the other branch returns");
      } else this.#mine(chance);
    }
  }

  #note(text: string): void {
    this.#log.note("chain", `${text}: the head is ${this.truth.head.number}`);
  }

  /** Whether the other branch differs in blocks only that may be replaced. */
  #canReturnTo({ chain: other }: ChainSnapshot): boolean {
    const settled = this.#highest - REORGANISABLE;
    return (
      other.head.number >= settled && other.block(settled)?.hash === this.truth.block(settled)?.hash
    );
  }

  #reorganise(depth: number, chance: Chance): void {
    const head = this.truth.head.number;
    const hashes = Array.from({ length: depth }, (_, ago) =>
      (this.truth.blockInput(head - ago)?.executions ?? []).map(
        ({ transaction }) => transaction.hash,
      ),
    ).flat();
    try {
      this.#builder.reorg(depth, { drop: hashes.filter(() => chance.is(0.3)) });
    } catch {
      // A transaction that stays needs a dropped one.
      this.#builder.reorg(depth, { drop: chance.is(0.5) ? "all" : [] });
    }
  }

  #mine(chance: Chance): void {
    const builder = this.#builder;
    for (let left = chance.between(0, 6); left > 0; left--) {
      const [from, to] = [chance.pick(this.accounts), chance.pick(this.accounts)];
      const what = chance.between(0, 3);
      if (what < 2) builder.transfer(from, to, BigInt(chance.between(1, 1000)));
      else if (what === 2 && this.truth.tokenBalance(this.token, from) > 1000n)
        builder
          .mrc20(this.token, this.accounts[0])
          .transfer(from, to, BigInt(chance.between(1, 100)));
      else builder.mrc721(this.collection, this.accounts[0]).mint(to, ++this.#minted);
    }
    builder.mine(1, { timestamp: new Date(Date.now()) });
    this.#highest = Math.max(this.#highest, this.truth.head.number);
    this.#note("a block is mined");
  }

  /** Brings the replicas up to date, each when it likes. */
  async replicate(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    while (!signal.aborted && this.#replicas.length > 0) {
      await rest(chance.between(1, 240) * MINUTE, signal);
      const index = chance.between(0, 1);
      if (signal.aborted) return;
      this.#replicas[index]?.chain.restore(this.truth.snapshot());
      this.#log.note("service", `replica ${index + 1} is up to date`);
    }
  }

  /** Something goes wrong now and then, and passes. */
  async fail(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    while (!signal.aborted) {
      await rest(chance.between(20, 600) * MINUTE, signal);
      if (signal.aborted) return;
      const what = chance.next();
      const ms = chance.pick([1, 10, 60]) * chance.between(1, 10) * MINUTE;
      if (what < 0.1) {
        this.#log.note("service", "nobody reaches it");
        await this.#goDown(ms, signal);
        this.#log.note("service", "it is back");
      } else if (what < 0.25) await this.#restart(ms, signal);
      else if (what < 0.5 && this.source === "a followed node") {
        this.#log.note("node", "it goes away");
        this.#node.isAway = true;
        await rest(ms, signal);
        this.#node.isAway = false;
        this.#disturbedAt = performance.now();
        this.#log.note("node", "it is back");
      } else {
        const given = this.#fault(chance);
        this.#log.note("service", `fault ${JSON.stringify(given)}`);
        const fault = this.mock.faults.add(given);
        await rest(ms, signal);
        this.#log.note("service", `fault ${given.fault} ends`);
        fault.remove();
      }
    }
  }

  #fault(chance: Chance): Fault {
    const probability = chance.pick([0.1, 0.5, 1]);
    return chance.pick<Fault>([
      { fault: "status", status: chance.pick([500, 502, 503]), probability },
      { fault: "reset", probability },
      { fault: "latency", ms: { median: 300, p99: 20_000 } },
      { fault: "rate-limit", retryAfter: chance.between(1, 60), probability },
      { fault: "token-bucket", requests: 5, perMs: 10_000 },
      { fault: "malformed-json", probability },
      { fault: "truncated", probability },
      { fault: "html", status: 502, probability },
      { fault: "empty", probability },
      { fault: "never", probability: 0.2 },
      { fault: "drip", bytes: 400, everyMs: 500, probability },
      { fault: "stale", blocks: chance.between(1, 3) },
    ]);
  }

  async #goDown(ms: number, signal: AbortSignal): Promise<void> {
    this.#down = new AbortController();
    await rest(ms, signal);
    this.#down = undefined;
  }

  /** The process ends, with what is in flight; another one continues, from the store if it follows a node. */
  async #restart(ms: number, signal: AbortSignal): Promise<void> {
    this.#log.note("service", "it restarts");
    for (const fail of this.#inFlight) fail();
    this.#checkJournal(this.mock);
    this.#received.delete(this.mock);
    this.#down = new AbortController();
    const head = this.chain.length > 0 ? this.chain.head : undefined;
    // The store asks for the state at the last block, which may have been replaced since the last poll.
    if (head && this.truth.block(head.number)?.hash !== head.hash)
      this.#disturbedAt = performance.now();
    await this.#follower?.close();
    if (this.#folder && this.chain.length > 0) await this.#checkStore(join(this.#folder, "store"));
    await this.#goDown(ms, signal);
    // Another process reads another chain from the store, and counts anew.
    if (this.source === "a followed node") this.#pastRewinds = this.reorganisations;
    this.mock = this.#start();
    this.#log.note("service", "it is back");
  }

  /** The store has what the process had when it ended. */
  async #checkStore(folder: string): Promise<void> {
    const onError = ({ message }: Error) => this.#log.problem(message);
    const store = new ChainStore(folder, { traced: true, onError });
    const stored = (await store.load())?.chain;
    await store.close();
    const [has, had] = [stored, this.chain].map(
      (chain) => chain && `block ${chain.head.hash} and records ${counts(chain, this.accounts)}`,
    );
    if (has !== had) this.#log.problem(`the store has ${has}, the service had ${had}`);
  }

  /** No faults, no lag, everything up. */
  heal(): void {
    this.mock.faults.clear();
    this.#down = undefined;
    this.#node.isAway = false;
    this.#disturbedAt = performance.now();
    // A node that follows others never stays behind its former head.
    while (this.truth.head.number <= this.#highest) this.#builder.mine(1);
    for (const replica of this.#replicas) replica.chain.restore(this.truth.snapshot());
  }

  /** The service has the whole chain, and its journals agree with the clients. */
  check(): void {
    const [has, is] = [this.chain, this.truth].map(
      (chain) => `block ${chain.head.hash} and records ${counts(chain, this.accounts)}`,
    );
    if (has !== is) this.#log.problem(`the service has ${has}, the chain ${is}`);
    for (const service of this.#received.keys()) this.#checkJournal(service);
  }

  async end(): Promise<void> {
    await this.#follower?.close();
    if (this.#folder) rmSync(this.#folder, { recursive: true });
  }

  /** A journal has exactly the requests that reached the service, each with the status that its client saw. */
  #checkJournal(service: Explorer): void {
    const line = (at: number, target: string) => `${target} at ${at}`;
    const noted = new Map<string, number[]>();
    for (const { at, target, status } of service.journal.entries) {
      const key = line(at, target);
      noted.set(key, [...(noted.get(key) ?? []), status]);
    }
    for (const { date, target, status } of this.#received.get(service) ?? []) {
      const key = line(date, target);
      const statuses = noted.get(key) ?? [];
      const found = status === undefined ? 0 : statuses.indexOf(status);
      if (found < 0 || statuses.length === 0)
        this.#log.problem(`the journal has not ${key} with status ${status}, but ${statuses}`);
      statuses.splice(found, 1);
      if (statuses.length === 0) noted.delete(key);
    }
    for (const [key, statuses] of noted)
      this.#log.problem(`the journal has ${key} with status ${statuses}, which nobody sent`);
  }
}
