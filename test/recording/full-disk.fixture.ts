// Records into a folder until nothing more fits: prints the statuses that the caller saw, and the warnings.
import { createProxy } from "../../mocks/recording/create-replay.ts";

const warnings: string[] = [];
const proxy = createProxy("https://explorer.example", {
  record: process.argv[2],
  onWarning: (message) => warnings.push(message),
  fetch: async (input) => Response.json({ asked: `${input}`, filler: "x".repeat(150) }),
});
const statuses = new Set<number>();
for (let block = 0; block < 60; block++) {
  const url = `${proxy.baseUrl}/v1/blocks/${block}`;
  statuses.add((await proxy.fetch(url, { headers: { "api-key": "k" } })).status);
}
console.log(JSON.stringify({ statuses: [...statuses], warnings }));
