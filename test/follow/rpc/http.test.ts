// Requests to a node on connections that are kept, against real servers: redirects, and connections that were closed.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { RpcNode } from "../../../mocks/follow/rpc/node.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const ANSWER = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });

test("requests share connections", async () => {
  let connections = 0;
  const { url, server } = await serve((_, response) => response.end(ANSWER));
  server.on("connection", () => {
    connections += 1;
  });
  const node = new RpcNode(url, { retries: 0 });
  for (let call = 0; call < 20; call += 1) expect(await node.call("eth_chainId", [])).toBe("0x1");
  // The platform opens a second one ahead.
  expect(connections).toBeLessThanOrEqual(2);
});

test("a connection that the node closes while it is idle costs no retry", async () => {
  const { url, server } = await serve((_, response) => response.end(ANSWER));
  const node = new RpcNode(url, { retries: 0 });
  for (let call = 0; call < 5; call += 1) {
    expect(await node.call("eth_chainId", [])).toBe("0x1");
    server.closeAllConnections();
  }
});

test("a redirect of a POST is followed, and takes headers to no other origin", async () => {
  const seen: (string | undefined)[] = [];
  const { url: other } = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.end(ANSWER);
  });
  const { url } = await serve((request, response) => {
    seen.push(request.headers.authorization);
    const location = request.url === "/" ? "/rpc" : `${other}/rpc`;
    response.writeHead(307, { location }).end();
  });
  const node = new RpcNode(url, { headers: { authorization: "Bearer secret" }, retries: 0 });
  expect(await node.call("eth_chainId", [])).toBe("0x1");
  expect(seen).toEqual(["Bearer secret", "Bearer secret", undefined]);
});

test("redirects in a circle end", async () => {
  const { url } = await serve((_, response) => response.writeHead(308, { location: "/" }).end());
  await expect(new RpcNode(url, { retries: 0 }).call("eth_chainId", [])).rejects.toThrow(
    "more than 5 redirects",
  );
});

test.each([401, 403])("HTTP %i ends at once, whatever its body", async (status) => {
  let requests = 0;
  const { url } = await serve((_, response) => {
    requests += 1;
    const error = { code: -32600, message: "invalid project id" };
    response.writeHead(status).end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
  });
  const node = new RpcNode(url);
  const calls = [0, 1].map(() => ({ method: "eth_chainId", params: [] }));
  await expect(node.callAll(calls)).rejects.toThrow(`refused access (HTTP ${status}). What to do:`);
  expect(requests).toBe(1);
});

test("a node that repeats its address and headers tells nobody the secrets in them", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no project';
  const { url } = await serve(({ url, headers }, response) =>
    response.end(`${body} at ${url} for ${headers.authorization}"}}`),
  );
  const node = new RpcNode(`${url}/v2/0123456789abcdef?apikey=quiet-key`, {
    retries: 0,
    headers: { authorization: "Bearer hidden-token" },
  });
  const refused = await node.call("eth_chainId", []).catch((error: Error) => error.message);
  expect(refused).toContain("no project at /v2/[api-key]?apikey=[api-key] for ");
  expect(refused).not.toMatch(/0123456789|quiet-key|hidden-token/);
});
