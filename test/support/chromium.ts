// A real browser for tests that run in Node and drive a page.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright";

/** Where one is: one that is named, the system's, or what `npm run test:install` brought. */
export const findChromium = (): string | undefined =>
  [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    chromium.executablePath(),
  ].find((path) => path !== undefined && existsSync(path));

export const chromiumPath = findChromium();

/** Whether there is a browser; where there is none the tests that need it are skipped (vitest.config.ts says so). */
export const hasChromium = chromiumPath !== undefined;

export const startChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ["--no-sandbox", "--disable-gpu", ...args],
  });
