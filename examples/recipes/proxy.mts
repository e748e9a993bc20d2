// A proxy for browsers, on Node's own server: it passes their requests to the explorer and adds the API key, which they never see.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createProxyHandler } from "mrc-explorer/proxy";

// EXPLORER_BASE_URL and EXPLORER_API_KEY say where to, and with which key.
const handler = createProxyHandler();

const server = createServer(async (incoming, outgoing) => {
  const { headers, method = "GET", url = "/" } = incoming;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const response = await handler(
    new Request(new URL(url, "http://localhost"), {
      method,
      headers: { origin: headers.origin ?? "" },
      body: method === "POST" ? new Blob(chunks) : null,
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});
server.listen(Number(process.env.PORT ?? 8787), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://127.0.0.1:${port}/api/explorer`);
});
