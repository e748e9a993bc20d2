// Requests to a node over HTTP, against real servers: redirects, refusals, long responses and secrets.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { RpcError } from "../../../mocks/follow/rpc/errors.ts";
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

test("a redirect of a POST is followed on the node's origin, and to no other", async () => {
  const seen: unknown[] = [];
  const { url: other } = await serve((_, response) => {
    seen.push("another server");
    response.end(ANSWER);
  });
  const { url } = await serve(({ headers, url = "" }, response) => {
    seen.push(url, headers["x-key"]);
    if (url === "/rpc") response.end(ANSWER);
    else response.writeHead(307, { location: url === "/" ? "/rpc" : `${other}/?k=secret` }).end();
  });
  const options = { headers: { "x-key": "secret" }, retries: 0 };
  expect(await new RpcNode(url, options).call("eth_chainId", [])).toBe("0x1");
  expect(seen).toEqual(["/", "secret", "/rpc", "secret"]);
  await expect(new RpcNode(`${url}/away`, options).call("eth_chainId", [])).rejects.toThrow(
    `${url} redirects requests to ${other}. What to do: if you trust`,
  );
  expect(seen).not.toContain("another server");
});

test("a redirect that never ends is an error", async () => {
  const { url } = await serve(
    (_, response) => void response.writeHead(307, { location: "/" }).end(),
  );
  const node = new RpcNode(url, { retries: 0 });
  await expect(node.call("eth_chainId", [])).rejects.toThrow("received HTTP 307");
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
  // The second shows that the node refuses every method.
  expect(requests).toBe(calls.every(({ method }) => method === "eth_chainId") ? 1 : 2);
});

describe("a refusal of one method, as if the key were wrong, is that of the method", () => {
  const ask = async (refused: (method: string) => [status: number, body: string] | undefined) => {
    const { url } = await serve(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const body = JSON.parse(text);
      const calls: { id: number; method: string }[] = Array.isArray(body) ? body : [body];
      const [status, refusal] = calls.map(({ method }) => refused(method)).find(Boolean) ?? [];
      const results = calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }));
      response.writeHead(status ?? 200);
      response.end(refusal ?? JSON.stringify(Array.isArray(body) ? results : results[0]));
    });
    const calls = ["eth_getBlockByNumber", "trace_block", "eth_getBalance"];
    return new RpcNode(url, { retries: 0 }).callAll(
      calls.map((method) => ({ method, params: [] })),
    );
  };
  const whitelisted = JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32001, message: "rpc method is not whitelisted" },
  });

  test.each<[number, string]>([
    [403, whitelisted],
    [403, "<html>Forbidden</html>"],
    [403, '{"error":"debug methods not permitted"}'],
    [401, "custom trace not found in allowed custom traces"],
    [404, "Not Found"],
    [405, ""],
  ])("HTTP %i: %s", async (status, body) => {
    const answers = await ask((method) => (method === "trace_block" ? [status, body] : undefined));
    expect(answers.map((answer) => "result" in answer)).toEqual([true, false, true]);
    const error = Object(answers[1]).error;
    expect(new RpcError("trace_block", error).kind).toBe("unsupported");
  });

  test("and of every method, that of the key", async () => {
    await expect(
      ask(() => [403, whitelisted.replace("rpc method is not whitelisted", "invalid api key")]),
    ).rejects.toThrow("refused access (HTTP 403)");
  });
});

test("a response that is longer than the limit once it is decompressed is split, or refused for its call", async () => {
  const { url } = await serve(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const calls: { id: number; method: string }[] = Array.isArray(body) ? body : [body];
    const answers = calls.map(({ id, method }) => ({
      ...{ jsonrpc: "2.0", id },
      result: method === "eth_large" ? "x".repeat(2 ** 24) : "x".repeat(60_000),
    }));
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync(JSON.stringify(Array.isArray(body) ? answers : answers[0])));
  });
  const node = new RpcNode(url, { retries: 0, maxResponseBytes: 100_000 });
  const call = (method: string) => ({ method, params: [] });
  const small = await node.callAll([call("eth_small"), call("eth_small")]);
  expect(small.every((answer) => "result" in answer)).toBe(true);
  const [chainId, large] = await node.callAll([call("eth_chainId"), call("eth_large")]);
  expect(chainId).toHaveProperty("result");
  expect(Object(large).error.message).toMatch(/the body is longer than 100000 bytes/);
});

test.each<[string, (base: string) => string, secret: string]>([
  ["the password", (base) => base.replace("//", "//alice:p%40ss@"), "p@ss"],
  ["user and password", (base) => base.replace("//", "//alice:p%40ss@"), "alice:p@ss"],
  ["a user that is the key", (base) => base.replace("//", "//k3yuser@"), "k3yuser"],
  ["a long key in the path", (base) => `${base}/v2/0123456789abcdef`, "0123456789abcdef"],
  ["a short key in the path", (base) => `${base}/v3/ab12cd`, "ab12cd"],
  ["a key in the query", (base) => `${base}/?token=quiet`, "quiet"],
  ["a header", (base) => base, "hidden-token"],
])("%s shows in no message, also if the node repeats it", async (_, address, secret) => {
  const { url: base } = await serve(({ url, headers }, response) => {
    const message = `no project for ${secret} at ${url} with ${headers.authorization}`;
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message } }));
  });
  const headers = { authorization: "Bearer hidden-token" };
  const message = await new RpcNode(address(base), { retries: 0, headers })
    .call("eth_chainId", [])
    .catch((error: Error) => error.message);
  expect(message).toMatch(/no project fo.*\[api-key\] at \//);
  expect(message).not.toContain(secret);
  expect(message).not.toContain("hidden-token");
});
