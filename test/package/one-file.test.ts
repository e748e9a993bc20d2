// The package in a page without a bundler: one file, through an import map.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { createConsumer } from "./consumer.ts";

const page = `<!doctype html>
<script type="importmap">
  { "imports": { "mrc-explorer": "/browser.js", "mrc-explorer/mocks": "/browser.js" } }
</script>
<script type="module">
  import { ExplorerClient, checksumAddress } from "mrc-explorer";
  import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";

  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  for (let paid = 1n; paid <= 3n; paid++) {
    builder.transfer(alice, bob, paid);
    builder.mine();
  }
  const { baseUrl, fetch } = createExplorer({ chain: builder });
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const values = [];
  // Its own code for lists and checksums is loaded on first use elsewhere, and is in the file here.
  const list = explorer.accounts.transactions(checksumAddress(bob), { limit: 2 });
  for await (const { value } of list) values.push(String(value));
  document.body.append(values.join());
</script>`;

test.skipIf(!hasChromium)("a page imports one file, and nothing else is requested", async () => {
  const project = createConsumer();
  onTestFinished(() => project.remove());
  const file = readFileSync(join(project.folder, "node_modules/mrc-explorer/dist/browser.js"));
  const [, stated] = /one file of (\d+) kB/.exec(packageFile("docs/client.md").read()) ?? [];
  expect(Math.abs(gzipSync(file).length / 1000 - Number(stated))).toBeLessThan(2);
  const requested: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requested.push(url);
    const isPage = url === "/";
    response.setHeader("content-type", isPage ? "text/html" : "text/javascript");
    response.end(isPage ? page : file);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await expect.poll(() => tab.locator("body").textContent()).toContain("3,2,1");
  expect(requested.filter((url) => url !== "/favicon.ico")).toEqual(["/", "/browser.js"]);
});

test("its types are those of the client and the mock explorer", () => {
  const project = createConsumer(["typescript"]);
  onTestFinished(() => project.remove());
  project.write(
    "program.mts",
    'import { createExplorer, ExplorerClient, type VerificationLevel } from "mrc-explorer/browser";\nconst level: VerificationLevel = "exact";\nconsole.log(new ExplorerClient(createExplorer()), level);\n',
  );
  const words = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "program.mts"];
  expect(project.bin("tsc", words)).toMatchObject({ code: 0 });
});
