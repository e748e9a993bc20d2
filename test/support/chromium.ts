// A real browser for tests that run in Node and drive a page.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright";

const executablePath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Whether there is a browser; where there is none the tests that need it are skipped, and say so. */
export const hasChromium = executablePath !== undefined;
if (!hasChromium) {
  console.warn("*** No Chromium: tests that drive a page are skipped. Set CHROMIUM_PATH. ***");
}

export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-gpu"],
  });
