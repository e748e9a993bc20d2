// What iterating a list costs: over a server with 30 ms latency, against a plain sequential fetch loop; and a million records from memory.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, test } from "vitest";
import { newestFirst, oldestFirst, windowError } from "../laws/lists/habits.ts";
import { type ListId, ListServer, listIds } from "../laws/lists/list-server.ts";
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

/** The requests of a list, read twice by one client: at first, and once the client knows that `count` is the total. */
async function requestsOf(id: ListId, blocks: readonly number[], query: object) {
  const server = new ListServer(id, [newestFirst, windowError(10_000)], blocks);
  await server.read(query).collect();
  const first = server.requests;
  await server.read(query).collect();
  return [first, server.requests - first] as const;
}

test("requests of lists that stay as they are", async () => {
  const short = [];
  for (const id of listIds)
    for (let blocks = 1; blocks <= 50; blocks++)
      short.push(await requestsOf(id, Array<number>(blocks).fill((blocks % 3) + 1), {}));
  console.info(
    `one page: ${median(short.map(([first]) => first))} requests at first, then ${median(short.map(([, then]) => then))}`,
  );
  for (const [id, order] of [
    ["A2", newestFirst],
    ["A2", oldestFirst],
    ["A5", newestFirst],
  ] as const) {
    const server = new ListServer(id, [order, windowError(10_000)], Array(10_000).fill(10));
    const { length } = await server.read({ limit: 1000 }).collect();
    console.info(
      `${length} records of ${id} over a window of 10,000: ${server.requests / (length / 1000)} times the least`,
    );
  }
}, 600_000);
