// What iterating a list costs: a million records from memory against a plain loop of fetch, and
// requests.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "vitest";
import { newestFirst, oldestFirst, windowError } from "../laws/lists/habits.ts";
import { type ListId, ListServer, listIds } from "../laws/lists/list-server.ts";
import { median } from "./median.ts";

test("1,000,000 records from memory, against a loop of fetch and JSON.parse", async () => {
  const program = fileURLToPath(new URL("million.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { loop, client }: Record<"loop" | "client", number> = JSON.parse(stdout);
  console.info(
    `bare loop ${Math.round(loop)} ms of processor time, client ${Math.round(client)}: ${(client / loop).toFixed(2)} times`,
  );
}, 600_000);

/**
 * The requests of a list, read twice by one client: at first, and once the client knows that
 * `count` is the total.
 */
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
