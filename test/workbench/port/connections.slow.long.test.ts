// Connections whose request arrives too slowly.
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import { serveExplorer } from "../../../mocks/workbench/port/server.ts";
import { exchange, responsesIn } from "../../support/raw-http.ts";

const head = "POST /v1/accounts/balance HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\n";
const body = `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

test.concurrent.each([
  ["headers", 10, "GET /health HTTP/1.1\r\nHost: localhost\r\n"],
  ["a body", 30, body],
])("%s not here after %i s: the connection gets a 408, and ends", async (_, limit, sent) => {
  const served = await serveExplorer(createExplorer());
  try {
    const began = performance.now();
    const received = await exchange(served.port, sent);
    const seconds = (performance.now() - began) / 1000;
    expect(JSON.parse(responsesIn(received).responses[0]?.body ?? "")).toEqual({
      status: "408",
      message: expect.stringContaining("request"),
      results: null,
    });
    expect(seconds).toBeGreaterThan(limit - 1);
  } finally {
    await served.close({ graceMs: 100 });
  }
});
