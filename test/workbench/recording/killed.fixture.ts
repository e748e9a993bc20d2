// Records three answers into a folder, and waits to be killed.
import { createProxy } from "../../../mocks/node.ts";

const proxy = createProxy("https://explorer.example", {
  record: process.argv[2],
  onWarning: () => {},
  fetch: async (input) => Response.json({ asked: `${input}` }),
});
for (const block of [3, 2, 1])
  await proxy.fetch(`${proxy.baseUrl}/v1/blocks/${block}`, { headers: { "api-key": "k" } });
console.log("recorded");
setInterval(() => {}, 60_000);
