// The table of docs/faults.md: what each client sees of a fault, measured with the clients themselves.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { setupServer } from "msw/node";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import type { Fault } from "../../mocks/faults/fault.ts";
import { createHandlers } from "../../mocks/msw/handlers.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";

const consumers = environmentFolder("consumers");
const hasPython = await promisify(execFile)("python3", ["--version"]).then(
  () => true,
  () => false,
);

/** Milliseconds that a client waits for a response. */
const PATIENCE = 1500;

const faults: Readonly<Record<string, Fault>> = {
  "`reset`": { fault: "reset" },
  "`reset`, `once`": { fault: "reset", once: true },
  "`never`": { fault: "never" },
  "`truncated`": { fault: "truncated" },
  "`malformed-json`": { fault: "malformed-json" },
  "`html`": { fault: "html" },
  "`status` 503": { fault: "status", status: 503 },
  "`rate-limit`": { fault: "rate-limit", retryAfter: 2 },
};

const mock = createExplorer();
const intercepted = createExplorer({ baseUrl: "https://intercepted.example" });
const served = await serveExplorer(mock);
const server = setupServer(...createHandlers(intercepted));
/** The dApp's own origin. */
const site = createServer((_, response) => {
  response.setHeader("content-type", "text/html").end("<!doctype html><title>A dApp</title>");
});
let browser: Browser | undefined;
let page: Page | undefined;

beforeAll(async () => {
  if (!hasChromium) return;
  browser = await startChromium();
  page = await browser.newPage();
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await browser?.close();
  site.close();
  await served.close({ graceMs: 0 });
});

const headers = { "api-key": "k" };
const block = `${served.url}/v1/blocks/0`;

/** An error with the code of its cause, and without what differs between machines. */
const named = (error: unknown): string => {
  const { name, code, cause } = Object(error);
  const known = cause?.code ?? (typeof code === "string" ? code : undefined);
  return known === undefined ? `\`${name}\`` : `\`${name}\`, \`${known}\``;
};

async function byFetch(): Promise<string> {
  try {
    const response = await fetch(block, { headers, signal: AbortSignal.timeout(PATIENCE) });
    if (!response.ok) return `status ${response.status}`;
    await response.json();
    return "success";
  } catch (error) {
    return named(error);
  }
}

const axios = () => createRequire(`${consumers}package.json`)("axios");

async function byAxios(url: string): Promise<string> {
  try {
    const { data } = await axios().get(url, { headers, timeout: PATIENCE });
    return typeof data === "string" ? "success, with a text as `data`" : "success";
  } catch (error) {
    const { response } = Object(error);
    if (response === undefined) return named(error);
    return response.status < 400
      ? `an error with status ${response.status}`
      : `status ${response.status}`;
  }
}

const throughMsw = async (): Promise<string> => {
  server.listen({ onUnhandledFrame: "bypass" });
  try {
    return await byAxios(`${intercepted.baseUrl}/v1/blocks/0`);
  } finally {
    server.close();
  }
};

const inChromium = async (): Promise<string> =>
  (await page?.evaluate(
    async ([url, patience]) => {
      try {
        const signal = AbortSignal.timeout(patience);
        const response = await fetch(url, { headers: { "api-key": "k" }, signal });
        if (!response.ok) return `status ${response.status}`;
        await response.json();
        return "success";
      } catch (error) {
        return `\`${(error as Error).name}\``;
      }
    },
    [block, PATIENCE] as const,
  )) ?? "";

const program = `
import json, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"api-key": "k"})
try:
    json.loads(urllib.request.urlopen(request, timeout=${PATIENCE / 1000}).read())
    print("success", end="")
except urllib.error.HTTPError as error:
    print(f"status {error.code}", end="")
except Exception as error:
    print(f"\`{type(error).__name__}\`", end="")
`;
const byPython = async () => (await promisify(execFile)("python3", ["-c", program, block])).stdout;

/** Runs a client under a fault, after a request that succeeds, so that connections are in use. */
async function under(fault: Fault, client: () => Promise<string>): Promise<string> {
  for (const explorer of [mock, intercepted]) explorer.reset();
  expect(await client()).toBe("success");
  for (const explorer of [mock, intercepted]) explorer.faults.add(fault);
  return client();
}

test.skipIf(!hasChromium || !hasPython || !isInstalled(consumers))(
  "what a client sees of a fault is as docs/faults.md says",
  { timeout: 600_000 },
  async () => {
    const clients = [byFetch, () => byAxios(block), throughMsw, inChromium, byPython];
    const rows: string[] = [];
    for (const [name, fault] of Object.entries(faults)) {
      const cells: string[] = [];
      for (const client of clients) cells.push(await under(fault, client));
      rows.push(`| ${[name, ...cells].join(" | ")} |\n`);
    }
    const file = new URL("../../docs/faults.md", import.meta.url);
    const docs = readFileSync(file, "utf8");
    const head = /(\| fault \| fetch in Node .*\n\|[-|]+\n)((?:\|.*\n)*)/;
    if (process.env.UPDATE_DOCS) writeFileSync(file, docs.replace(head, `$1${rows.join("")}`));
    else expect(head.exec(docs)?.[2], "UPDATE_DOCS=1 writes it").toBe(rows.join(""));
  },
);
