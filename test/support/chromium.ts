// A real browser for tests that run in Node and drive a page.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright";

/** Where one is: one that is named, the system's, or what `npm run ci:install` brought. */
export const findChromium = (): string | undefined =>
  [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    chromium.executablePath(),
  ].find((path) => path !== undefined && existsSync(path));

export const chromiumPath = findChromium();

/** Whether there is a browser. Without one, the tests that need it are skipped. */
export const hasChromium = chromiumPath !== undefined;
if (!hasChromium)
  console.warn(
    "\n*** No Chromium: tests that need it are SKIPPED. To run them: npm run ci:install ***\n",
  );

/** Milliseconds that a browser may take to start on a busy machine. */
const START_TIMEOUT = 300_000;
/** Shorter than the limit of a test, so that a failure names what was waited for. */
const ACTION_TIMEOUT = 30_000;

export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ["--no-sandbox", "--disable-gpu", ...args],
    timeout: START_TIMEOUT,
  });
  browser.on("context", (context) => context.setDefaultTimeout(ACTION_TIMEOUT));
  return browser;
}
