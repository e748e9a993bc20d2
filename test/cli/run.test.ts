// How a run fails: refused before anything is sent, with a message that helps and the right exit code.
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { ALICE, AURORA, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

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
      `contracts verify ${AURORA} --libraries Math=0x12`,
      'libraries Math=0x12: address: expected an address (0x and 40 hexadecimal digits), received "0x12"',
    ],
    [`accounts transaction ${ALICE}`, "Did you mean transactions?"],
    ["eventLogs list", "missing required argument 'address'"],
    [
      `contracts verify ${AURORA}`,
      "required option '--contract-name, --contract_name <value>' not specified",
    ],
    [
      "serve --port 70000",
      'error: --port: expected an integer from 0 to 65535, received "70000"\n',
    ],
    ["blocks get last", "error: block_number: expected a block number"],
    ["serve --port 0 --admin-token short", "error: --admin-token: expected 8 or more printable"],
    ["serve --port 0 --allowed-host a/b", "error: --allowed-host: expected the name of a host"],
    ["serve --port 79", "port 79: fetch and browsers refuse to connect to it; choose another"],
    ["serve --chain a --generate 5", "cannot be used with option"],
    ["serve --store kept", "error: --store needs --rpc: the node to follow"],
    ["serve --artifacts .", "error: --artifacts needs --rpc: the node to follow"],
  ])("%s is rejected before anything is sent", async (words, reason) => {
    const { code, out, err } = await demo.cli(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(reason);
    expect(demo.mock.journal.count()).toBe(0);
  });

  test("a narrow terminal gets its message in lines that end between words", async () => {
    const command = "transactions status 0x00";
    const { err: whole } = await demo.cli(command);
    const { err } = await demo.cli(command, { columns: 60 });
    const lines = err.split("\n");
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(lines.length).toBeGreaterThan(whole.split("\n").length);
    expect(err.split(/\s+/)).toEqual(whole.split(/\s+/));
  });

  test("says how to set a missing service or key", async () => {
    const of = `accounts transactions ${ALICE}`;
    expect((await demo.cli(of, { env: {} })).err).toContain(
      "Missing --base-url: pass it, or set EXPLORER_BASE_URL. Your explorer's operator publishes its address; to try without an explorer, run `npx mrc-explorer serve`",
    );
    const { code, err } = await demo.cli(`${of} --base-url ${demo.url}`, { env: {} });
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: Missing --api-key: pass it, or set EXPLORER_API_KEY. Your explorer's operator gives you a key; `npx mrc-explorer serve` accepts any key\n",
    });
  });

  test.each([
    [`blocks get 1`, "Request: GET http://127.0.0.1:1/v1/blocks/1"],
    [`accounts balance ${ALICE}`, "Request: http://127.0.0.1:1/v1/accounts/balance"],
    [`accounts transactions ${ALICE} --all`, "Request: GET http://127.0.0.1:1/v1/accounts/"],
  ])("%s: a failure names the host, and the command that finds out why", async (words, request) => {
    const { err } = await demo.cli(`${words} --base-url http://127.0.0.1:1`);
    expect(err).toContain(request);
    expect(err).toContain("To find out why: mrc-explorer doctor");
  });

  test("a refused key names the command that finds out why, and a missing block does not", async () => {
    expect((await demo.cli("blocks get 4711")).err).not.toContain("doctor");
    demo.mock.faults.add({ fault: "status", status: 401 });
    expect((await demo.cli("blocks get 1")).err).toContain("mrc-explorer doctor");
  });

  test("rejects an address that ends in /v1, with the reason", async () => {
    const { code, err } = await demo.cli(`blocks get 1 --base-url ${demo.url}/v1/`);
    expect(code).toBe(2);
    expect(err).toBe(
      `error: --base-url: expected the URL without /v1, which the client adds, received "${demo.url}/v1/"\n`,
    );
    const env = { EXPLORER_BASE_URL: "localhost:1717", EXPLORER_API_KEY: "any" };
    expect((await demo.cli("blocks get 1", { env })).err).toBe(
      'error: EXPLORER_BASE_URL: expected an https:// or http:// URL, received "localhost:1717"\n',
    );
  });

  test.each([
    [`accounts balance @${tmpdir()}`, `is a folder, not a file (EISDIR)`],
    [
      `contracts verify ${AURORA} --contract_source /nowhere/A.sol`,
      "/nowhere/A.sol does not exist (ENOENT)",
    ],
    ["serve --chain /nowhere", "/nowhere"],
    ["compilers add 0.8.20 --project /nowhere", "--project /nowhere does not exist"],
  ])("%s: a failure names the file in words", async (words, reason) => {
    const { code, err } = await demo.cli(words);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(reason);
    expect(err).not.toContain("no such file or directory");
  });

  test.each([
    ["blocks get 4711 --api-key", "an unknown key"],
    [`blocks get 1 --api-kye=`, "a mistyped option"],
    [`accounts transactions ${ALICE} --base-url http://127.0.0.1:1 --api-key `, "no connection"],
  ])("the key is never printed: %s, %s", async (words) => {
    const secret = "n0-b0dys-business";
    const { out, err } = await demo.cli(
      `${words.trimEnd()}${words.endsWith("=") ? "" : " "}${secret}`,
    );
    expect(out + err).not.toContain(secret);
  });
});
