// `serve`: what it prints, who may call it, and its page.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { submission } from "../http/server.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/project.ts";
import { runCli } from "./run-cli.ts";
import { linesOf, serveDemo, serving } from "./serve-demo.ts";

const demo = serveDemo();

const statusOfReset = async (url: string, token: string): Promise<number> => {
  const headers = { "admin-token": token };
  return (await fetch(`${url}/admin/reset`, { method: "POST", headers })).status;
};

test("prints a random admin token, and warns where other machines may call", async () => {
  const statuses: number[] = [];
  let address = "";
  const { out, err } = await serving("--generate 20 --admin --host 0.0.0.0", {}, async (url) => {
    address = url;
    statuses.push(await statusOfReset(url, "a".repeat(32)));
  });
  expect(linesOf(out)).toEqual([
    expect.stringContaining("is ready at http://127.0.0.1:"),
    expect.stringMatching(/^The admin token is [0-9a-f]{32}$/),
  ]);
  expect(err).toMatch(/^warning: --host 0\.0\.0\.0 lets other machines call this explorer/);
  const [, token] = /token is (\S+)/.exec(out) ?? [];
  expect(linesOf(err)).toContain(`The page of the chain is at ${address}/#token=${token}`);
  expect(err).toContain(`export EXPLORER_BASE_URL=${address} EXPLORER_API_KEY=any\n`);
  expect(statuses).toEqual([401]);
});

test("--quiet prints the line with the address alone", async () => {
  const { out, err } = await serving("--generate 20 --quiet", {}, async () => {});
  expect(out).toMatch(/^mrc-explorer is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(err).toBe("");
});

test("takes an admin token from the environment and does not print it", async () => {
  const statuses: number[] = [];
  const env = { EXPLORER_ADMIN_TOKEN: "open-sesame" };
  const { out, err } = await serving(
    "--generate 20 --admin --log --allowed-host explorer",
    env,
    async (url) => {
      statuses.push(await statusOfReset(url, "open-sesame"), await statusOfReset(url, "sesame"));
    },
  );
  expect(statuses).toEqual([200, 401]);
  expect(linesOf(out)).toHaveLength(1);
  expect(err).toMatch(/^The page of the chain is at http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(out + err).not.toContain("sesame");
});

test.each([
  ["--host", "", '--host: expected an address to listen on, received ""', 2],
  ["--api-key", "", "createExplorer: apiKeys: expected keys that are not empty", 1],
])("%s %j is refused as a mistake", async (flag, value, message, expected) => {
  const words = ["serve", "--generate", "1", "--port", "0", flag, value];
  const { code, err } = await runCli(words, { env: {} });
  expect(code).toBe(expected);
  expect(err).toContain(`error: ${message}`);
});

test("--generate refuses a chain that does not fit into memory, and says what would", async () => {
  const { code, err } = await runCli(["serve", "--generate", "1000000000"], { env: {} });
  expect(code).toBe(2);
  expect(err).toMatch(
    /'--generate <n>' argument '1000000000' is invalid. 1000000000 transactions need about 1500\.1 GB of memory, and Node may use \d+\.\d GB: generate fewer, or set NODE_OPTIONS=--max-old-space-size=1430607/,
  );
});

test("--recipe serves the chain that a file describes, or names the step that is wrong", async () => {
  const file = join(temporaryFolder("recipe", onTestFinished), "recipe.json");
  const transactions = [{ send: "coins", from: "alice", to: "bob", value: "1" }];
  const accounts = [{ name: "alice", balance: "1" }, { name: "bob" }];
  const chain = { freeGas: true };
  writeFileSync(
    file,
    JSON.stringify({ chain, accounts, blocks: [{ transactions }, { count: 2 }] }),
  );
  const statuses: number[] = [];
  await serving(`--recipe ${file}`, {}, async (url) => {
    for (const block of [3, 4]) {
      const response = await fetch(`${url}/v1/blocks/${block}`, { headers: { "api-key": "k" } });
      statuses.push(response.status);
    }
  });
  expect(statuses).toEqual([200, 404]);
  writeFileSync(file, JSON.stringify({ chain, blocks: [{ transactions }] }));
  const { code, err } = await runCli(["serve", "--port", "0", "--recipe", file], { env: {} });
  expect(code).toBe(1);
  expect(err).toContain(
    "error: blocks.0.transactions.0: no account or contract has the name alice",
  );
});

test("has no page and no address of one with --no-page", async () => {
  const headers = { accept: "text/html", "api-key": "k" };
  const statuses: number[] = [];
  const { err } = await serving("--generate 20 --no-page", {}, async (url) => {
    for (const path of ["/", "/page/page.js", "/inspect/head"])
      statuses.push((await fetch(url + path, { headers })).status);
  });
  expect(statuses).toEqual([404, 404, 404]);
  expect(err).not.toContain("page");
});

test("passes on the coin, tenants, the dialect, further compilers and their time limit", async () => {
  const folder = temporaryFolder("solc", onTestFinished);
  const compiler = "v0.8.29+commit.7893614a";
  writeFileSync(join(folder, `soljson-${compiler}.js`), "for (;;);");
  const options = `--coin GOLD --tenants --dialect wemix --solc ${folder} --compile-timeout 1`;
  await serving(`--generate 20 ${options}`, {}, async (url) => {
    const { results } = await (await fetch(`${url}/inspect/access`)).json();
    expect(results).toMatchObject({ coin: "GOLD", tenants: true });
    expect(results.compilers).toContain(compiler);
    const path = `/v1/accounts/0x${"1".repeat(40)}/token-transfer/erc20`;
    const get = (target: string) => fetch(url + target, { headers: { "api-key": "k" } });
    expect((await get(path)).status).toBe(200);
    const { tokens } = (await (await get("/inspect/tokens")).json()).results;
    const { contracts } = new ExplorerClient({ baseUrl: url, apiKey: "k", retry: 0 });
    await expect(
      contracts.verify(tokens[0].token_address, { ...submission, compiler }),
    ).rejects.toThrow("more than 1000 ms of CPU time");
  });
});

test("a port that is taken is said so, with what to do", async () => {
  const { code, err } = await demo.cli(`serve --port ${new URL(demo.url).port}`);
  expect(code).toBe(1);
  expect(err).toBe(
    `error: cannot listen on port ${new URL(demo.url).port} of 127.0.0.1: another program listens there; stop it, or choose another port (0 for a free one) (EADDRINUSE)\n`,
  );
});

/** Serves on a terminal of this process until the page's address is printed. */
async function servedOnTerminal(words: string) {
  const stop = new AbortController();
  const ended = demo.cli(`serve --port 0 ${words}`.trim(), {
    columns: 80,
    env: {},
    signal: stop.signal,
    onPrint: (text) => text.includes("blocks get latest") && stop.abort(),
  });
  return await ended;
}

/** What stays on a terminal: each line as it was written last, without the progress that it replaced. */
const lastLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split("\r\u001b[K").at(-1))
    .join("\n");

test("on a terminal the page's address has a token of the admin API", async () => {
  const { code, out, err } = await servedOnTerminal("--generate 20");
  expect({ code, lines: linesOf(out).length }).toEqual({ code: 0, lines: 1 });
  expect(lastLines(err)).toMatch(
    /^The page of the chain is at http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{32}$/m,
  );
});

test.each(["--generate 20 --no-admin", "--generate 20 --host 0.0.0.0"])(
  "with %s it has none, and says how",
  async (words) => {
    const { err } = await servedOnTerminal(words);
    expect(lastLines(err)).toMatch(
      /^The page of the chain is at http:\/\/[\d.]+:\d+\/; add --admin for its Requests and Faults$/m,
    );
  },
);

test("lists its options in groups", async () => {
  const { out } = await runCli(["serve", "--help"], { env: {} });
  expect(out.match(/^[A-Z]\w+:$/gm)).toEqual([
    ...["Chain:", "Node:", "Recordings:", "Compilers:", "Server:", "Options:"],
  ]);
});

test("prints the address of the page first, also while the node does not answer", async () => {
  const stop = new AbortController();
  let printed = "";
  const rpc = `http://127.0.0.1:${await freePort()}`;
  const ended = runCli(["serve", "--port", "0", "--rpc", rpc], {
    env: {},
    signal: stop.signal,
    onPrint: (text) => {
      printed = text;
    },
  });
  await expect
    .poll(() => printed)
    .toMatch(/^The page of the chain is at http:\S+[^\n]*\nFollowing /);
  stop.abort();
  await ended;
});

test("without a terminal the admin API is closed, and it says how to open it", async () => {
  const statuses: number[] = [];
  const { err } = await serving("--generate 20 --log", {}, async (url) => {
    statuses.push(await statusOfReset(url, "any"));
  });
  expect(statuses).toEqual([404]);
  expect(err).toMatch(/^The page .*; add --admin for its Requests and Faults$/m);
});

test.each([
  ["", true],
  ["--no-verified", false],
])("the demo chain %s has verified contracts: %s", async (words, verified) => {
  const { err } = await servedOnTerminal(words);
  expect(err.includes(" contracts abi 0x")).toBe(verified);
});

test("with --max-connections further ones are closed", () =>
  serving("--generate 20 --max-connections 1", {}, async (url) => {
    const { port } = new URL(url);
    const open = connect(Number(port), "127.0.0.1");
    await new Promise((resolve) => open.once("connect", resolve));
    await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
    open.destroy();
    const status = () => fetch(`${url}/health`).then((response) => response.status, String);
    await expect.poll(status).toBe(200);
  }));
