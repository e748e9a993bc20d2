// Turns of submitters are fair and bounded, and end with an abort. The time limit counts CPU time.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { CompilerQueue, QueueFullError } from "../../mocks/verify/compiler-queue.ts";
import { defaultLimits, watchCompiler } from "../../mocks/verify/loaded-compiler.ts";
import { runs } from "../support/runs.ts";

/** Creates a queue with idle workers. `running` lists the files of running workers. */
function queueOfWorkers() {
  const running: string[] = [];
  const queue = new CompilerQueue(defaultLimits, (file) => {
    running.push(file);
    const terminate = async () => {
      if (running.includes(file)) running.splice(running.indexOf(file), 1);
    };
    return { post() {}, keepAlive() {}, terminate };
  });
  return { queue, running };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const abortError = "The submission was aborted";

describe("turns", () => {
  test("of a submitter alternate with those of each waiting submitter", async () => {
    const submitters = ["a", "b", "c"];
    const asks = fc.record({
      submitter: fc.constantFrom(...submitters),
      aborts: fc.boolean(),
      /** Number of turns that end before this submission. */
      after: fc.nat(4),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asks, { minLength: 1, maxLength: 15 }), async (asked) => {
        const { queue } = queueOfWorkers();
        const started: (typeof asked)[number][] = [];
        /** The submissions that started while each one waited. */
        const waited: (readonly [own: string, others: readonly string[]])[] = [];
        let running = 0;
        const outcomes = asked.map(async (ask) => {
          for (let i = 0; i < ask.after; i++) await settle();
          const aborting = new AbortController();
          const from = Math.max(0, started.length - running);
          const turn = { submitter: ask.submitter, signal: aborting.signal };
          const done = queue.run("solc", turn, async () => {
            waited.push([ask.submitter, started.slice(from).map(({ submitter }) => submitter)]);
            started.push(ask);
            expect(++running).toBe(1);
            await settle();
            running--;
          });
          if (ask.aborts) aborting.abort();
          await done.catch((error: Error) => expect(error.message).toBe(abortError));
        });
        await Promise.all(outcomes);
        const all = asked.filter(({ aborts }) => !aborts);
        expect(started.filter(({ aborts }) => !aborts)).toHaveLength(all.length);
        for (const [own, before] of waited) {
          const sinceOwn = before.slice(before.lastIndexOf(own) + 1);
          for (const other of submitters.filter((one) => one !== own))
            expect(sinceOwn.filter((one) => one === other).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test("are limited to 20 waiting ones of a submitter, and 100 of all", async () => {
    const { queue } = queueOfWorkers();
    let end = () => {};
    const first = queue.run(
      "solc",
      { submitter: "a" },
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
    );
    const ask = (submitter: string) => queue.run("solc", { submitter }, async () => {});
    const waiting = ["a", "b", "c", "d", "e"].flatMap((submitter) =>
      Array.from({ length: 20 }, () => ask(submitter)),
    );
    await expect(ask("a")).rejects.toMatchObject({ of: "submitter" });
    await expect(ask("f")).rejects.toThrow(QueueFullError);
    await expect(ask("f")).rejects.toMatchObject({ of: "all" });
    end();
    await Promise.all([first, ...waiting]);
    await ask("f");
  });

  test("are one at a time, even if a submission arrives in between or aborts", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { queue } = queueOfWorkers();
    const aborting = new AbortController();
    let running = 0;
    const run = (turn: { readonly signal?: AbortSignal } = {}) =>
      queue.run("solc", turn, async () => {
        expect(++running).toBe(1);
        await settle();
        if (turn.signal) aborting.abort();
        running--;
      });
    const first = run();
    await Promise.all([first, run(aborting), run(), first.then(() => run())]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("end with an abort, and the next one gets a new worker", async () => {
    const { queue, running } = queueOfWorkers();
    const aborting = new AbortController();
    const compiling = queue.run("one", { signal: aborting.signal }, (compiler) =>
      compiler.version(),
    );
    const next = queue.run("one", {}, async () => [...running]);
    await settle();
    aborting.abort();
    await expect(compiling).rejects.toThrow(abortError);
    expect(await next).toEqual(["one"]);
  });

  test("keep the worker, but replace it for another compiler", async () => {
    const { queue, running } = queueOfWorkers();
    const compilerOf = (file: string) => queue.run(file, {}, async (compiler) => compiler);
    const one = await compilerOf("one");
    expect(await compilerOf("one")).toBe(one);
    await compilerOf("other");
    expect(running).toEqual(["other"]);
    await queue.close();
    expect(running).toEqual([]);
    await expect(compilerOf("one")).rejects.toThrow("The verifier is closed");
  });
});

describe("the time limit", () => {
  /**
   * Returns after how many milliseconds a worker with this share of a core is stopped. With `before` 0,
   * the worker reports nothing for 1.5 s.
   */
  async function stoppedAfter(share: number, limit: number, before = 7000): Promise<number> {
    vi.useFakeTimers();
    const startedAt = performance.now();
    const cpuMs = async () => {
      const elapsed = performance.now() - startedAt;
      if (before === 0 && elapsed < 1500) throw new Error("The worker only starts");
      return before + elapsed * share;
    };
    const stopped = new Promise<number>((resolve) => {
      watchCompiler({ cpuMs, fail: async () => resolve(performance.now() - startedAt) }, limit);
    });
    await vi.runAllTimersAsync();
    return stopped;
  }

  test("takes ten times as long with a tenth of a core", async () => {
    expect(await stoppedAfter(1, 1000)).toBe(1000);
    expect(await stoppedAfter(0.1, 1000)).toBeCloseTo(10_000, -2);
    expect(await stoppedAfter(1, 1000, 0)).toBe(2000);
  });

  test("without CPU is twenty times the limit by the clock", async () => {
    expect(await stoppedAfter(0, 1000)).toBe(20_000);
  });

  test("stops nothing once the watch has ended, and leaves no timer", async () => {
    vi.useFakeTimers();
    const fail = vi.fn();
    watchCompiler({ cpuMs: async () => 0, fail }, 1000)();
    await vi.runAllTimersAsync();
    expect(fail).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
