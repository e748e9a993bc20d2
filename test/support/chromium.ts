// A real browser for tests that run in Node and drive a page.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright";

/** Where it is. */
export const chromiumPath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Whether there is a browser; where there is none the tests that need it are skipped, and say so. */
export const hasChromium = chromiumPath !== undefined;
if (!hasChromium) {
  console.warn("*** No Chromium: tests that drive a page are skipped. Set CHROMIUM_PATH. ***");
}

export const startChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ["--no-sandbox", "--disable-gpu", ...args],
  });
