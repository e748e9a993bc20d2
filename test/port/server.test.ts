// The explorer on a port: CORS, health, the admin API, and how it ends.
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { blockedPort } from "../../mocks/port/blocked-ports.ts";
import type { ServeOptions } from "../../mocks/port/options.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";

const story = buildChain();
story.account({ balance: coins(10) });
story.mine();

async function serving(
  run: (served: ServedExplorer) => Promise<void>,
  options: ServeOptions = {},
): Promise<void> {
  const served = await serveExplorer(createExplorer({ chain: story.chain.fork() }), options);
  try {
    await run(served);
  } finally {
    await served.close({ graceMs: 100 });
  }
}

const headers = { "api-key": "k" };

test("any page may call: CORS is open, in the preflight and in every response", () =>
  serving(async ({ url }) => {
    const preflight = await fetch(`${url}/v1/accounts/balance`, {
      method: "OPTIONS",
      headers: {
        origin: "https://dapp.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "api-key,content-type,x-mine",
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "api-key,content-type,x-mine",
      "access-control-allow-methods": "GET, POST",
    });
    for (const path of ["/v1/blocks/1", "/v1/nothing", "/health"]) {
      const answer = await fetch(`${url}${path}`, { headers });
      expect(answer.headers.get("access-control-allow-origin"), path).toBe("*");
    }
  }));

test("health needs no key and has the head", () =>
  serving(async ({ url, explorer }) => {
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", head: "1" });
    expect(explorer.journal.count()).toBe(0);
  }));

test("it closes gracefully: the pending response is sent, new connections are refused", () =>
  serving(async ({ url, explorer, close }) => {
    explorer.faults.add({ fault: "drip", bytes: 30, everyMs: 10 });
    const answer = await fetch(`${url}/v1/blocks/1`, { headers });
    const closed = close();
    expect((await answer.json()).results.data.block_number).toBe("1");
    await closed;
    await expect(fetch(`${url}/v1/blocks/1`, { headers })).rejects.toThrow();
  }));

test("`await using` closes it at the end of the block", async () => {
  let url: string;
  {
    await using served = await serveExplorer(createExplorer({ chain: story.chain.fork() }));
    url = `${served.url}/health`;
    expect((await fetch(url)).status).toBe(200);
  }
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("a connection that is kept alive does not hold up the end", () =>
  serving(async ({ url, explorer, close }) => {
    explorer.faults.add({ fault: "latency", ms: 50 });
    const answer = fetch(`${url}/v1/blocks/1`, { headers });
    await expect.poll(() => explorer.journal.count()).toBe(1);
    // Far longer than the test may take.
    await close({ graceMs: 3_600_000 });
    expect((await answer).status).toBe(200);
  }));

test.each(["é", "€", "😀"])("a long body of %s has its length in bytes", (character) =>
  serving(async ({ url, explorer }) => {
    const message = character.repeat(60_000 / character.length);
    explorer.faults.add({ fault: "failure", message });
    const response = await fetch(`${url}/v1/blocks/0`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(`${bytes.length}`);
    expect(JSON.parse(bytes.toString())).toMatchObject({ message });
  }),
);

test("nothing waits for a response whose client is gone", () =>
  serving(async ({ url, explorer, close }) => {
    explorer.faults.add({ fault: "latency", ms: 3_600_000 });
    const answer = fetch(`${url}/v1/blocks/1`, { headers });
    await expect.poll(() => explorer.journal.count()).toBe(1);
    await close({ graceMs: 0 });
    await expect(answer).rejects.toThrow();
    await expect.poll(() => explorer.journal.entries[0]?.status).toBe(200);
  }));

describe("the admin API", () => {
  const admin =
    ({ url, admin }: ServedExplorer) =>
    async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/admin/${path}`, {
        method,
        headers: {
          ...headers,
          "admin-token": admin?.token ?? "",
          "content-type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, answer: await response.json() };
    };

  test("is off by default", () =>
    serving(async (served) => {
      const { status, answer } = await admin(served)("POST", "reset");
      expect([status, answer.message]).toEqual([404, expect.stringContaining("is off")]);
      expect(served.admin).toBeUndefined();
    }));

  test.each([
    ["POST", "mine", { blocks: -1 }, 400, "blocks"],
    ["POST", "mine", { block: 3 }, 400, "block: expected one of blocks, miner"],
    ["POST", "mine", "x", 400, "expected a JSON object, received a string"],
    ["POST", "restore", { snapshot: "9" }, 404, "no snapshot 9"],
    ["POST", "faults", { fault: "reste" }, 400, "did you mean reset?"],
    ["GET", "mine", undefined, 405, "expected POST, received GET"],
    ["POST", "mime", {}, 404, "did you mean mine, POST /admin/mine?"],
  ])("%s %s of %j is refused with a reason", (method, path, body, status, reason) =>
    serving(
      async (served) => {
        const got = await admin(served)(method, path, body);
        expect([got.status, got.answer.message]).toEqual([status, expect.stringContaining(reason)]);
      },
      { admin: true },
    ),
  );
});

test("it refuses the ports that fetch refuses, and no others near them", async () => {
  const explorer = createExplorer({ chain: story.chain.fork() });
  await expect(serveExplorer(explorer, { port: 6000 })).rejects.toThrow(
    "port 6000: fetch and browsers refuse",
  );
  const isBlocked = async (port: number) => {
    const reason = await fetch(`http://127.0.0.1:${port}`, {
      method: "HEAD",
      signal: AbortSignal.timeout(10_000),
    }).catch((error: Error) => error.cause);
    return reason instanceof Error && reason.message === "bad port";
  };
  const all = Array.from({ length: 65_536 }, (_, port) => port);
  const blocked = all.filter((port) => blockedPort(port) !== undefined);
  expect(blocked).toHaveLength(82);
  expect(blockedPort(1717)).toBeUndefined();
  const near = new Set(blocked.flatMap((port) => [port - 1, port, port + 1]));
  for (const port of near)
    expect([port, blockedPort(port) !== undefined]).toEqual([port, await isBlocked(port)]);
});

test.each([
  [{ host: "" }, "host: expected an address to listen on"],
  [{ allowedHosts: ["*"] }, "allowedHosts.0: expected the name of a host, without a port or a *"],
  [{ allowedHosts: ["a:1"] }, "allowedHosts.0: expected"],
  [{ maxConnections: 0 }, "maxConnections: expected an integer of 1 or more"],
])("%j is refused as a mistake", async (options, message) => {
  await expect(serveExplorer(createExplorer(), options)).rejects.toThrow(message);
});

test("other machines reach nothing, unless the host is one of the network", async () => {
  // An address that is not the one it listens on: of the network, or the loopback's second.
  const addresses = Object.values(networkInterfaces()).flat();
  const found = addresses.find((one) => one?.internal === false && one.family === "IPv4");
  const other = found?.address ?? "127.0.0.2";
  const host = "0.0.0.0";
  const [here, everywhere, withAdmin] = [
    await serveExplorer(createExplorer()),
    await serveExplorer(createExplorer(), { host }),
    await serveExplorer(createExplorer(), { host, admin: true }),
  ];
  const statusFrom = async ({ port }: ServedExplorer, target: string, headers = {}) =>
    (await fetch(`http://${other}:${port}${target}`, { headers: { "api-key": "k", ...headers } }))
      .status;
  await expect(statusFrom(here, "/health")).rejects.toThrow("fetch failed");
  for (const target of ["/health", "/v1/blocks/0", "/inspect/head"])
    expect([target, await statusFrom(everywhere, target)]).toEqual([target, 200]);
  expect(await statusFrom(everywhere, "/admin/journal")).toBe(404);
  const token = { "admin-token": withAdmin.admin.token };
  expect(await statusFrom(withAdmin, "/admin/journal")).toBe(401);
  expect(await statusFrom(withAdmin, "/admin/journal", token)).toBe(200);
  for (const served of [here, everywhere, withAdmin]) await served.close({ graceMs: 0 });
});

test("a key in a query is in no journal, and logs have every request of the port", async () => {
  const lines: string[] = [];
  const explorer = createExplorer({
    onRequest: ({ number, method, target, status }) =>
      lines.push(`${number} ${method} ${target} ${status}`),
  });
  const served = await serveExplorer(explorer, { admin: true });
  const ask = async (target: string) => {
    await (await fetch(`${served.url}${target}`, { headers: { "api-key": "k" } })).text();
  };
  await ask("/v1/blocks/0?a%70ikey=secret-secret&x=1");
  await ask("/health?key=secret-secret");
  await ask("/inspect/head");
  await ask("/admin/journal");
  expect(lines).toEqual([
    "1 GET /v1/blocks/0?a%70ikey=[api-key]&x=1 200",
    "0 GET /health?key=[api-key] 200",
    "0 GET /inspect/head 200",
    "0 GET /admin/journal 401",
  ]);
  expect(explorer.journal.entries.map(({ target }) => target).join()).not.toContain("secret");
  await served.close({ graceMs: 0 });
});
