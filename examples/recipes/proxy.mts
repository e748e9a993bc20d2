// A proxy for browsers: it passes their requests to the explorer and adds the API key, which they never see.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const { EXPLORER_BASE_URL = "", EXPLORER_API_KEY = "", PORT = "8787" } = process.env;

/** Reading only. A1 reads with POST. */
const isAllowed = (method: string, path: string) =>
  (method === "GET" && path.startsWith("/v1/")) ||
  (method === "POST" && path === "/v1/accounts/balance");

/** What the client reads of a response besides its body. */
const passedOn = ["content-type", "retry-after", "ratelimit-reset", "x-ratelimit-reset"];

const failure = (status: number, message: string) =>
  Response.json({ status: `${status}`, message, results: null }, { status });

/** Answers a request below /api/explorer. */
export async function proxy(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/^\/api\/explorer(?=\/)/, "");
  if (!isAllowed(request.method, path)) return failure(404, "Not found");
  const response = await fetch(`${EXPLORER_BASE_URL.replace(/\/$/, "")}${path}${search}`, {
    method: request.method,
    headers: { "api-key": EXPLORER_API_KEY, "content-type": "application/json" },
    body: request.method === "POST" ? await request.text() : null,
    redirect: "manual",
    signal: request.signal,
  }).catch(() => failure(502, "The explorer does not answer"));
  if (response.status >= 300 && response.status < 400) return failure(502, "Unexpected redirect");
  const headers = passedOn.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  // Some services repeat the key in an error.
  const body = (await response.text()).replaceAll(EXPLORER_API_KEY, "[api-key]");
  return new Response(body, { status: response.status, headers: Object.fromEntries(headers) });
}

// Node's server around it. Next, Hono, Bun and Deno call `proxy` as it is.
const server = createServer(async (incoming, outgoing) => {
  const { method = "GET", url = "/" } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = method === "POST" ? Buffer.concat(chunks) : null;
  const response = await proxy(new Request(new URL(url, "http://localhost"), { method, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://127.0.0.1:${port}/api/explorer`);
});
