// Records into a folder until nothing more fits: prints the statuses that the caller saw, and the warnings.
import { createProxy } from "../../mocks/recording/create-replay.ts";

const warnings: string[] = [];
let made = 0;
const proxy = createProxy("https://explorer.example", {
  record: process.argv[2],
  onWarning: (message) => warnings.push(message),
  // From some block on, a response is longer than a file may be.
  fetch: async (input) => Response.json({ asked: `${input}`, filler: "x".repeat(600 * made++) }),
});
const statuses = new Set<number>();
for (let block = 0; block < 60; block++) {
  const url = `${proxy.baseUrl}/v1/blocks/${block}`;
  statuses.add((await proxy.fetch(url, { headers: { "api-key": "k" } })).status);
}
console.log(JSON.stringify({ statuses: [...statuses], warnings }));
