// The site as it is published: grouped by reader, with three doors, a search that finds what people type, and room for code.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasChromium, startChromium } from "../support/chromium.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const site = mkdtempSync(join(tmpdir(), "mrc-explorer-site-"));
const read = (path: string) => readFileSync(join(site, path), "utf8");

beforeAll(() => {
  const words = ["scripts/tool.mjs", "typedoc", "--out", site, "--logLevel", "Warn"];
  execFileSync(process.execPath, words, { cwd: root });
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

test("the first page has a door for each reader", () => {
  const doors = [...read("index.html").matchAll(/<a class="door" href="([^"]+)">/g)];
  expect(doors.map(([, href]) => href)).toEqual([
    "documents/Use_the_client.html",
    "documents/Test_your_dApp.html",
    "documents/Run_an_explorer.html",
  ]);
});

interface SearchData {
  readonly rows: readonly { readonly name: string }[];
  readonly index: {
    /** Each word with the rows that have it, by field. */
    readonly invertedIndex: readonly (readonly [
      string,
      { readonly name: object; readonly document?: object },
    ])[];
  };
}

test.each([
  ["paginate", "Iteration"],
  ["pagination", "Iteration"],
  ["wagmi", "wagmi"],
  ["next.js", "Next.js"],
  ["429", "Reliability"],
  ["testnet", "Following a live node"],
  ["mock", "Mock server"],
])("the search finds %s on the page %s", (word, page) => {
  const [, packed = ""] = /"(.*)"/.exec(read("assets/search.js")) ?? [];
  const { rows, index }: SearchData = JSON.parse(
    inflateSync(Buffer.from(packed, "base64")).toString(),
  );
  const [, fields] = index.invertedIndex.find(([one]) => one === word) ?? [];
  const found = [fields?.name, fields?.document].flatMap((places) => Object.keys(places ?? {}));
  expect(found.map((row) => rows[Number(row)]?.name)).toContain(page);
});

test.skipIf(!hasChromium)("code has room for 80 characters, and there are no icons", async () => {
  const browser = await startChromium();
  try {
    for (const width of [1024, 1280]) {
      const tab = await browser.newPage({ viewport: { width, height: 900 } });
      await tab.goto(`${pathToFileURL(join(site, "documents/Use_the_client.Client.html"))}`);
      // typedoc hides the page until its script has run, which may be after the load event.
      await tab.locator("#tsd-search-trigger").waitFor();
      const measured = await tab.evaluate(() => {
        const code = document.querySelector("pre code");
        if (!(code instanceof HTMLElement)) throw new Error("no code");
        code.textContent = "x".repeat(80);
        const { scrollWidth = 0, clientWidth = 0 } = code.closest("pre") ?? {};
        const icons = [...document.querySelectorAll(".tsd-kind-icon, .tsd-page-toolbar svg")];
        return {
          cut: scrollWidth > clientWidth,
          icons: icons.filter((one) => one.getBoundingClientRect().width > 0).length,
          search: document.querySelector("#tsd-search-trigger")?.getBoundingClientRect().width ?? 0,
        };
      });
      expect(measured).toEqual({ cut: false, icons: 0, search: expect.any(Number) });
      expect(measured.search).toBeGreaterThan(40);
      await tab.close();
    }
  } finally {
    await browser.close();
  }
});
