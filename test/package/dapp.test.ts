// The example page with the package as it is published, in a real browser.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bakery } from "../../examples/dapp/bakery.ts";
import { amount } from "../../examples/dapp/format.ts";
import { dappFolder, serveDapp } from "../examples/served-dapp.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { createConsumer } from "./consumer.ts";

const { builder, alice } = bakery();

test.skipIf(!hasChromium)(
  "the example page works with the package as it is published",
  async () => {
    const project = createConsumer(["vite"]);
    cpSync(dappFolder, join(project.folder, "examples/dapp"), { recursive: true });
    const [server, url] = await serveDapp(join(project.folder, "examples/dapp"));
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.locator(".line").first().waitFor();
      await expect
        .poll(() => page.getByTestId("balance").textContent())
        .toBe(amount(builder.chain.balance(alice)));
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
        .toBe("activated");
    } finally {
      await browser.close();
      await server.close();
      project.remove();
    }
  },
);
