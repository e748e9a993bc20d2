// A connection whose request arrives too slowly.
import { expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/server/server.ts";
import { exchange, responsesIn } from "../support/raw-http.ts";

test("headers that arrive too slowly are answered after 10 s, and the connection ends", async () => {
  const served = await serveExplorer(createExplorer());
  try {
    const began = performance.now();
    const received = await exchange(served.port, "GET /health HTTP/1.1\r\nHost: localhost\r\n");
    const seconds = (performance.now() - began) / 1000;
    expect(JSON.parse(responsesIn(received).responses[0]?.body ?? "")).toEqual({
      status: "408",
      message: expect.stringContaining("request"),
      results: null,
    });
    expect(seconds).toBeGreaterThan(9);
  } finally {
    await served.close({ graceMs: 100 });
  }
});
