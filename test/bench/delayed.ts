// A server to iterate, in a process of its own: answers of the explorer on a generated chain, kept ready, each 30 ms late.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createExplorer } from "../../mocks/double/explorer.ts";
import { generateChain } from "../../mocks/index.ts";

const chain = generateChain({ seed: "delayed", blocks: 200, transactions: 20_000, accounts: 4 });
const explorer = createExplorer({ chain });
const answers = new Map<string, Promise<Buffer>>();

async function answer(target: string): Promise<Buffer> {
  const headers = { "api-key": "key" };
  const response = await explorer.fetch(`${explorer.baseUrl}${target}`, { headers });
  return Buffer.from(await response.arrayBuffer());
}

const server = createServer((request, response) => {
  const target = request.url ?? "/";
  const ready = answers.get(target) ?? answer(target);
  answers.set(target, ready);
  setTimeout(async () => {
    const body = await ready;
    const headers = { "content-type": "application/json", "content-length": body.length };
    response.writeHead(200, headers).end(body);
  }, 30);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
