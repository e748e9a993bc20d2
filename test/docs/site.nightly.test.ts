// The site as it is published: pages by reader, a search that finds the words people type, room for
// code, and blocks of code that run.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadDemo } from "../../mocks/node.ts";
import { sitePages } from "../../scripts/llms.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { blocksOf, completeSite } from "../../scripts/site/build.ts";
import { type Block, runBlock } from "../../scripts/site/run.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { temporaryFolder } from "../support/project.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const site = temporaryFolder("site");
const read = (path: string) => readFileSync(join(site, path), "utf8");

let chain: Awaited<ReturnType<typeof loadDemo>>;
beforeAll(async () => {
  const words = ["scripts/tool.mjs", "typedoc", "--out", site, "--logLevel", "Warn"];
  // A clock that runs fast shows what a slow machine does within a limit of time.
  const clock = "data:text/javascript,const{now}=Date,t=now();Date.now=()=>t+12*(now()-t)";
  const env = { ...process.env, NODE_OPTIONS: `--import=${clock}` };
  execFileSync(process.execPath, words, { cwd: root, env });
  await completeSite(site);
  chain = await loadDemo({ verified: true });
});

test("the first page has a door for each reader", () => {
  const doors = [...read("index.html").matchAll(/<a class="door" href="([^"]+)">/g)];
  expect(doors.map(([, href]) => href)).toEqual([
    "documents/Use_the_client.html",
    "documents/Test_your_dApp.html",
    "documents/Run_an_explorer.html",
  ]);
});

test("the code of the first page has colours, also if the highlighter is slow", () => {
  const styles = read("assets/highlight.css");
  const colourOf = (text: string) => {
    const [, name] = new RegExp(`<span class="(hl-\\d+)">${text}`).exec(read("index.html")) ?? [];
    return new RegExp(`--light-${name}: (#\\w+)`).exec(styles)?.[1];
  };
  expect(colourOf("import")).toBe(colourOf("const"));
});

test("every page has a card for links, and every error code an anchor", () => {
  expect(read("index.html")).toContain('property="og:image"');
  const client = read("documents/Use_the_client.Client.html");
  for (const code of ["parameter", "not_found", "rate_limit"])
    expect(client).toContain(`id="${code}"`);
});

test("the list of a page keeps code in its headings", () => {
  expect(read("index.html")).toContain("<span>Why not plain fetch?</span>");
});

describe.skipIf(!hasChromium)("the search", () => {
  test.each([
    ["page through all transfers", "Iteration"],
    ["paginate", "Iteration"],
    ["pagination", "Iteration"],
    ["wagmi", "wagmi"],
    ["next.js", "Next.js"],
    ["429", "Reliability"],
    ["testnet", "Following a live node"],
    ["mock msw", "Mock server"],
    ["ExplorerClientOptions", "ExplorerClientOptions"],
  ])("finds first for %s the page %s, with a snippet", async (query, page) => {
    const { url } = await serveSite();
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(`${url}/index.html`);
    await tab.locator("#tsd-search-trigger").click();
    await tab.locator("#tsd-search-input").fill(query);
    const first = tab.locator("#tsd-search-results li").first();
    await first.waitFor();
    expect(await first.locator("strong").textContent()).toMatch(new RegExp(`^${page}( ›|$)`));
    expect((await first.locator("span").textContent())?.length).toBeGreaterThan(10);
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("Enter");
    await tab.waitForURL((address) => address.pathname !== "/index.html");
  });
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

/** The site on a port, and how many bytes were requested of it to run blocks. */
async function serveSite() {
  const types: Readonly<Record<string, string>> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
  };
  let loaded = 0;
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://site").pathname);
    try {
      const body = readFileSync(join(site, path));
      if (path.startsWith("/run/"))
        loaded += path.endsWith(".gz") ? body.length : gzipSync(body).length;
      response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, loaded: () => loaded };
}

const watches = ({ code }: Block) => code.includes(".watch(");

/** Removes durations, which differ from run to run, and the mark of a cut. */
const comparable = (output: string): string =>
  output
    .replaceAll(/\b[\d.]+(?= ms\b)|(?<="blocks\.get" => \[ )[\d.]+/g, "")
    .replace(/\n?…\n?$/, "");

test("a block that waits for ever fails with a line, and may be stopped", async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const stop = new AbortController();
  const start = () =>
    runBlock(
      { before: "", code: "console.log(1); await new Promise(() => {}); console.log(2);" },
      { print: (line) => lines.push(line), loadChain: async () => chain, signal: stop.signal },
    );
  const waiting = start();
  await vi.advanceTimersByTimeAsync(60_000);
  const message = "Stopped: nothing was printed or requested for 25 seconds";
  expect(await waiting).toEqual({ requests: [], error: new Error(message) });
  const stopped = start();
  stop.abort();
  expect(await stopped).toEqual({ requests: [] });
  expect(lines).toEqual(["1", "1"]);
});

describe.skipIf(!hasChromium)("a block of code", () => {
  const pages = [{ path: "docs/home.md", file: "index.html" }, ...sitePages()].filter(({ path }) =>
    blocksOf(packageFile(path).read()).some(({ obstacle }) => obstacle === undefined),
  );

  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test.each(pages)("prints on $path the output that is shown below it", async ({ path, file }) => {
    const { url, loaded } = await serveSite();
    const tab = await browser.newPage();
    await tab.goto(`${url}/${file}`);
    for (const [index, block] of blocksOf(packageFile(path).read()).entries()) {
      if (block.obstacle !== undefined) continue;
      const bar = tab.locator(`[data-block$=" ${index}"]`);
      await bar.getByRole("button", { name: "Run" }).click();
      if (watches(block)) {
        await bar.locator(".printed").first().waitFor();
        await bar.getByRole("button", { name: "Stop" }).click();
      }
      await bar.locator("output:not([aria-busy])").waitFor();
      expect(await bar.locator(".failed").allTextContents(), `block ${index}`).toEqual([]);
      // A block of output on the page has code, and a button that copies it.
      const shown = tab.locator(
        `[data-block$=" ${index}"] + pre > code, [data-block$=" ${index}"] + pre.expected`,
      );
      if ((await shown.count()) === 0) continue;
      const printed = (await bar.locator(".printed").allTextContents()).join("\n");
      expect(comparable(printed)).toContain(comparable((await shown.textContent()) ?? ""));
    }
    expect(loaded()).toBeLessThan(900_000);
    await tab.close();
  });

  test("loads nothing before the first press, and may be edited", async () => {
    const { url, loaded } = await serveSite();
    const tab = await browser.newPage();
    await tab.goto(`${url}/documents/Get_started.html`);
    expect(loaded()).toBe(0);
    const bar = tab.locator("[data-block]").first();
    await bar.getByRole("button", { name: "Edit" }).click();
    await bar
      .getByLabel("Code")
      .fill(
        'import { isAddress } from "mrc-explorer";\nconsole.log(isAddress("0x"), [1n]);\nthrow new Error("no");',
      );
    await bar.getByRole("button", { name: "Run" }).click();
    await bar.locator("output:not([aria-busy])").waitFor();
    expect(await bar.locator(".printed").allTextContents()).toEqual(["false [ 1n ]"]);
    expect(await bar.locator(".failed").allTextContents()).toEqual(["Error: no"]);
    await bar.getByRole("button", { name: "Undo" }).click();
    await bar.getByRole("button", { name: "Run" }).click();
    await bar.locator("output:not([aria-busy])").waitFor();
    expect(await bar.locator("summary").textContent()).toMatch(/^\d+ requests?$/);
  });
});

describe.skipIf(!hasChromium)("ten pages", () => {
  const names = ["Client", "Iteration", "Operations", "Command_line", "React"].map(
    (name) => `documents/Use_the_client.${name}.html`,
  );
  const files = [
    ...["index.html", "documents/Get_started.html", "documents/Test_your_dApp.Faults.html"],
    ...["classes/mrc-explorer.ExplorerClient.html", "modules/mrc-explorer.html", ...names],
  ];

  test.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["forced", { forcedColors: "active" }],
  ] as const)("have no violation that axe finds, in %s colours", async (_, colours) => {
    const { url } = await serveSite();
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage(colours);
    const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
    for (const file of files) {
      await tab.goto(`${url}/${file}`);
      // The theme's script shows the page, and the list of all pages, after the load event.
      await tab.locator("#tsd-nav-container .tsd-accordion").first().waitFor();
      await tab.evaluate(axe);
      const violations = await tab.evaluate(async () => {
        const { violations } = await (globalThis as object as { axe: Axe }).axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      expect(violations, file).toEqual([]);
    }
  });

  test("fit a phone: code scrolls by itself", async () => {
    const { url } = await serveSite();
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
    for (const file of files) {
      await tab.goto(`${url}/${file}`);
      await tab.locator("#tsd-search-trigger").waitFor();
      expect(await tab.evaluate(() => document.documentElement.scrollWidth), file).toBe(390);
    }
  });
});

interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}
