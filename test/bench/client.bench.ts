// What a call costs the caller: CPU time of this client against openai-node's and bare fetch, on the same server in another process, and in memory.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { type Subject, start, stop } from "./load.ts";
import { median } from "./median.ts";
import { printTurns } from "./turns.ts";

const others = new URL("../http/others/", import.meta.url);
const isInstalled = existsSync(new URL("node_modules", others));
if (!isInstalled)
  console.warn("\n*** SKIPPED: openai-node. Install it with: npm run test:install ***\n");
const require = createRequire(others);

const path = "/v1/blocks/7";
/** Calls at once, and calls in a turn. */
const [atOnce, calls, turns] = [10, 1000, 15];

let server: Subject | undefined;
afterAll(async () => {
  if (server) await stop(server);
});

type Call = () => Promise<unknown>;

/** The median milliseconds of CPU of a call, for clients that take turns. */
async function cpuOfCalls(clients: Readonly<Record<string, Call>>) {
  const measured = new Map(Object.keys(clients).map((name): [string, number[]] => [name, []]));
  // The first turns warm up.
  for (let turn = -3; turn < turns; turn++)
    for (const [name, call] of Object.entries(clients)) {
      const before = process.cpuUsage();
      for (let done = 0; done < calls; done += atOnce)
        await Promise.all(Array.from({ length: atOnce }, call));
      const { user, system } = process.cpuUsage(before);
      if (turn >= 0) measured.get(name)?.push((user + system) / 1000 / calls);
    }
  return new Map(Array.from(measured, ([name, values]) => [name, median(values)]));
}

const clientsOf = (baseUrl: string, fetching: typeof fetch): Readonly<Record<string, Call>> => {
  const apiKey = "sk-0123456789";
  const { OpenAI } = require("openai");
  const openai = new OpenAI({ apiKey, baseURL: baseUrl, fetch: fetching });
  // Equal calls at once would share a request.
  const explorer = new ExplorerClient({ apiKey, baseUrl, fetch: fetching, dedupe: false });
  return {
    openai: () => openai.get(path),
    fetch: async () => (await fetching(`${baseUrl}${path}`)).json(),
    explorer: () => explorer.blocks.get(7),
  };
};

test.skipIf(!isInstalled)(
  "a call, against openai-node and bare fetch",
  async () => {
    const program = fileURLToPath(new URL("served.ts", import.meta.url));
    server = await start("node:http", process.execPath, [program, "switch", path]);
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const body = await (await fetch(`${baseUrl}${path}`)).text();
    const headers = { "content-type": "application/json" };
    for (const [title, fetching] of [
      ["CPU of a call over HTTP", fetch],
      ["CPU of a call in memory", async () => new Response(body, { headers })],
    ] as const) {
      const medians = await cpuOfCalls(clientsOf(baseUrl, fetching));
      printTurns(title, medians);
      expect(medians.get("explorer")).toBeLessThan(2 * (medians.get("openai") ?? 0));
    }
  },
  300_000,
);
