// Explorers by name: what login keeps, which one a command uses, and that no key is shown or sent elsewhere.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
import { runCli } from "./run-cli.ts";
import { hardhatBuild, projectFolder } from "./sample-project.ts";
import { KEY, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const folder = temporaryFolder("login");
const file = join(folder, "mrc-explorer", "explorers.json");
beforeEach(() => rmSync(join(folder, "mrc-explorer"), { recursive: true, force: true }));

const cli = (words: string, env: Record<string, string> = {}, stdin = "") =>
  runCli(words.split(" "), { env: { XDG_CONFIG_HOME: folder, ...env }, stdin });
const login = (words: string, key = KEY) => cli(`login ${words}`, {}, `${key}\n`);

test("keeps address and key for this user alone, and prints no key", async () => {
  const stopped = await cli(`login mine --base-url ${demo.url}`, {}, "ke\u0003y\n");
  expect([stopped.err.includes("interrupted"), existsSync(file)]).toEqual([true, false]);
  const { code, out, err } = await login(`mine --base-url ${demo.url}`, `${KEY}xy\u007f\b`);
  expect(code).toBe(0);
  expect(out).toBe(`saved ${demo.url} as mine in ${file}; --explorer mine uses it\n`);
  expect(out + err).not.toContain(KEY);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  expect((await cli("blocks get 1 --explorer mine")).code).toBe(0);
  expect((await cli("blocks get 1", { EXPLORER: "mine" })).code).toBe(0);
  expect((await cli("blocks get 1")).code).toBe(2);
});

test("without a name, it is used where nothing else is said", async () => {
  await login(`--base-url ${demo.url}`);
  expect((await cli("blocks get 1")).code).toBe(0);
  expect((await cli("logout")).out).toBe(`removed default from ${file}\n`);
  expect((await cli("blocks get 1")).code).toBe(2);
});

test.each(["__proto__", "-x", "a/b", ""])("no explorer can be kept as %j", async (name) => {
  const words = ["login", "--base-url", demo.url, "--api-key", KEY, "--", name];
  expect(await runCli(words, { env: { XDG_CONFIG_HOME: folder } })).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("expected a name of letters, digits, dots and dashes"),
  });
});

test("checks address and key with one request, unless told not to, and saves nothing if they are refused", async () => {
  demo.mock.faults.add({ fault: "status", status: 401, times: 1 });
  const refused = await login(`mine --base-url ${demo.url}`);
  expect([refused.code, existsSync(file)]).toEqual([1, false]);
  expect(refused.err).toContain("nothing was saved; --no-check saves without a request");
  expect(demo.mock.journal.count()).toBe(1);
  demo.mock.journal.clear();
  expect((await login(`mine --base-url ${demo.url} --no-check`)).code).toBe(0);
  expect(demo.mock.journal.count()).toBe(0);
  demo.mock.faults.add({ fault: "status", status: 404, times: 1 });
  expect((await login(`empty --base-url ${demo.url}`)).code).toBe(0);
});

test("verify submits to a saved explorer, too", async () => {
  await login(`mine --base-url ${demo.url}`);
  const folder = projectFolder({
    ...hardhatBuild(),
    "deployments/localhost/Counter.json": { address: `0x${"9".repeat(40)}`, abi: [] },
  });
  const { code, out } = await cli(`verify --hardhat ${folder} --explorer mine`);
  expect([code, out]).toEqual([0, expect.stringContaining("no contract on this chain")]);
});

test("--list names saved and known explorers, and no key", async () => {
  await login(`mine --base-url ${demo.url}`);
  const { out } = await cli("login --list --format csv");
  expect(linesOf(out)).toEqual(
    expect.arrayContaining([
      "name,address,dialect,api_key,state",
      `mine,${demo.url},metadium,set,saved`,
      `wemix,https://explorerapi.wemix.com,wemix,none,known`,
    ]),
  );
  expect(out).not.toContain(KEY);
});

test("what is not kept cannot be removed, whatever an object has", async () => {
  expect(await cli("logout toString")).toMatchObject({
    code: 2,
    err: expect.stringContaining('no explorer "toString" to remove'),
  });
});

test("a kept key goes to its own address alone, and --explorer takes nothing from the environment", async () => {
  await login("mine --base-url http://127.0.0.1:9 --no-check", "kept-key");
  const { code, err } = await cli(`blocks get 1 --explorer mine --base-url ${demo.url}`);
  expect([code, err]).toEqual([2, expect.stringMatching(/^error: Missing --api-key/)]);
  const env = { EXPLORER: "mine", EXPLORER_BASE_URL: demo.url };
  expect((await cli("blocks get 1", env)).err).toMatch(/^error: Missing --api-key/);
  expect((await cli("blocks get 1", { ...env, EXPLORER_API_KEY: KEY })).code).toBe(0);
  expect((await cli("blocks get 1 --explorer mine", { ...env, EXPLORER_API_KEY: KEY })).code).toBe(
    3,
  );
  expect(demo.mock.journal.entries).toHaveLength(1);
});

test("knows the addresses of explorers that exist", async () => {
  await login("wemix --no-check");
  const { explorers } = JSON.parse(readFileSync(file, "utf8"));
  expect(explorers.wemix).toEqual({
    baseUrl: "https://explorerapi.wemix.com",
    apiKey: KEY,
    dialect: "wemix",
  });
  const { out } = await cli("whoami --explorer wemix");
  expect(JSON.parse(out).data.dialect).toBe("wemix (login)");
});

test("whoami says where each part comes from, and never the key", async () => {
  await login(`mine --base-url ${demo.url}`);
  const { out } = await cli("whoami --explorer mine");
  expect(JSON.parse(out).data).toEqual({
    explorer: "mine (--explorer)",
    address: `${demo.url} (login)`,
    api_key: "set (login)",
    dialect: "metadium (default)",
    others: "none",
  });
  const env = { EXPLORER_BASE_URL: "https://x.example", EXPLORER_API_KEY: KEY };
  const other = await cli("whoami", env);
  expect(JSON.parse(other.out).data).toMatchObject({
    address: "https://x.example (EXPLORER_BASE_URL)",
    api_key: "set (EXPLORER_API_KEY)",
    others: "mine",
  });
  expect(out + other.out).not.toContain(KEY);
});

test("an unknown name is refused with those there are, and a broken file without its content", async () => {
  await login(`mine --base-url ${demo.url}`);
  expect((await cli("blocks get 1 --explorer me")).err).toBe(
    'error: --explorer: no explorer "me"; the known names are mine: run mrc-explorer login me\n',
  );
  writeFileSync(file, JSON.stringify({ version: 1, explorers: { mine: KEY } }));
  const { code, err } = await cli("whoami");
  expect([code, err]).toEqual([2, expect.stringContaining("explorers.mine: expected an object")]);
  expect(err).not.toContain(KEY);
});

test("of several logins at once, each is kept", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `explorer-${index}`);
  const codes = await Promise.all(
    names.map(async (name) => (await login(`${name} --base-url ${demo.url}`)).code),
  );
  expect(codes).toEqual(names.map(() => 0));
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).explorers).sort()).toEqual(
    names.sort(),
  );
});

test("no link beside the file receives the key", async () => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(dirname(file), { recursive: true });
  for (const name of [`${file}.new`, `${file}.tmp`]) symlinkSync(elsewhere, name);
  symlinkSync(elsewhere, file);
  writeFileSync(elsewhere, '{"version":1,"explorers":{}}');
  await login(`mine --base-url ${demo.url}`);
  expect(readFileSync(elsewhere, "utf8")).not.toContain(KEY);
  expect(readFileSync(file, "utf8")).toContain(KEY);
});

test("a relative path in XDG_CONFIG_HOME is ignored", async () => {
  const env = { XDG_CONFIG_HOME: "conf", HOME: join(folder, "home") };
  const { out } = await cli(`login mine --base-url ${demo.url}`, env, `${KEY}\n`);
  expect(out).toContain(join(folder, "home", ".config", "mrc-explorer", "explorers.json"));
});
