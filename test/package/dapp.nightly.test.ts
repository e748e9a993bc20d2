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
    const queries = ["@tanstack/react-query", "@tanstack/query-core"];
    const project = createConsumer(["vite", "react", "react-dom", ...queries]);
    for (const folder of ["dapp", "recipes"])
      cpSync(join(dappFolder, "..", folder), join(project.folder, "examples", folder), {
        recursive: true,
        filter: (path) => !path.includes("node_modules"),
      });
    // That of the recipes extends the project's.
    project.write("tsconfig.json", JSON.stringify({ compilerOptions: { jsx: "react-jsx" } }));
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
      await page.goto(`${url}live.html`);
      await page.locator("li[data-key]").first().waitFor();
    } finally {
      await browser.close();
      await server.close();
      project.remove();
    }
  },
);
