// The page in a real browser: built from its sources, for a service of the test. It notes errors,
// dialogs and foreign requests.
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type Explorer, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { createPage, isOfPage } from "../../mocks/port/page.ts";
import { send } from "../../mocks/port/send.ts";
import { hasChromium, startChromium } from "./chromium.ts";

const configFile = fileURLToPath(new URL("../../vite.config.ts", import.meta.url));

/** Builds the page into a folder of its own: `dist` belongs to whoever builds the package. */
export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "mrc-explorer-page-"));
  await build({ configFile, logLevel: "error", build: { outDir } });
  return outDir;
}

/** A visit to the page. */
export interface Visit {
  readonly page: Page;
  /** Where the built page is. */
  readonly folder: string;
  /** Goes to a view by its address, "#/block/5", and waits until it has loaded. */
  open(address: string): Promise<void>;
  /** Waits until nothing on the page is on its way. */
  settled(): Promise<void>;
  /** The text of the first place that a selector names, as people read it, on one line. */
  text(selector: string): Promise<string>;
  /** The texts of all places that a selector names, likewise. */
  texts(selector: string): Promise<readonly string[]>;
  /** Returns by how many pixels the view is wider than the screen. */
  wider(): Promise<number>;
  /** Waits until so many rows are shown. */
  rows(count: number): Promise<void>;
  /** Errors, violations of the policy, and requests that leave the service: none may happen. */
  readonly problems: readonly string[];
  /** The violations that axe finds on the view; of these rules, if given. */
  violations(rules?: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Shorter than the limit of a test, so that a failure names what was waited for. */
export const patience = { timeout: 30_000 };

/** Chromium logs each response with an error status, which the page shows by itself. */
const refused = /^Failed to load resource: the server responded with a status of/;

/** With the token of the admin API where there is one. */
export async function visitPage(
  browser: Browser,
  folder: string,
  { url, admin }: Pick<ServedExplorer, "url" | "admin">,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const problems: string[] = [];
  const files = createPage(folder);
  await context.route(
    (address) => address.pathname === "/" || address.pathname.startsWith("/page/"),
    async (route) => {
      const target = new URL(route.request().url()).pathname;
      const request = { method: "GET", target, headers: { accept: "text/html" } };
      const { status, headers, body } = files(request);
      await route.fulfill({ status, headers, body });
    },
  );
  const page = await context.newPage();
  const token = admin?.token ?? "";
  if (admin)
    await page.addInitScript((it) => sessionStorage.setItem("explorer-admin-token", it), token);
  page.on("pageerror", ({ message }) => problems.push(`error: ${message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !refused.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !/^(data|blob):/.test(address))
      problems.push(`request: ${address}`);
  });
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, " ").trim(),
    );
  const settled = async () => {
    await page
      .locator("main h1, main .failure")
      .first()
      .waitFor({ ...patience, state: "attached" });
    await expect.poll(() => page.locator(".skeleton").count(), patience).toBe(0);
  };
  return {
    page,
    folder,
    problems,
    settled,
    texts,
    text: async (selector) => (await texts(selector))[0] ?? "",
    wider: () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    async rows(count) {
      await expect.poll(() => page.locator("tbody tr").count(), patience).toBe(count);
    },
    async open(address) {
      // `goto` does not wait for the new view of an address with another hash, and the old view
      // would look settled.
      await page.evaluate((hash) => {
        const isSame = new URL(hash, location.href).hash === location.hash;
        const followed = isSame
          ? undefined
          : new Promise((resolve) => {
              addEventListener("hashchange", () => setTimeout(resolve), { once: true });
            });
        Object.assign(globalThis, { followed });
      }, address);
      await page.goto(`${url}/${address}`);
      await page.evaluate(() => Reflect.get(globalThis, "followed"));
      await settled();
    },
    async violations(rules) {
      await page.evaluate(`window.axe ??= (() => { ${axe.source}; return window.axe; })()`);
      const options = JSON.stringify({
        resultTypes: ["violations"],
        ...(rules ? { runOnly: rules } : {}),
      });
      const results = await page.evaluate(`axe.run(${options})`);
      const { violations } = Object(results);
      return (violations as axe.Result[]).map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
      );
    },
    close: () => context.close(),
  };
}

/** One visit for all tests of a file; closes the explorer when they have ended. */
export function visitOnce(
  served: Pick<ServedExplorer, "url" | "close" | "admin">,
  receive: (visit: Visit) => void,
  options?: BrowserContextOptions,
): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!hasChromium) return;
    const folder = await buildPage();
    browser = await startChromium();
    receive(await visitPage(browser, folder, served, options));
  });
  afterAll(async () => {
    await browser?.close();
    await served.close({ graceMs: 0 });
  });
}

/** Returns a function that serves an explorer and visits its page, both until the test ends. */
export function pageOpener() {
  let folder = "";
  let browser: Browser;
  beforeAll(async () => {
    if (!hasChromium) return;
    folder = await buildPage();
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  return async (mock: Explorer, options?: Parameters<typeof serveExplorer>[1]) => {
    const served = await serveExplorer(mock, options);
    const visit = await visitPage(browser, folder, served);
    onTestFinished(async () => {
      await visit.close();
      await served.close({ graceMs: 0 });
    });
    return { served, visit };
  };
}

/**
 * Serves the built page on a port before a service, as a served explorer does, so that bytes can
 * be counted.
 */
export async function startFront(folder: string, service: string) {
  const files = createPage(folder);
  const server = createServer(async ({ url: target = "/", headers }, response) => {
    if (isOfPage(target, headers)) return send(response, files({ method: "GET", target, headers }));
    const key = { "api-key": `${headers["api-key"]}` };
    const answer = await fetch(`${service}${target}`, { headers: key });
    const body = await answer.text();
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
