// Connections by the thousand, those whose request arrives too slowly, and those whose response nobody reads.
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { exchange, responsesIn } from "../support/raw-http.ts";

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

test.concurrent("a response that nobody reads for 30 s ends with its connection, and those after it are not computed", async () => {
  const explorer = createExplorer();
  explorer.faults.add({ fault: "failure", message: "x", results: "x".repeat(60_000) });
  const served = await serveExplorer(explorer);
  const socket = connect(served.port, "127.0.0.1").on("error", () => {});
  try {
    const began = performance.now();
    // More than the buffers on the way can hold.
    socket
      .pause()
      .write("GET /v1/blocks/0 HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\n\r\n".repeat(2000));
    await expect.poll(() => explorer.journal.count()).toBeGreaterThan(1);
    // A client that takes nothing learns of the end by what it sends.
    const isClosed = () => {
      socket.write("\r\n");
      return socket.destroyed;
    };
    await expect.poll(isClosed, { timeout: 300_000, interval: 500 }).toBe(true);
    expect((performance.now() - began) / 1000).toBeGreaterThan(29);
    expect(explorer.journal.count()).toBeLessThan(2000);
  } finally {
    socket.destroy();
    await served.close({ graceMs: 100 });
  }
});

/** Sends requests one after the other on one connection; the number of those that were answered when it ended. */
const answeredOn = (port: number, requests: number): Promise<number> =>
  new Promise((resolve) => {
    let answered = 0;
    const socket = connect(port, "127.0.0.1");
    const next = () =>
      socket.write("GET /v1/blocks/0 HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\n\r\n");
    socket.on("connect", next);
    socket.on("data", (bytes) => {
      // A response is one packet, and begins with its status.
      if (bytes.toString("latin1").startsWith("HTTP/1.1 200")) answered += 1;
      if (answered < requests) next();
      else socket.end();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answered));
  });

test("2,000 connections with 50,000 requests are answered, and none is reset", async () => {
  const served = await serveExplorer(createExplorer());
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  try {
    const all = Array.from({ length: 2000 }, () => answeredOn(served.port, 25));
    expect(new Set(await Promise.all(all))).toEqual(new Set([25]));
    expect(warn).not.toHaveBeenCalled();
  } finally {
    await served.close({ graceMs: 100 });
  }
});
