// A proxy on Node's own server: it adds the API key, which pages never see.
import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createProxyHandler } from "mrc-explorer/proxy";

const handler = createProxyHandler();

async function answer(asked: IncomingMessage): Promise<Response> {
  const { method = "GET", url = "/", headers } = asked;
  const body = method === "POST" ? Readable.toWeb(asked) : null;
  const init = { method, headers: new Headers(headers as HeadersInit), body, duplex: "half" };
  return handler(new Request(`http://localhost${url}`, init as RequestInit));
}

const server = createServer(async (asked, answered) => {
  const response = await answer(asked).catch(() => new Response(null, { status: 400 }));
  answered.writeHead(response.status, Object.fromEntries(response.headers));
  answered.end(await response.bytes());
});
server.listen(Number(process.env.PORT ?? 8787), "127.0.0.1");
