// What the port of the page refuses: other methods, names and origins, and paths that lead elsewhere.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createPage } from "../../mocks/port/page.ts";
import { lookEachTest } from "../inspect/served.ts";
import { temporaryFolder } from "../support/project.ts";
import { responsesTo } from "../support/raw-http.ts";

const look = lookEachTest();

describe("the port", () => {
  const ask = async (port: number, method: string, target: string, ...headers: string[]) => {
    const lines = [`${method} ${target} HTTP/1.1`, ...headers, "api-key: k", "", ""];
    const [response] = await responsesTo(port, lines.join("\r\n"));
    return response;
  };

  test("refuses views to pages of other origins", async () => {
    const { served } = await look({});
    const { port } = served;
    for (const target of ["/inspect/head", "/inspect/access", "/inspect/v1/blocks/0"])
      for (const [origin, status] of [
        ["http://evil.example", 403],
        ["null", 403],
        [`http://localhost:${port + 1}`, 403],
        [`http://localhost:${port}`, 200],
      ] as const) {
        const host = `Host: localhost:${port}`;
        const response = await ask(port, "GET", target, host, `Origin: ${origin}`);
        expect([target, origin, response?.status]).toEqual([target, origin, status]);
        const names = Object.keys(response?.headers ?? {});
        expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
        expect(response?.headers["x-content-type-options"]).toBe("nosniff");
        expect(response?.headers["cache-control"]).toBe("no-store");
      }
  });

  test("reads only: other methods are refused, also to a preflight", async () => {
    const { served } = await look({});
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      for (const target of ["/inspect/head", "/page/page.js"]) {
        const response = await ask(
          served.port,
          method,
          target,
          "Host: localhost",
          "Access-Control-Request-Method: GET",
        );
        expect([method, target, response?.status]).toEqual([method, target, 405]);
        expect(response?.headers.allow).toBe("GET, HEAD");
        expect(response?.headers["access-control-allow-origin"]).toBeUndefined();
      }
    const head = await fetch(`${served.url}/inspect/access`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("answers HEAD for the page, which is no near miss of a test", async () => {
    const { mock, served } = await look({});
    const head = await fetch(`${served.url}/`, { method: "HEAD" });
    expect(head.headers.get("content-type")).toMatch(/^text\/(html|plain)/);
    expect(mock.journal.count()).toBe(0);
  });

  test("tells nothing of admin without its token", async () => {
    const { served, get } = await look({}, { admin: true });
    const token = `${served.admin?.token}`;
    expect(served.pageUrl).toBe(`${served.url}/#token=${token}`);
    for (const target of ["/", "/inspect/access", "/inspect/head", "/inspect/overview"]) {
      const response = await fetch(`${served.url}${target}`, {
        headers: { accept: "text/html", "api-key": "k" },
      });
      const headers = JSON.stringify([...response.headers]);
      expect((await response.text()) + headers).not.toContain(token);
    }
    const admin = ["journal", "journal?limit=1", "faults"];
    for (const path of admin) expect((await get(`/admin/${path}`)).status).toBe(401);
    expect((await get("/inspect/access")).body).toMatchObject({ results: { admin: true } });
  });

  test("is where the links of wallets and tools to an Etherscan lead", async () => {
    const { served } = await look({});
    const follow = async (target: string, accept = "text/html,*/*") => {
      const url = `${served.url}${target}`;
      const { status, headers } = await fetch(url, { headers: { accept }, redirect: "manual" });
      return headers.get("location") ?? status;
    };
    const address = `0x${"aB".repeat(20)}`;
    const hash = `0x${"cD".repeat(32)}`;
    expect(await follow(`/address/${address}`)).toBe(`/#/contract/${address.toLowerCase()}`);
    expect(await follow(`/address/${address}/?tab=code`)).toBe(
      `/#/contract/${address.toLowerCase()}`,
    );
    expect(await follow(`/tx/${hash}`)).toBe(`/#/tx/${hash.toLowerCase()}`);
    expect(await follow(`/token/${address}`)).toBe(`/#/token/${address.toLowerCase()}`);
    expect(await follow("/block/5")).toBe("/#/block/5");
    expect(await follow(`/address/${address}`, "application/json")).toBe(404);
    for (const target of ["/address//evil.example", "/tx/0x12", `/tx/${hash}/x`, "/blocks/5"])
      expect([target, await follow(target)]).toEqual([target, 404]);
  });

  test("answers JSON to programs at /, and leaves the page out with page: false", async () => {
    const { served, get } = await look({}, { page: false });
    expect(served.pageUrl).toBeUndefined();
    for (const target of ["/", "/page/page.js", "/inspect/head", "/inspect/v1/blocks/0"]) {
      const response = await get(target, { headers: { accept: "text/html" } });
      expect([target, response.status]).toEqual([target, 404]);
      expect(response.body).toMatchObject({ message: expect.stringMatching(/^no operation at/) });
    }
    const withPage = await look({});
    expect(withPage.served.pageUrl).toBe(`${withPage.served.url}/`);
    expect(await withPage.get("/", { headers: { accept: "*/*" } })).toEqual(await get("/"));
  });
});

describe("the page's files", () => {
  const folder = temporaryFolder("page");
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(folder, "chunk-AB12CD34.js"), "export {};");
  writeFileSync(join(folder, "secret.pem"), "secret");
  const script = "import './chunk-AB12CD34.js';";
  writeFileSync(join(folder, "page.js.br"), brotliCompressSync(script));
  const page = createPage(folder);
  const ask = (target: string, headers: Record<string, string> = {}, method = "GET") =>
    page({ method, target, headers });

  test("come with a policy that runs only the page's own scripts, and nothing in line", () => {
    for (const target of ["/", "/?x=1", "/page/page.js", "/page/nothing.js"]) {
      const { headers } = ask(target);
      const policy = headers["content-security-policy"] ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|http/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
  });

  test("are kept for ever where their name is of their content, and asked about elsewhere", () => {
    expect(ask("/").headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      vary: "accept, accept-encoding",
    });
    expect(ask("/page/page.js").headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
    });
    expect(ask("/page/chunk-AB12CD34.js").headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    const { etag = "" } = ask("/").headers;
    expect(ask("/", { "if-none-match": etag }).status).toBe(304);
    expect(ask("/", { "if-none-match": `W/"x", ${etag}` }).status).toBe(304);
    expect(ask("/", { "if-none-match": '"x"' }).status).toBe(200);
  });

  test("are sent compressed as far as the browser takes it, and the build has it", () => {
    const plain = ask("/page/page.js");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toBe("accept-encoding");
    for (const [accepted, coding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", undefined],
      ["br;q=0.5", "br"],
      ["br;q=0, gzip;q=0.5", undefined],
      ["br ; q=0.0", undefined],
      ["identity, brotli", undefined],
      ["", undefined],
    ] as const) {
      const { headers, bytes } = ask("/page/page.js", { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"]]).toEqual([accepted, coding]);
      expect(bytes ? `${brotliDecompressSync(bytes)}` : plain.body).toBe(plain.body);
    }
    const alone = ask("/page/chunk-AB12CD34.js", { "accept-encoding": "br" });
    expect(alone.headers["content-encoding"]).toBeUndefined();
  });

  test("are those of the build, whatever the path", () => {
    for (const name of [
      "..%2findex.html",
      "../index.html",
      "%2e%2e/package.json",
      "..%2f..%2fpackage.json",
      "....//package.json",
      "/etc/passwd",
      "page.js/",
      "page.js%00",
      "secret.pem",
      "page.js.br",
      "constructor",
      "__proto__",
      "",
      "x".repeat(10_000),
    ]) {
      const response = ask(`/page/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(response.body.length).toBeLessThan(200);
    }
    expect(ask("/page/page.js?x=..", {}).status).toBe(200);
    expect(ask("/", {}, "POST").status).toBe(405);
  });

  test("are not there before they are built, which the page says", () => {
    const before = createPage(join(folder, "nothing"));
    const response = before({ method: "GET", target: "/", headers: {} });
    expect(response.status).toBe(404);
    expect(response.body).toContain("npm run build");
  });
});
