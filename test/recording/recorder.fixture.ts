// Records answers to requests of its own into a folder, in this process and in a thread of it; prints each once it was answered.
import { writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { createProxy } from "../../mocks/recording/create-replay.ts";

const [folder = "", first = "0", count = "0"] = isMainThread ? process.argv.slice(2) : workerData;
if (isMainThread)
  new Worker(new URL(import.meta.url), {
    workerData: [folder, `${Number(first) + Number(count)}`, count],
    execArgv: process.execArgv,
  });

const proxy = createProxy("https://explorer.example", {
  record: folder,
  onWarning: () => {},
  fetch: async (input) => Response.json({ asked: `${input}`, filler: "x".repeat(20_000) }),
});
for (let at = 0; at < Number(count); at++) {
  const target = `/v1/blocks/${Number(first) + at}`;
  const response = await proxy.fetch(`${proxy.baseUrl}${target}`, { headers: { "api-key": "k" } });
  if (response.status !== 200) throw new Error(await response.text());
  writeSync(1, `${target}\n`);
}
