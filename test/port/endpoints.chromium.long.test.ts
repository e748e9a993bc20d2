// What a page in a real browser can do to a port on this machine: call the service, and nothing else.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";

/** A web site on this machine, as another project's development server is. */
const site = createServer((_, response) => {
  response.setHeader("content-type", "text/html").end("<!doctype html><title>A page</title>");
});
const explorer = createExplorer();
const served = await serveExplorer(explorer, { admin: true });
let browser: Browser;

beforeAll(async () => {
  if (!hasChromium) return;
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  browser = await startChromium(["--host-resolver-rules=MAP *.example 127.0.0.1"]);
});
afterAll(async () => {
  await browser?.close();
  site.closeAllConnections();
  site.close();
  await served.close({ graceMs: 0 });
});

interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly mode?: "no-cors";
}

/** What a page got: the status and the text it may read, or that it may read nothing. */
const get = (page: Page, url: string, init: Init = {}) =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        return { type: response.type, status: response.status, text: await response.text() };
      } catch (error) {
        return { refused: String(error) };
      }
    },
    [url, init] as const,
  );

const refused = { refused: expect.stringContaining("Failed to fetch") };

test.skipIf(!hasChromium)(
  "a page of another origin reads the service, and not the admin API",
  async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    explorer.faults.add({ fault: "latency", ms: 0 });
    const read = await get(page, `${served.url}/v1/blocks/0`, { headers: { "api-key": "k" } });
    expect(read).toMatchObject({ type: "cors", status: 200 });
    const count = explorer.journal.count();

    const admin = `${served.url}/admin`;
    const token = { "admin-token": served.admin.token };
    const fault = { method: "POST", body: '{"fault":"reset"}' };
    expect(await get(page, `${admin}/journal`)).toEqual(refused);
    // Even a page that knows the token may send nothing with it.
    expect(await get(page, `${admin}/journal`, { headers: token })).toEqual(refused);
    expect(await get(page, `${admin}/faults`, { ...fault, headers: token })).toEqual(refused);
    // Without headers of its own it asks nobody, and sends blindly.
    for (const path of ["reset", "snapshot", "mine", "faults"]) {
      const opaque = await get(page, `${admin}/${path}`, { ...fault, mode: "no-cors" });
      expect(opaque).toEqual({ type: "opaque", status: 0, text: "" });
    }
    expect([explorer.faults.size, explorer.journal.count(), explorer.chain.head.number]).toEqual([
      1,
      count,
      0,
    ]);
    await page.close();
  },
);

test.skipIf(!hasChromium)("a page whose name was pointed here reads nothing at all", async () => {
  const page = await browser.newPage();
  const base = `http://rebound.example:${served.port}`;
  // To the browser this is one origin: the page may read what it gets, and send any header.
  await page.goto(`${base}/health`);
  for (const [path, headers] of [
    ["/v1/blocks/0", { "api-key": "k" }],
    ["/health", {}],
    ["/admin/journal", { "admin-token": served.admin.token }],
  ] as const) {
    // Its own document is a refusal, whose policy lets it ask nobody; the Host check refuses whoever does.
    expect(await get(page, `${base}${path}`, { headers })).toEqual(refused);
  }
  await page.close();
});
