// Turns among submitters: fair, bounded, and left at once by those who no longer wait.
import fc from "fast-check";
import { expect, test } from "vitest";
import { CompilationCache } from "../../../mocks/workbench/verify/compilation.ts";
import { CompilerPool } from "../../../mocks/workbench/verify/compiler-pool.ts";
import { QueueFullError, Turns } from "../../../mocks/workbench/verify/turns.ts";
import { defaultCompilersMemory, startThread } from "../../../mocks/workbench/verify/verifier.ts";
import { runs } from "../../support/runs.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("whoever asks how often: nobody waits for more than one turn of each other submitter", async () => {
  const submitters = ["a", "b", "c"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...submitters), { minLength: 1, maxLength: 30 }),
      async (asked) => {
        const turns = new Turns({ parallel: 1, waiting: 100, waitingEach: 100 });
        const endFirst = await turns.take({ submitter: "first" });
        const served: string[] = [];
        const all = asked.map(async (submitter) => {
          const end = await turns.take({ submitter });
          served.push(submitter);
          await settle();
          end();
          end();
        });
        endFirst();
        await Promise.all(all);
        expect(served.toSorted()).toEqual(asked.toSorted());
        for (const [index, submitter] of served.entries()) {
          const before = served.slice(0, index);
          const own = before.lastIndexOf(submitter);
          for (const other of submitters.filter((it) => it !== submitter))
            expect(before.slice(own + 1).filter((it) => it === other).length).toBeLessThanOrEqual(
              1,
            );
        }
      },
    ),
    { numRuns: runs(50) },
  );
});

test("those who abort leave the queue, and every turn is given back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ submitter: fc.constantFrom("a", "b"), aborts: fc.boolean() }), {
        maxLength: 20,
      }),
      async (parallel, asked) => {
        const turns = new Turns({ parallel, waiting: 100, waitingEach: 100 });
        let running = 0;
        const outcomes = asked.map(async ({ submitter, aborts }) => {
          const { signal, abort } = (() => {
            const controller = new AbortController();
            return { signal: controller.signal, abort: () => controller.abort("gone") };
          })();
          const turn = turns.take({ submitter, signal });
          if (aborts) abort();
          try {
            const end = await turn;
            running++;
            expect(running).toBeLessThanOrEqual(parallel);
            await settle();
            running--;
            end();
          } catch (reason) {
            if (reason !== "gone") throw reason;
          }
        });
        await Promise.all(outcomes);
        // As many as may run get a turn at once.
        const ends = await Promise.all(
          Array.from({ length: parallel }, () => turns.take({ submitter: "late" })),
        );
        expect(ends).toHaveLength(parallel);
      },
    ),
    { numRuns: runs(50) },
  );
});

test("the queue is bounded, for one submitter more narrowly than for all", async () => {
  const turns = new Turns({ parallel: 1, waiting: 3, waitingEach: 2 });
  const end = await turns.take({ submitter: "a" });
  const waiting = ["a", "a", "b"].map((submitter) => turns.take({ submitter }));
  await expect(turns.take({ submitter: "a" })).rejects.toMatchObject({ of: "submitter" });
  await expect(turns.take({ submitter: "c" })).rejects.toThrow(QueueFullError);
  await expect(turns.take({ submitter: "c" })).rejects.toMatchObject({ of: "all" });
  end();
  await Promise.all(waiting.map(async (turn) => (await turn)()));
});

test("the cache keeps the latest compilations, up to its limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ input: fc.nat(8), bytes: fc.integer({ min: 1, max: 60 }) })),
      async (inputs) => {
        const asked = { contract: "A", refuseModelChecker: false };
        const cache = new CompilationCache(100);
        const sizes = new Map<number, number>();
        for (const { input, bytes } of inputs) {
          const size = sizes.get(input) ?? bytes;
          sizes.set(input, size);
          const get = (compile: () => Promise<never>) =>
            cache.get("solc", { input: `${input}`, ...asked }, compile);
          const output = {
            error: null,
            outlines: new Map(),
            files: new Map(),
            contracts: new Map(),
            bytes: size,
          };
          const first = await cache.get(
            "solc",
            { input: `${input}`, ...asked },
            async () => output,
          );
          expect(first.bytes).toBe(size);
          expect(cache.bytes).toBeLessThanOrEqual(100);
          // The latest costs nothing.
          expect(await get(() => Promise.reject(new Error("compiled again")))).toBe(first);
        }
      },
    ),
    { numRuns: runs(50) },
  );
});

test("the default memory for compilers suits small and large machines", () => {
  const gibibyte = 2 ** 30;
  expect([1, 2, 24, 256].map((size) => defaultCompilersMemory(size * gibibyte))).toEqual([
    256, 256, 3072, 4096,
  ]);
});

test("an aborted submission leaves its slot at once, loading or not", async () => {
  const pool = new CompilerPool(
    {
      timeout: 60_000,
      memory: 512,
      compilersMemory: 512,
      parallel: 1,
      waiting: 10,
      waitingEach: 10,
    },
    startThread,
  );
  const file = new URL(import.meta.resolve("solc-0.8.28/soljson.js")).pathname;
  const aborting = new AbortController();
  const loading = pool.borrow(file, { signal: aborting.signal });
  const next = pool.borrow(file, {});
  await settle();
  aborting.abort();
  await expect(loading).rejects.toThrow("The submission was aborted");
  const loan = await next;
  expect(loan.version).toMatch(/^0\.8\.28/);
  loan.end();
  expect(pool.size).toBe(1);
  await pool.close();
});
