// A whole world from one seed: a service, its clients, and what must be true of them at the end.
import { Reader, type Surroundings, Wallet, Watcher } from "./clients.ts";
import { Service } from "./service.ts";
import { Chance, DAY, HOUR, MINUTE, VirtualTime } from "./virtual-time.ts";
import "../../src/lists/lazy.ts";

export interface Outcome {
  readonly seed: number;
  readonly requests: number;
  readonly blocks: number;
  /** The promises that were broken. */
  readonly problems: readonly string[];
  /** Each request with its time and status. */
  readonly trace: readonly string[];
}

/** Lives that many days. The same seed gives the same world, to the request. */
export async function simulate(seed: number, days: number): Promise<Outcome> {
  const chance = new Chance(seed);
  const time = new VirtualTime(chance.part());
  const problems: string[] = [];
  const problem = (text: string) =>
    void problems.push(`${(time.now / HOUR).toFixed(2)} h: ${text}`);
  try {
    const service = new Service(time, chance.part(), problem);
    const clients = [Watcher, Watcher, Reader, Reader, Wallet].map((kind, index) => {
      const around: Omit<Surroundings, "signal" | "calm"> = {
        service,
        time,
        chance: chance.part(),
        name: `${kind.name} ${index + 1}`,
        problem,
      };
      return { kind, around };
    });
    const end = new AbortController();
    const calm = new AbortController();
    const living = clients.map(
      ({ kind, around }) => new kind({ ...around, calm: calm.signal, signal: end.signal }),
    );
    let alive = 0;
    const run = (life: Promise<void>, name: string) => {
      alive++;
      life.then(
        () => alive--,
        (error: unknown) =>
          problem(`${name} failed: ${error instanceof Error ? error.stack : error}`),
      );
    };
    run(service.live(calm.signal), "the chain");
    run(service.replicate(calm.signal), "a replica");
    run(service.fail(calm.signal), "a fault");
    for (const client of living) run(client.live(), client.constructor.name);
    await time.pass(days * DAY);
    calm.abort();
    await time.settle();
    service.heal();
    // The longest pause of a watcher.
    await time.pass(6 * HOUR);
    for (const client of living) client.check();
    end.abort();
    await time.pass(30 * MINUTE);
    service.checkJournal();
    if (alive > 0) problem(`${alive} parts of the world wait for ever`);
    if (time.pending > 0) problem(`${time.pending} timers run after the end`);
    const trace = service.sent.map(
      ({ at, client, target, status }) =>
        `${(at / 1000).toFixed(3)} ${client} ${target.replace(/^.*\/v1/, "")} ${status ?? "failed"}`,
    );
    return { seed, requests: trace.length, blocks: service.chain.length, problems, trace };
  } finally {
    time.end();
  }
}
