// The service of a simulated world: a chain that mines, reorganises and goes back, replicas that lag, faults, outages and restarts from a store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildChain, type ChainBuilder, coins, continueChain } from "../../mocks/builder/index.ts";
import type { BlockInput } from "../../mocks/chain/block-input.ts";
import type { ChainReader } from "../../mocks/chain/reader.ts";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainSnapshot, ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer, type Explorer } from "../../mocks/explorer.ts";
import type { Fault } from "../../mocks/faults/index.ts";
import { ChainStore } from "../../mocks/store/chain-store.ts";
import { type Chance, HOUR, MINUTE, rest, type VirtualTime } from "./virtual-time.ts";

/** Blocks that may still be replaced: watchers read 32 again. */
const REORGANISABLE = 24;

/** A request as its client sent it. */
interface Sent {
  readonly client: string;
  readonly target: string;
  readonly signal: AbortSignal | undefined;
  readonly at: number;
  /** The service that got it; undefined if it was down. */
  service: Explorer | undefined;
  status: number | undefined;
  isOpen: boolean;
}

const connectionFailed = (): Error =>
  new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });

export class Service {
  readonly accounts: readonly [Address, ...Address[]];
  readonly token: Address;
  readonly collection: Address;
  /** Everything that was sent, in order. */
  readonly sent: Sent[] = [];
  /** How often blocks were replaced or removed. */
  reorganisations = 0;
  mock: Explorer;
  readonly hasReplicas: boolean;
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #problem: (text: string) => void;
  readonly #replicas: Explorer[] = [];
  /** Answers of replicas in a row, by client and path: two of three may be stale. */
  readonly #staleInARow = new Map<string, number>();
  /** When a client has to wait after a 429. */
  readonly #pauses = new Map<string, { readonly from: number; readonly until: number }>();
  #builder: ChainBuilder;
  #highest = 0;
  #minted = 0n;
  #down: AbortController | undefined;
  #killed = new AbortController();

  constructor(time: VirtualTime, chance: Chance, problem: (text: string) => void) {
    this.#time = time;
    this.#chance = chance;
    this.#problem = problem;
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
    builder.mine(REORGANISABLE);
    this.#builder = builder;
    this.mock = this.#serve(builder.chain);
    this.hasReplicas = chance.is(0.3);
    if (this.hasReplicas)
      this.#replicas.push(this.#serve(builder.chain.fork()), this.#serve(builder.chain.fork()));
  }

  get chain(): ChainWriter {
    return this.mock.chain;
  }

  #serve(chain: ChainWriter): Explorer {
    return createExplorer({
      chain,
      now: Date.now,
      seed: this.#chance.between(1, 2 ** 30),
      conformance: "throw",
    });
  }

  /** The fetch function of a client. */
  fetchOf(client: string): typeof fetch {
    return async (input, init) => {
      const target = String(input instanceof Request ? input.url : input);
      const sent: Sent = {
        client,
        target,
        signal: init?.signal ?? undefined,
        at: this.#time.now,
        service: undefined,
        status: undefined,
        isOpen: true,
      };
      this.sent.push(sent);
      const pause = this.#pauses.get(client);
      // In the same moment, the response may still be on its way.
      if (pause && pause.from < sent.at && sent.at < pause.until - 1e-3)
        this.#problem(`${client} sent ${target} within the pause of a 429`);
      try {
        if (this.#down) throw connectionFailed();
        sent.service = this.#route(client, target);
        const killed = this.#killed.signal;
        const broken = new Promise<never>((_, reject) =>
          killed.addEventListener("abort", () => reject(connectionFailed()), { once: true }),
        );
        const response = await Promise.race([sent.service.fetch(input, init), broken]);
        sent.status = response.status;
        if (response.status === 429) this.#pause(client, response.headers.get("retry-after"));
        return response;
      } finally {
        sent.isOpen = false;
      }
    };
  }

  /** For so many seconds this client is not to send anything. */
  #pause(client: string, seconds: string | null): void {
    const from = this.#time.now;
    const until = Math.max(from + 1000 * Number(seconds), this.#pauses.get(client)?.until ?? 0);
    this.#pauses.set(client, { from, until });
  }

  #route(client: string, target: string): Explorer {
    const key = `${client} ${target.split("?")[0]}`;
    const before = this.#staleInARow.get(key) ?? 0;
    const isList = !target.includes("balance");
    const replica = this.#replicas[this.#chance.between(0, 3)];
    const isStale = replica !== undefined && isList && before < 2;
    this.#staleInARow.set(key, isStale ? before + 1 : 0);
    return isStale ? replica : this.mock;
  }

  /** Mines, reorganises and goes back until the signal aborts. */
  async live(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    let other: ChainSnapshot | undefined;
    while (!signal.aborted) {
      await rest(chance.between(1, 30) * MINUTE, signal);
      if (signal.aborted) return;
      const room = this.chain.head.number - this.#highest + REORGANISABLE;
      const depth = Math.min(room, chance.between(1, 6));
      const what = chance.next();
      if (what < 0.05 && depth > 0) {
        other = this.chain.snapshot();
        this.#reorganise(depth, chance);
      } else if (what < 0.08 && depth > 0) {
        this.chain.rewind(depth);
        this.#continue();
      } else if (what < 0.1 && other && this.#canReturnTo(other)) {
        this.chain.restore(other);
        this.#continue();
        other = undefined;
      } else this.#mine(chance);
    }
  }

  /** Whether the other branch differs in blocks only that may be replaced. */
  #canReturnTo({ chain: other }: ChainSnapshot): boolean {
    const settled = this.#highest - REORGANISABLE;
    return (
      other.head.number >= settled && other.block(settled)?.hash === this.chain.block(settled)?.hash
    );
  }

  #continue(): void {
    this.reorganisations++;
    this.#builder = continueChain(this.chain);
  }

  #reorganise(depth: number, chance: Chance): void {
    const head = this.chain.head.number;
    const hashes = Array.from({ length: depth }, (_, ago) =>
      (this.chain.blockInput(head - ago)?.executions ?? []).map(
        ({ transaction }) => transaction.hash,
      ),
    ).flat();
    this.reorganisations++;
    try {
      this.#builder.reorg(depth, { drop: hashes.filter(() => chance.is(0.3)) });
    } catch {
      // A transaction that stays needs a dropped one.
      this.#builder.reorg(depth, { drop: chance.is(0.5) ? "all" : [] });
    }
  }

  #mine(chance: Chance): void {
    const builder = this.#builder;
    for (let left = chance.between(0, 4); left > 0; left--) {
      const [from, to] = [chance.pick(this.accounts), chance.pick(this.accounts)];
      const what = chance.between(0, 3);
      if (what < 2) builder.transfer(from, to, BigInt(chance.between(1, 1000)));
      else if (what === 2 && this.chain.tokenBalance(this.token, from) > 1000n)
        builder
          .mrc20(this.token, this.accounts[0])
          .transfer(from, to, BigInt(chance.between(1, 100)));
      else builder.mrc721(this.collection, this.accounts[0]).mint(to, ++this.#minted);
    }
    builder.mine(1, { timestamp: new Date(Date.now()) });
    this.#highest = Math.max(this.#highest, this.chain.head.number);
  }

  /** Brings the replicas up to date, each when it likes. */
  async replicate(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    while (!signal.aborted) {
      await rest(chance.between(1, 40) * MINUTE, signal);
      const replica = this.#replicas[chance.between(0, 1)];
      if (!signal.aborted) replica?.chain.restore(this.chain.snapshot());
    }
  }

  /** Something goes wrong now and then, and passes. */
  async fail(signal: AbortSignal): Promise<void> {
    const chance = this.#chance.part();
    while (!signal.aborted) {
      await rest(chance.between(20, 300) * MINUTE, signal);
      if (signal.aborted) return;
      const what = chance.next();
      if (what < 0.15) await this.#goDown(chance.between(1, 90) * MINUTE, signal);
      else if (what < 0.3) await this.#restart(chance.between(1, 10) * MINUTE, signal);
      else {
        const fault = this.mock.faults.add(this.#fault(chance));
        await rest(chance.between(1, 120) * MINUTE, signal);
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

  /** The process ends, with what is in flight; another one reads its store. */
  async #restart(ms: number, signal: AbortSignal): Promise<void> {
    this.#killed.abort();
    const before = this.mock;
    this.checkJournal();
    const chain = await this.#time.outside(this.#stored(before.chain));
    await this.#goDown(ms, signal);
    this.#killed = new AbortController();
    // What was mined meanwhile comes from the node.
    chain.restore(before.chain.snapshot());
    this.mock = this.#serve(chain);
    this.#builder = continueChain(chain);
  }

  /** The chain as a store brings it back. */
  async #stored(chain: ChainWriter): Promise<ChainWriter> {
    const folder = mkdtempSync(join(tmpdir(), "mrc-world-"));
    const open = () =>
      new ChainStore(folder, { traced: true, onError: ({ message }) => this.#problem(message) });
    try {
      const inputs = Array.from(
        { length: chain.length },
        (_, at) => chain.blockInput(at) as BlockInput,
      );
      const store = open();
      await store.startOver(chain.chainId);
      const blocks = inputs.map(() => ({ block: null, receipts: null }));
      await store.update({ kept: 0, from: 0, blocks, inputs });
      await store.close();
      const again = open();
      const stored = await again.load();
      await again.close();
      const listed = (reader: ChainReader, account: Address) => [
        reader.transactions(account, "all", {}).count,
        reader.transfers(account, "mrc20", {}).count,
        reader.transfers(account, "mrc721", {}).count,
      ];
      const same = this.accounts.every(
        (account) => stored && `${listed(stored.chain, account)}` === `${listed(chain, account)}`,
      );
      if (!same || stored?.chain.head.hash !== chain.head.hash)
        this.#problem(
          `the store has ${stored?.chain.head.number} ${this.accounts.map((account) => stored && listed(stored.chain, account))}, the chain ${chain.head.number} ${this.accounts.map((account) => listed(chain, account))}`,
        );
      return stored?.chain ?? chain;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** No faults, no lag, everything up. */
  heal(): void {
    this.mock.faults.clear();
    this.#down = undefined;
    for (const replica of this.#replicas) replica.chain.restore(this.chain.snapshot());
  }

  /** The journals have exactly the requests that reached the services, with the statuses that clients saw. */
  checkJournal(): void {
    for (const service of [this.mock, ...this.#replicas]) {
      const sent = this.sent.filter((one) => one.service === service && !one.isOpen);
      const open = this.sent.filter((one) => one.service === service && one.isOpen).length;
      const journal = service.journal.entries;
      if (journal.length < sent.length || journal.length > sent.length + open)
        this.#problem(
          `the journal has ${journal.length} requests, clients sent ${sent.length} and ${open} are open`,
        );
      const count = (statuses: readonly (number | undefined)[]) => {
        const counts = new Map<number, number>();
        for (const status of statuses)
          if (status) counts.set(status, (counts.get(status) ?? 0) + 1);
        return counts;
      };
      const noted = count(journal.map(({ status }) => status));
      for (const [status, seen] of count(sent.map((one) => one.status)))
        if (seen > (noted.get(status) ?? 0))
          this.#problem(
            `clients saw ${seen} responses ${status}, the journal has ${noted.get(status) ?? 0}`,
          );
    }
  }
}
