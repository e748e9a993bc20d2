// A service worker that another program left on the port's origin: the page removes it before it reads the token.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPage } from "../../mocks/port/page.ts";
import { send } from "../../mocks/port/send.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { buildPage, patience } from "../support/page.ts";

let browser: Browser;
let folder = "";
beforeAll(async () => {
  if (!hasChromium) return;
  folder = await buildPage();
  browser = await startChromium();
});
afterAll(() => browser?.close());

const worker =
  "onfetch = () => {}; oninstall = () => skipWaiting(); onactivate = () => clients.claim();";

test.skipIf(!hasChromium)("is gone, and the page has its token", async () => {
  let isOurs = false;
  const page = createPage(folder);
  const server = createServer(({ url = "", method = "GET", headers }, response) => {
    if (isOurs) {
      void send(response, page({ method, target: url, headers }), {});
      return;
    }
    const isWorker = url === "/worker.js";
    response.setHeader("content-type", isWorker ? "text/javascript" : "text/html");
    response.end(isWorker ? worker : "<!doctype html><title>before</title>");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const tab = await browser.newPage();
  await tab.goto(`${origin}/`);
  await tab.evaluate(() =>
    navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready),
  );
  const workers = () =>
    tab
      .evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
      .catch(() => -1);
  expect(await workers()).toBe(1);
  isOurs = true;
  // From the same page it would be a move in it.
  await tab.goto("about:blank");
  await tab.goto(`${origin}/#token=0123456789`);
  await expect.poll(workers, patience).toBe(0);
  // The page takes the token from its address once it has started.
  await expect.poll(() => tab.url(), patience).not.toContain("0123456789");
  await tab.close();
  server.closeAllConnections();
  server.close();
});
