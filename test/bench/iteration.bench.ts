// What iterating a list costs: over a server with 30 ms latency, against a plain sequential fetch loop; and a million records from memory.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, test } from "vitest";
import { start, stop } from "./load.ts";
import { median } from "./median.ts";

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const server = await start("delayed", process.execPath, [program("delayed.ts")]);
afterAll(() => stop(server));

interface Report {
  readonly total: number;
  readonly rounds: readonly Record<string, { ms: number; cpu: number }>[];
}

test.each([100, 1000])(
  "reading a list over 30 ms latency, pages of %i",
  async (limit) => {
    const args = [program("iterated.ts"), `${server.port}`, `${limit}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { total, rounds }: Report = JSON.parse(stdout);
    const row = (name: string) => {
      const of = (what: "ms" | "cpu") => median(rounds.map((round) => round[name]?.[what] ?? 0));
      const times = median(
        rounds.map((round) => (round["a fetch loop"]?.ms ?? 0) / (round[name]?.ms ?? 1)),
      );
      return {
        "elapsed ms": Math.round(of("ms")),
        "CPU ms": Math.round(of("cpu")),
        "records/s": Math.round((total / of("ms")) * 1000),
        "times the loop": Number(times.toFixed(2)),
      };
    };
    console.table(
      Object.fromEntries(Object.keys(rounds[0] ?? {}).map((name) => [name, row(name)])),
    );
  },
  300_000,
);

test("1,000,000 records from memory, against a loop of fetch and JSON.parse", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program("million.ts")]);
  const { loop, client }: Record<"loop" | "client", number> = JSON.parse(stdout);
  console.info(
    `bare loop ${Math.round(loop)} ms of processor time, client ${Math.round(client)}: ${(client / loop).toFixed(2)} times`,
  );
}, 600_000);
