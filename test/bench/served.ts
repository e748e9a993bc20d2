// A server to measure, in a process of its own: `explorer`, or a `switch` of node:http that returns
// the same bytes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { listChain } from "./list-chain.ts";

const [kind, ...targets] = process.argv.slice(2);
const explorer = createExplorer({ chain: listChain().chain });

/** The fastest that node:http can be: whole responses, ready to send. */
async function serveSwitch(): Promise<number> {
  const answers = new Map<string | undefined, Buffer>();
  for (const target of targets) {
    const answer = await explorer.fetch(`${explorer.baseUrl}${target}`, {
      headers: { "api-key": "k" },
    });
    answers.set(target, Buffer.from(await answer.arrayBuffer()));
  }
  const server = createServer((request, response) => {
    const body = answers.get(request.url);
    response.writeHead(body ? 200 : 404, {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "*",
      "content-length": body?.length ?? 0,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

console.log(kind === "switch" ? await serveSwitch() : (await serveExplorer(explorer)).port);
