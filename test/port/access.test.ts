// Who may use the admin API, and what it refuses to keep.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer, type ExplorerOptions, serviceOf } from "../../mocks/explorer.ts";
import type { ServeOptions } from "../../mocks/port/options.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import { rawAdmin } from "../support/raw-admin.ts";
import { responsesTo } from "../support/raw-http.ts";

const story = buildChain();
story.account({ balance: coins(10) });
story.mine();

type Served = Omit<ServedExplorer, "admin"> & { readonly admin: ReturnType<typeof rawAdmin> };
const open: ServedExplorer[] = [];
afterEach(async () => {
  syncBuiltinESMExports();
  for (const served of open.splice(0)) await served.close({ graceMs: 0 });
});

async function served(
  explorerOptions: ExplorerOptions = {},
  options: ServeOptions = {},
): Promise<Served> {
  const explorer = createExplorer({ chain: story.chain.fork(), ...explorerOptions });
  const one = await serveExplorer(explorer, { ...options, admin: true });
  open.push(one);
  return { ...one, admin: rawAdmin(one) };
}

const corsOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("the token", () => {
  test("is asked for below /admin, and no page of another origin may read the response", async () => {
    const { url, admin, explorer } = await served();
    const reset = vi.spyOn(serviceOf(explorer), "reset");
    const timingSafeEqual = vi.spyOn(crypto, "timingSafeEqual");
    syncBuiltinESMExports();
    const token = { "admin-token": admin.token };
    const json = { "content-type": "application/json" };
    const foreign = { origin: "http://localhost:3000" };
    const cases: [string, string, RequestInit, number][] = [
      ["POST", "reset", {}, 401],
      ["POST", "reset", { headers: { "admin-token": "x" } }, 401],
      ["POST", "reset", { headers: { "admin-token": `${admin.token}0` } }, 401],
      ["POST", "reset", { headers: { "admin-token": "x".repeat(admin.token.length) } }, 401],
      ["GET", "journal", { headers: { "api-key": admin.token } }, 401],
      ["GET", "nothing", {}, 401],
      ["OPTIONS", "reset", { headers: { "access-control-request-method": "POST" } }, 401],
      ["POST", "reset", { headers: { ...token, ...foreign } }, 403],
      ["POST", "reset", { headers: { ...token, origin: "null" } }, 403],
      ["POST", "reset", { headers: { ...token, origin: `http://evil.${new URL(url).host}` } }, 403],
      ["POST", "reset", { headers: { ...token, origin: `http://x${new URL(url).host}` } }, 403],
      ["POST", "reset", { headers: { ...token, origin: `${url}.evil.example` } }, 403],
      ["POST", "reset", { headers: { ...token, origin: url.replace("http", "https") } }, 403],
      ["GET", "nothing", { headers: token }, 404],
      ["GET", "constructor", { headers: token }, 404],
      ["POST", "faults", { headers: token, body: "{}" }, 415],
      ["POST", "faults", { headers: { ...token, "content-type": "text/plain" }, body: "{}" }, 415],
      ["POST", "faults", { headers: { ...token, ...json }, body: "{" }, 400],
      ["GET", "journal", { headers: token }, 200],
    ];
    for (const [method, path, init, status] of cases) {
      const response = await fetch(`${url}/admin/${path}`, { method, ...init });
      expect([method, path, init, response.status]).toEqual([method, path, init, status]);
      expect(corsOf(response)).toEqual([]);
      expect(await response.text()).not.toContain(admin.token);
    }
    expect(reset).not.toHaveBeenCalled();
    // In constant time, whatever its length: what is compared are hashes.
    const compared = timingSafeEqual.mock.calls.flat();
    expect(new Set(compared.map(({ byteLength }) => byteLength))).toEqual(new Set([32]));
    expect(compared.length).toBeGreaterThan(6);
    await fetch(`${url}/admin/reset`, { method: "POST", headers: { ...token, origin: url } });
    expect(reset).toHaveBeenCalledOnce();
  });

  test("is checked before a body is read", async () => {
    const { port } = await served();
    const announced = "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    const [response] = await responsesTo(
      port,
      `POST /admin/faults HTTP/1.1\r\nHost: localhost\r\nadmin-token: wrong-token\r\n${announced}`,
    );
    expect(response?.status).toBe(401);
  });

  test("is asked for alone: an api-key is not", async () => {
    const { url, admin } = await served({ apiKeys: ["listed"] });
    for (const key of [{}, { "api-key": "listed" }, { "api-key": "other" }]) {
      const headers = { "admin-token": admin.token, ...key };
      expect((await fetch(`${url}/admin/journal`, { headers })).status).toBe(200);
    }
  });

  test("is random, or the one that is given", async () => {
    const [one, other, given] = [
      await served(),
      await served(),
      await served({}, { adminToken: "open-sesame" }),
    ];
    expect(one.admin.token).toMatch(/^[0-9a-f]{32}$/);
    expect(one.admin.token).not.toBe(other.admin.token);
    expect(await given.admin.call("GET faults")).toEqual({ faults: [] });
    expect(given.admin.token).toBe("open-sesame");
    const short = serveExplorer(given.explorer, { adminToken: "sesame" });
    await expect(short).rejects.toThrow(
      /^serveExplorer: adminToken: expected 8 or more printable ASCII characters without spaces$/,
    );
  });
});

test("names that could be rebound are refused on the whole port", async () => {
  const { port, admin } = await served({}, { allowedHosts: ["Explorer.test"] });
  const ask = async (host: string, target: string) => {
    const [response] = await responsesTo(
      port,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\napi-key: k\r\nadmin-token: ${admin.token}\r\n\r\n`,
    );
    return response;
  };
  const etherscan = "/etherscan/api?module=contract&action=getabi";
  const own = [
    "localhost",
    "localhost.",
    "a.b.LOCALHOST:80",
    "127.0.0.2:1",
    "[::1]:80",
    "10.1.2.3",
  ];
  const foreign = [
    ...["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a@localhost", "%31"],
    ...["notlocalhost", "localhost..", ".localhost.a"],
  ];
  const data = ["/v1/blocks/1", "/health", "/admin/journal", etherscan, "/inspect/head"];
  for (const target of [...data, "/", "/page/page.js"]) {
    // The page may not be built.
    for (const host of data.includes(target) ? [...own, "explorer.test:9"] : [])
      expect((await ask(host, target))?.status, `${host} ${target}`).toBe(200);
    for (const host of foreign) {
      const response = await ask(host, target);
      expect(response?.status, `${host} ${target}`).toBe(403);
      expect(response?.headers["access-control-allow-origin"]).toBeUndefined();
      expect(JSON.parse(response?.body ?? "").message).toContain("--allowed-host");
    }
  }
});

describe("tenants", () => {
  test("unknown keys take no place", async () => {
    const { url, admin, explorer } = await served({ tenant: "api-key", apiKeys: ["one", "two"] });
    const copies = vi.spyOn(explorer.chain, "fork");
    for (const apiKey of ["three", "four"]) {
      await expect(admin.call("GET journal", undefined, { apiKey })).rejects.toThrow(
        "not a known key",
      );
      const headers = { "api-key": apiKey };
      expect((await fetch(`${url}/v1/blocks/1`, { headers })).status).toBe(401);
      expect(() => explorer.tenant(apiKey)).toThrow("not a known key");
    }
    expect(copies).not.toHaveBeenCalled();
    await admin.call("GET journal", undefined, { apiKey: "one" });
    expect(copies).toHaveBeenCalledOnce();
  });

  test("one tenant's reset is its own", async () => {
    const { admin, explorer } = await served({ tenant: "api-key" });
    const [one, other] = [{ apiKey: "one" }, { apiKey: "other" }];
    const snapshot = await admin.call("POST snapshot", undefined, other);
    await admin.call("POST mine", { blocks: 3 });
    for (const options of [one, other]) {
      await admin.call("POST mine", { blocks: 2 }, options);
      await admin.call("POST faults", { fault: "reset" }, options);
      const { fetch, baseUrl } = explorer.tenant(options.apiKey);
      await fetch(`${baseUrl}/v1/x`);
    }
    const state = (apiKey: string) => {
      const { chain, faults, journal } = explorer.tenant(apiKey);
      return [chain.head.number, faults.size, journal.count()];
    };
    expect([state("one"), state("other")]).toEqual([
      [6, 1, 1],
      [3, 1, 1],
    ]);
    await admin.call("POST reset", undefined, one);
    expect([state("one"), state("other"), explorer.chain.head.number]).toEqual([
      [4, 0, 0],
      [3, 1, 1],
      4,
    ]);
    await admin.call("POST restore", snapshot, other);
    expect([state("one"), state("other")]).toEqual([
      [4, 0, 0],
      [1, 0, 0],
    ]);
  });
});

/** JSON of that many arrays in each other. */
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

describe("what is too deep or too large is refused before it is kept", () => {
  const faultWith = (value: string) => `{"fault":"field","path":"data","value":${value}}`;
  test.each([
    ["200,000 levels", faultWith(nested(200_000)), 400, "deeper than 64 levels"],
    ["2 MB", faultWith(`"${"x".repeat(2_000_000)}"`), 413, "larger than"],
    ["1001 faults", `[${'{"fault":"empty"},'.repeat(1000)}{"fault":"empty"}]`, 400, "at most 1000"],
  ])("a fault with %s", async (_, body, status, message) => {
    const { url, admin, explorer } = await served();
    const headers = { "admin-token": admin.token, "content-type": "application/json" };
    const response = await fetch(`${url}/admin/faults`, { method: "POST", headers, body });
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(text).toContain(message);
    expect(text.length).toBeLessThan(10_000);
    expect(explorer.faults.size).toBe(0);
    const block = await fetch(`${url}/v1/blocks/1`, { headers: { "api-key": "k" } });
    expect(block.status).toBe(200);
  });
});

describe("mining", () => {
  test("lets other callers have their turn", async () => {
    const { url, admin, explorer } = await served();
    let mined = false;
    const mining = admin.call("POST mine", { blocks: 20_000 }).then(() => {
      mined = true;
    });
    await expect.poll(() => explorer.chain.head.number).toBeGreaterThan(10);
    const heads: number[] = [];
    while (!mined) {
      const { head } = await (await fetch(`${url}/health`)).json();
      heads.push(Number(head));
    }
    await mining;
    expect(explorer.chain.head.number).toBe(20_001);
    expect(heads.filter((head) => head < 20_001).length).toBeGreaterThan(5);
  });

  test("ends when its caller is gone, or the chain is set back", async () => {
    const { url, admin, explorer } = await served();
    const stop = new AbortController();
    const gone = fetch(`${url}/admin/mine`, {
      method: "POST",
      headers: { "admin-token": admin.token, "content-type": "application/json" },
      body: '{"blocks":100000}',
      signal: stop.signal,
    });
    await expect.poll(() => explorer.chain.head.number).toBeGreaterThan(10);
    stop.abort();
    await expect(gone).rejects.toThrow("aborted");
    const settled = async () => {
      const { number } = explorer.chain.head;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return explorer.chain.head.number === number;
    };
    await expect.poll(() => settled()).toBe(true);
    expect(explorer.chain.head.number).toBeLessThan(100_000);

    const refused = expect(admin.call("POST mine", { blocks: 100_000 })).rejects.toThrow(
      /set back after \d+ of 100000 blocks/,
    );
    const { number } = explorer.chain.head;
    await expect.poll(() => explorer.chain.head.number).toBeGreaterThan(number);
    await admin.call("POST reset");
    await refused;
    expect(explorer.chain.head.number).toBe(1);
  });
});

test("the snapshots used last are kept", async () => {
  const { admin } = await served();
  const first = await admin.call("POST snapshot");
  const second = await admin.call("POST snapshot");
  for (let count = 0; count < 99; count++) {
    await admin.call("POST snapshot");
    await admin.call("POST restore", first);
  }
  await admin.call("POST restore", first);
  await expect(admin.call("POST restore", second)).rejects.toThrow(
    "no snapshot 2; the 100 used last are kept",
  );
});
