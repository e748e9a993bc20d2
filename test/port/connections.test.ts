// HTTP at its edges on the port: pipelining, missing and unknown headers, other forms of a target, too many connections.
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import type { ServeOptions } from "../../mocks/port/options.ts";
import { bodiesBytes, MAX_BODIES_BYTES } from "../../mocks/port/request.ts";
import { abortSignalOf } from "../../mocks/port/send.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import { exchange, responsesIn, responsesTo } from "../support/raw-http.ts";

async function serving(
  run: (served: ServedExplorer) => Promise<void>,
  options: ServeOptions = {},
): Promise<void> {
  const served = await serveExplorer(createExplorer(), options);
  try {
    await run(served);
  } finally {
    await served.close({ graceMs: 100 });
  }
}

const block = (more = "") =>
  `GET /v1/blocks/0 HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\n${more}\r\n`;
const envelope = (status: number, message: string | RegExp) => ({
  status: `${status}`,
  message: expect.stringMatching(message),
  results: null,
});

describe("a valid request keeps its own response", () => {
  test.each([
    ["no HTTP", "garbage\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nx: ${"x".repeat(2 ** 14)}\r\n\r\n`, 431],
    [
      "a body with two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
  ])("when %s follows", (_, garbage, status) =>
    serving(async ({ port, explorer }) => {
      explorer.faults.add({ fault: "latency", ms: 50 });
      const received = await exchange(port, [block(), block(), garbage, garbage]);
      const { responses, rest } = responsesIn(received);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, status]);
      expect(JSON.parse(responses[2]?.body ?? "")).toEqual(envelope(status, /^request: /));
      expect(rest).toBe("");
    }),
  );

  test("and a broken body is answered at once", () =>
    serving(async ({ port }) => {
      const [response] = await responsesTo(
        port,
        "POST /v1/accounts/balance HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      );
      expect(response?.status).toBe(400);
    }));
});

test.each([
  ["GET /v1/blocks/0 HTTP/1.1\r\napi-key: k\r\n\r\n", 400, "Host: the header is missing"],
  [block("Expect: the-unexpected\r\n"), 417, "Expect: expected 100-continue"],
  [
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ...([405, "expected GET or POST, received CONNECT"] as const),
  ],
])("%j answers an envelope", (request, status, message) =>
  serving(async ({ port }) => {
    const [response] = await responsesTo(port, request);
    expect(response?.status).toBe(status);
    expect(JSON.parse(response?.body ?? "")).toEqual(envelope(status, message));
  }),
);

test("HTTP/1.0 needs no Host", () =>
  serving(async ({ port }) => {
    const [response] = await responsesTo(port, "GET /health HTTP/1.0\r\n\r\n");
    expect(response?.status).toBe(200);
  }));

test("the target may be a whole address, whose host counts", () =>
  serving(async ({ port, explorer }) => {
    const ask = async (target: string) => {
      const [response] = await responsesTo(
        port,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\n\r\n`,
      );
      return response?.status;
    };
    expect(await ask(`http://127.0.0.1:${port}/v1/blocks/0?a=1`)).toBe(200);
    expect(explorer.journal.entries[0]?.target).toBe("/v1/blocks/0?a=1");
    expect(await ask(`HTTP://localhost:${port}`)).toBe(404);
    expect(await ask("http://evil.example/v1/blocks/0")).toBe(403);
    expect(await ask("http://evil@localhost/v1/blocks/0")).toBe(403);
  }));

test("health answers GET and HEAD only", () =>
  serving(async ({ url }) => {
    const head = await fetch(`${url}/health?now`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await fetch(`${url}/health`, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(await response.json()).toEqual(envelope(405, `received ${method}`));
    }
  }));

test.each(["chunked", "Chunked", "gzip, chunked", "gzip", "identity"])(
  "a fault with the transfer-encoding %s has no content-length beside it",
  (coding) =>
    serving(async ({ port, explorer }) => {
      const headers = { "Transfer-Encoding": coding, "Content-Length": "3" };
      explorer.faults.add({ fault: "status", status: 503, headers });
      const received = await exchange(port, block("Connection: close\r\n"));
      const [head = "", body] = received.split("\r\n\r\n", 2);
      expect(head.toLowerCase()).toContain(`transfer-encoding: ${coding.toLowerCase()}`);
      expect(head.toLowerCase()).not.toContain("content-length");
      expect(body).toContain('"status":"503"');
    }),
);

test("connections above the limit are closed, with one warning", () =>
  serving(
    async ({ port }) => {
      const warn = vi.spyOn(console, "warn").mockReturnValue();
      const open = Array.from({ length: 6 }, () =>
        connect(port, "127.0.0.1").on("error", () => {}),
      );
      await expect.poll(() => open.filter(({ destroyed }) => destroyed).length).toBe(3);
      expect(warn.mock.calls).toEqual([
        [
          "mrc-explorer: 3 connections are open (maxConnections, --max-connections): further ones are closed",
        ],
      ]);
      for (const socket of open) socket.destroy();
      await vi.waitFor(async () =>
        expect(await exchange(port, block("Connection: close\r\n"))).toContain("200 OK"),
      );
    },
    { maxConnections: 3 },
  ));

test("of a connection, one request is in work at a time", async () => {
  let [inWork, most] = [0, 0];
  const source = async (_: unknown, body: string) => {
    most = Math.max(most, ++inWork);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inWork--;
    return { response: { status: 200, headers: {}, body }, notes: [] };
  };
  const explorer = createExplorer({ source: () => source });
  const served = await serveExplorer(explorer);
  const body = '{"addresses":["0x15d34aaf54267db7d7c367839aaf71a00a2c6a65"]}';
  const post = `POST /v1/accounts/balance HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const requests = Array.from({ length: 300 }, (_, index) => (index % 3 ? block() : post));
  const { responses, rest } = responsesIn(
    await exchange(served.port, [...requests, block("Connection: close\r\n")]),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(301).fill(200));
  expect([rest, most]).toEqual(["", 1]);
  expect(responses.slice(0, 3).map(({ body }) => body)).toEqual(["A1", "B1", "B1"]);
  await served.close({ graceMs: 0 });
});

test("bodies take bounded memory together: those beyond it are refused, and may come later", () =>
  serving(async ({ port }) => {
    const head = `POST /v1/accounts/balance HTTP/1.1\r\nHost: localhost\r\napi-key: k\r\nContent-Type: application/json\r\nContent-Length: ${2 ** 20}\r\n\r\n`;
    const most = MAX_BODIES_BYTES / 2 ** 20;
    const part = "x".repeat(2 ** 20 - 1);
    const open = Array.from({ length: most }, () => connect(port, "127.0.0.1"));
    for (const socket of open) {
      socket.on("error", () => {});
      socket.write(head + part);
    }
    await expect.poll(bodiesBytes).toBe(most * (2 ** 20 - 1));
    const [refused] = await responsesTo(port, `${head}${part}x`);
    expect(JSON.parse(refused?.body ?? "")).toEqual(envelope(503, /^the bodies of all requests/));
    for (const socket of open) socket.destroy();
    await expect.poll(bodiesBytes).toBe(0);
    const [served] = await responsesTo(port, `${head}${part}x`);
    expect(served?.status).toBe(400);
  }));

test("a signal for a response whose client has gone is aborted, so that its submission never compiles", async () => {
  let resolveAborted = (_: boolean) => {};
  const aborted = new Promise<boolean>((resolve) => {
    resolveAborted = resolve;
  });
  const server = createServer((_, response) =>
    response.once("close", () => resolveAborted(abortSignalOf(response).aborted)),
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect(Object(server.address()).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", () => socket.destroy());
  expect(await aborted).toBe(true);
});
