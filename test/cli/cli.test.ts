// The command line, asked in this process, against the demo chain on a real port.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createExplorer,
  createVerifier,
  type Explorer,
  loadDemo,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { operationsInOrder } from "../../src/contract/descriptions.ts";
import { runCli, type Terminal } from "./run-cli.ts";
import { ALICE, AURORA, BOB, KEY, linesOf } from "./serve-demo.ts";

let mock: Explorer;
let service: ServedExplorer;
const verifier = createVerifier();
beforeAll(async () => {
  const chain = await loadDemo({ verified: true });
  mock = createExplorer({ chain, apiKeys: [KEY], verifier });
  service = await serveExplorer(mock);
});
beforeEach(() => mock.journal.clear());
afterAll(() => Promise.all([service.close(), verifier.close()]));

/** Runs a command against the demo chain. */
const cli = (words: string, terminal: Partial<Terminal> = {}) =>
  runCli(words.split(" "), {
    env: { EXPLORER_BASE_URL: service.url, EXPLORER_API_KEY: KEY },
    ...terminal,
  });

describe("commands", () => {
  test.each(operationsInOrder.map(({ id, resource, action }) => [id, resource, action]))(
    "%s is %s %s",
    async (id, resource, action) => {
      const { code, out } = await cli(`${resource} ${action} --help`);
      expect(code).toBe(0);
      expect(out.replaceAll(/\s+/g, " ")).toContain(`(${id} in the specification)`);
    },
  );

  test("are understood in kebab case too", async () => {
    const { code, out } = await cli(`event-logs list ${AURORA} --start-block 90 --format ndjson`);
    expect(code).toBe(0);
    for (const line of linesOf(out)) expect(JSON.parse(line)).toMatchObject({ address: AURORA });
    mock.journal.expect("L1", { address: AURORA, startBlock: 90n });
  });

  test("tell the version", async () => {
    expect(await cli("--version")).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  });
});

describe("formats", () => {
  test("json is the results as the service gives them", async () => {
    const { out } = await cli(`accounts transactions ${ALICE} --limit 2 --input`);
    const answer = await fetch(
      `${service.url}/v1/accounts/${ALICE}/transactions?limit=2&input=true`,
      { headers: { "api-key": KEY } },
    );
    expect(JSON.parse(out)).toEqual((await answer.json()).results);
  });

  test("json of a whole list is one array of all records", async () => {
    const { out } = await cli(
      `accounts transactions ${ALICE} --limit 50 --all --simple --prefetch 1`,
    );
    const records: { transaction_hash: string }[] = JSON.parse(out);
    expect(records).toHaveLength(144);
    expect(new Set(records.map((one) => one.transaction_hash)).size).toBe(144);
    expect(mock.journal.count("A2")).toBe(3);
  });

  test("ndjson is a record a line, in the wire form", async () => {
    const { out } = await cli(`accounts tokens ${BOB} --format ndjson`);
    const records = linesOf(out).map((line) => JSON.parse(line));
    expect(records).toHaveLength(10);
    expect(records[0]).toMatchObject({
      standard: "mrc20",
      token_symbol: "SKIM",
      token_decimals: "6",
    });
    expect(records.at(-1)).toMatchObject({ standard: "mrc721", balance: "1" });
  });

  test("csv quotes what needs quotes", async () => {
    const { out } = await cli(`accounts mrc20Tokens ${BOB} --format csv`);
    expect(out).toContain("token_address,token_name,token_symbol\r\n");
    expect(out).toContain('0xe7f1725e7734ce288f8367e1bb143e90bb3f0512,"Aurora ""Eight""",AUR\r\n');
  });

  test("csv makes no formula of a token's name, unless it is asked for raw", async () => {
    const names = ["=1+1", "+1", "-1+1", "@A1", "\t=1", "\r=1", '=HYPERLINK("x")'];
    const numbers = ["-12", "-0.5", "7"];
    for (const name of [...names, ...numbers]) {
      const fault = mock.faults.add({ fault: "field", path: "data.*.token_name", value: name });
      const quoted = (text: string) =>
        /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const of = `accounts mrc20Tokens ${BOB} --limit 1 --format csv`;
      const { out } = await cli(of);
      expect(out).toContain(`,${quoted(numbers.includes(name) ? name : `'${name}`)},`);
      expect((await cli(`${of} --raw`)).out).toContain(`,${quoted(name)},`);
      fault.remove();
    }
  });

  test("control characters in a token's name do not reach the terminal", async () => {
    const fault = mock.faults.add({
      fault: "field",
      path: "data.*.token_name",
      value: "\u001b[2Jgone\u202e",
    });
    const { out } = await cli(`accounts mrc20Tokens ${BOB} --format table`);
    fault.remove();
    expect(out).toContain("\u{fffd}[2Jgone\u{fffd}");
    expect(out).not.toContain("\u001b");
  });

  test("an empty list is empty in every format", async () => {
    const of = `accounts transactions 0x${"9".repeat(40)} --all --format`;
    expect((await cli(`${of} json`)).out).toBe("[]\n");
    expect((await cli(`${of} ndjson`)).out).toBe("");
    expect((await cli(`${of} csv`)).out).toBe("");
    expect((await cli(`${of} table`)).out).toBe("no records\n");
  });
});

describe("questions", () => {
  test("balances of more than 20 addresses are asked in batches, in the order given", async () => {
    const addresses = Array.from({ length: 45 }, (_, index) => `0x${`${index}`.padStart(40, "0")}`);
    const { out, code } = await cli(`accounts balance ${addresses.join(" ")} --format ndjson`);
    expect(code).toBe(0);
    expect(linesOf(out).map((line) => JSON.parse(line).address)).toEqual(addresses);
    expect(mock.journal.count("A1")).toBe(3);
  });

  test("verification takes a source file, and says why it was refused", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-cli-"));
    const file = join(folder, "Wrong.sol");
    writeFileSync(file, "contract Wrong { not solidity }");
    const { code, err } = await cli(
      `contracts verify ${AURORA} --contract_name Wrong --compiler 0.8.28 --runs-optimizer 200 --optimization_enabled 1 --constructor_arguments  --contract_source ${file}`,
    );
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(err).toContain("The source does not compile: ParserError in line 1");
  });
});

describe("failures", () => {
  test.each([
    [
      "accounts transactions 0x12",
      'expected an address (0x and 40 hexadecimal digits), received "0x12"',
    ],
    [
      `accounts transactions ${ALICE} --limit 1001`,
      'expected an integer from 1 to 1000, received "1001"',
    ],
    [
      `accounts transactions ${ALICE} --condition form`,
      'expected one of all, to, from, contract, received "form"',
    ],
    [
      `accounts balance ${ALICE} 0x12`,
      'addresses 0x12: expected an address (0x and 40 hexadecimal digits), received "0x12"',
    ],
    [
      `contracts verify ${AURORA} --libraries Math=0x12`,
      'libraries Math=0x12: address: expected an address (0x and 40 hexadecimal digits), received "0x12"',
    ],
    [`accounts transaction ${ALICE}`, "Did you mean transactions?"],
    ["eventLogs list", "missing required argument 'address'"],
    [
      `contracts verify ${AURORA}`,
      "required option '--contract-name, --contract_name <value>' not specified",
    ],
    ["serve --port 70000", 'expected an integer from 0 to 65535, received "70000"'],
    ["serve --port 1719", "port 1719 (h323gatestat): fetch and browsers refuse to connect to it"],
    ["serve --port 79", "port 79: fetch and browsers refuse to connect to it; choose another"],
    ["serve --chain a --generate 5", "cannot be used with option"],
  ])("%s is refused before anything is sent", async (words, reason) => {
    const { code, out, err } = await cli(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(reason);
    expect(mock.journal.count()).toBe(0);
  });

  test("without a service or a key it says how to give one", async () => {
    const of = `accounts transactions ${ALICE}`;
    expect((await cli(of, { env: {} })).err).toContain(
      "Missing --base-url: pass it, or set EXPLORER_BASE_URL",
    );
    const { code, err } = await cli(`${of} --base-url ${service.url}`, { env: {} });
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: Missing --api-key: pass it, or set EXPLORER_API_KEY\n",
    });
  });

  test("a service that cannot be reached ends with 3", async () => {
    const { code, err } = await cli(`blocks get 1 --base-url http://127.0.0.1:1`);
    expect(code).toBe(3);
    expect(err).toContain("http://127.0.0.1:1/v1/blocks/1");
  });

  test("what the service refuses ends with 1 and its words", async () => {
    const { code, err } = await cli("blocks get 4711");
    expect(code).toBe(1);
    expect(err).toContain("4711");
  });

  test.each([
    ["blocks get 4711 --api-key", "an unknown key"],
    [`blocks get 1 --api-kye=`, "a mistyped option"],
    [`accounts transactions ${ALICE} --base-url http://127.0.0.1:1 --api-key `, "no connection"],
  ])("the key is never printed: %s, %s", async (words) => {
    const secret = "n0-b0dys-business";
    const { out, err } = await cli(`${words.trimEnd()}${words.endsWith("=") ? "" : " "}${secret}`);
    expect(out + err).not.toContain(secret);
  });

  test("stopped by the person, it ends with 130 and says nothing", async () => {
    const fault = mock.faults.add({ fault: "never" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const ended = await cli("blocks get 1", { signal: stop.signal });
    fault.remove();
    expect(ended).toEqual({ code: 130, out: "", err: "" });
  });
});

describe("the process", () => {
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

  test("ends quietly when the reader of its output has seen enough", async () => {
    const env = { ...process.env, EXPLORER_BASE_URL: service.url, EXPLORER_API_KEY: KEY };
    const child = spawn(
      process.execPath,
      [
        main,
        ..."eventLogs list".split(" "),
        AURORA,
        "--all",
        "--limit",
        "10",
        "--format",
        "ndjson",
      ],
      { env },
    );
    let err = "";
    child.stderr.on("data", (text) => {
      err += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  /** Serves until `run` ends; returns what was printed. */
  async function serving(
    options: string,
    env: Readonly<Record<string, string>>,
    run: (url: string) => Promise<void>,
  ): Promise<{ readonly out: string; readonly err: string }> {
    const child = spawn(
      process.execPath,
      [main, ...`serve --generate 20 --port 0 ${options}`.split(" ")],
      { env: { ...process.env, ...env } },
    );
    let [out, err] = ["", ""];
    child.stderr.on("data", (text) => {
      err += text;
    });
    const url: string = await new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error(err)));
      child.stdout.on("data", (text) => {
        out += text;
        const [, port] = /http:\S+:(\d+)\n/.exec(out) ?? [];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
    });
    try {
      await run(url);
    } finally {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
    }
    return { out, err };
  }

  const statusOfReset = async (url: string, token: string): Promise<number> => {
    const headers = { "admin-token": token };
    return (await fetch(`${url}/admin/reset`, { method: "POST", headers })).status;
  };

  test("prints a random admin token, and warns where other machines may call", async () => {
    const statuses: number[] = [];
    let address = "";
    const { out, err } = await serving("--admin --host 0.0.0.0", {}, async (url) => {
      address = url;
      statuses.push(await statusOfReset(url, "a".repeat(32)));
    });
    expect(linesOf(out)).toEqual([
      expect.stringContaining("is ready at http://0.0.0.0:"),
      expect.stringMatching(/^The admin token is [0-9a-f]{32}$/),
    ]);
    expect(err).toMatch(/^warning: --host 0\.0\.0\.0 lets other machines call this explorer/);
    const [, token] = /token is (\S+)/.exec(out) ?? [];
    expect(linesOf(err)).toContain(`A page of the chain is at ${address}/#token=${token}`);
    expect(err).toContain(`export EXPLORER_BASE_URL=${address} EXPLORER_API_KEY=any\n`);
    expect(statuses).toEqual([401]);
  });

  test("takes an admin token from the environment and does not print it", async () => {
    const statuses: number[] = [];
    const env = { EXPLORER_ADMIN_TOKEN: "open-sesame" };
    const { out, err } = await serving("--admin --allowed-host explorer", env, async (url) => {
      statuses.push(await statusOfReset(url, "open-sesame"), await statusOfReset(url, "sesame"));
    });
    expect(statuses).toEqual([200, 401]);
    expect(linesOf(out)).toHaveLength(1);
    expect(err).toMatch(/^A page of the chain is at http:\/\/127\.0\.0\.1:\d+\/$/m);
    expect(out + err).not.toContain("sesame");
  });

  test("has no page and no address of one with --no-page", async () => {
    const headers = { accept: "text/html", "api-key": "k" };
    const statuses: number[] = [];
    const { err } = await serving("--no-page", {}, async (url) => {
      for (const path of ["/", "/page/page.js", "/inspect/head"])
        statuses.push((await fetch(url + path, { headers })).status);
    });
    expect(statuses).toEqual([404, 404, 404]);
    expect(err).not.toContain("page");
  });

  test("a port that is taken is said so, with what to do", async () => {
    const { code, err } = await cli(`serve --port ${service.port}`);
    expect(code).toBe(1);
    expect(err).toBe(
      `error: cannot listen on port ${service.port} of 127.0.0.1: another program listens there; stop it, or choose another port (0 for a free one) (EADDRINUSE)\n`,
    );
  });

  test("serves a generated chain, one line when ready, until SIGTERM", async () => {
    const child = spawn(process.execPath, [
      main,
      ..."serve --generate 100 --port 0 --api-key one --api-key two".split(" "),
    ]);
    let out = "";
    const url: string = await new Promise((resolve) =>
      child.stdout.on("data", (text) => {
        out += text;
        const [, address] = /(http\S+)\n/.exec(out) ?? [];
        if (address !== undefined) resolve(address);
      }),
    );
    const status = async (key: string) =>
      (await fetch(`${url}/v1/blocks/1`, { headers: { "api-key": key } })).status;
    expect([await status("one"), await status("two"), await status("three")]).toEqual([
      200, 200, 401,
    ]);
    child.kill("SIGTERM");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
    expect(linesOf(out)).toHaveLength(1);
  });
});
