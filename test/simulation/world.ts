// A whole world from one seed: a service, its clients, and what must be true of them at the end.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ExplorerClient } from "../../src/index.ts";
import { Reader, type Surroundings, Wallet, Watcher } from "./clients.ts";
import { Service } from "./service.ts";
import { Chance, DAY, HOUR, MINUTE, VirtualTime } from "./virtual-time.ts";
import { WorldLog } from "./world-log.ts";
import "../../src/http/advice.ts";
import "../../src/lists/lazy.ts";

/** How long a world lives: 200 of them are 1,000 days. */
export const DAYS = 5;

/** What a client may hold at the end of its world, in bytes: four times as much as they do. */
export const MAX_HELD = 20_000;

/** The clients of so many worlds are weighed at once: it takes as long as a world. */
export const WEIGHED = 25;

export interface Outcome {
  /** The promises that were broken, each with its moment. */
  readonly problems: readonly string[];
  /** All that happened: each request with its time and status, and what became of the chain and the service. */
  readonly log: readonly string[];
  /** All clients that were started. */
  readonly explorers: ExplorerClient[];
  /** What they reached: held here, so that it does not count as theirs. */
  readonly service: Service;
}

/** Lives a world. The same seed gives the same world, byte for byte. */
export async function simulate(seed: number, days = DAYS): Promise<Outcome> {
  const chance = new Chance(seed);
  const time = new VirtualTime(chance.part());
  const log = new WorldLog(time);
  const explorers: ExplorerClient[] = [];
  const service = new Service(chance.part(), log);
  try {
    log.note("service", `it answers from ${service.source}`);
    await live({ service, explorers, chance, log }, time, days);
  } finally {
    const ended = service.end();
    await time.settle();
    await ended;
    if (time.pending > 0) log.problem(`${time.pending} timers run after the end`);
    time.end();
  }
  return { problems: log.problems, log: log.lines.map(({ text }) => text), explorers, service };
}

async function live(
  around: Omit<Surroundings, "name" | "calm" | "signal">,
  time: VirtualTime,
  days: number,
): Promise<void> {
  const { service, log, chance } = around;
  const end = new AbortController();
  const calm = new AbortController();
  const signals = { calm: calm.signal, signal: end.signal };
  const clients = [Watcher, Watcher, Reader, Reader, Wallet].map((kind, index) => {
    const name = `${kind.name} ${index + 1}`;
    return { name, client: new kind({ ...around, ...signals, chance: chance.part(), name }) };
  });
  const alive = new Set<string>();
  const run = (life: Promise<void>, name: string) => {
    alive.add(name);
    life
      .catch((error: unknown) =>
        log.problem(`${name} failed: ${error instanceof Error ? error.stack : error}`),
      )
      .finally(() => alive.delete(name));
  };
  run(service.live(calm.signal), "the chain");
  run(service.replicate(calm.signal), "a replica");
  run(service.fail(calm.signal), "a fault");
  for (const { client, name } of clients) run(client.live(), name);
  await time.pass(days * DAY);
  log.note("world", "all trouble ends");
  calm.abort();
  await time.settle();
  service.heal();
  // The longest pauses: of a follower, and of a watcher.
  await time.pass(2 * HOUR);
  service.isUp = true;
  await time.pass(12 * HOUR);
  for (const { client } of clients) client.check();
  log.note("world", "it ends");
  end.abort();
  await time.pass(30 * MINUTE);
  service.check();
  for (const name of alive) log.problem(`${name} waits for ever`);
}

/** How many bytes a client of these worlds holds that nothing else does; afterwards nobody holds them. */
export async function bytesHeld(worlds: readonly Outcome[]): Promise<number> {
  setFlagsFromString("--expose-gc");
  // Code that was not used for a while would count, too.
  setFlagsFromString("--no-flush-bytecode");
  const collect: () => void = runInNewContext("gc");
  const used = async () => {
    for (let times = 0; times < 5; times++) {
      // What was collected may let go of more in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await used();
  let clients = 0;
  for (const { explorers } of worlds) clients += explorers.splice(0).length;
  return (before - (await used())) / clients;
}
