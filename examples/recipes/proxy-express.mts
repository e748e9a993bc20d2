// A proxy in Express 5: it adds the API key, which pages never see. Keep it above express.json(),
// which would read the body.
import { Readable } from "node:stream";
import express from "express";
import { createProxyHandler } from "mrc-explorer/proxy";

const handler = createProxyHandler();
const app = express();

app.all("/api/explorer/*path", async (asked, answered) => {
  const body = asked.method === "POST" ? Readable.toWeb(asked) : null;
  const headers = new Headers(asked.headers as HeadersInit);
  const init = { method: asked.method, headers, body, duplex: "half" } as RequestInit;
  const response = await handler(new Request(`http://localhost${asked.originalUrl}`, init));
  answered.writeHead(response.status, Object.fromEntries(response.headers));
  answered.end(await response.bytes());
});
app.listen(Number(process.env.PORT ?? 8787), "127.0.0.1");
