// Where a command takes its addresses from, and the options of its requests.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ALICE, AURORA, BOB, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-addresses-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "addresses.txt");

const balances = async (words: string, stdin?: string) => {
  const { out, err } = await demo.cli(
    `accounts balance ${words} --format ndjson`,
    stdin === undefined ? {} : { stdin },
  );
  return err || linesOf(out).map((line) => JSON.parse(line).address);
};

describe("addresses", () => {
  test("come from arguments, files and standard input, in this order", async () => {
    writeFileSync(file, `\u{feff}# customers\r\n${BOB}, ${AURORA}\r\n\r\n`);
    expect(await balances(`${ALICE} @${file}`)).toEqual([ALICE, BOB, AURORA]);
    expect(await balances(`--addresses-from ${file}`)).toEqual([BOB, AURORA]);
    expect(await balances(`- ${ALICE}`, `${BOB} # Bob\n`)).toEqual([BOB, ALICE]);
  });

  test("are named by file and line where they are none", async () => {
    writeFileSync(file, `${ALICE}\n0x12\n`);
    const expected = 'expected an address (0x and 40 hexadecimal digits), received "0x12"\n';
    expect(await balances(`@${file}`)).toBe(`error: ${file}, line 2: ${expected}`);
    expect(await balances("-", "0x12")).toBe(`error: standard input, line 1: ${expected}`);
    expect(await balances(`${ALICE} 0x12`)).toBe(`error: addresses 0x12: ${expected}`);
  });

  test("are asked for where there are none", async () => {
    expect(await balances("@nowhere.txt")).toContain("ENOENT");
    expect(await balances("-", "\n")).toBe("error: There are no addresses in what was passed\n");
    const { code, err } = await demo.cli("accounts balance");
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: Missing addresses: pass them, @file, - (standard input) or --addresses-from <file>\n",
    });
  });
});

describe("the options of requests", () => {
  test("--rate-limit lets no more requests start than it says", async () => {
    const of = `accounts transactions ${ALICE} --all --limit 10 --prefetch 10`;
    const stop = new AbortController();
    const ended = demo.cli(`${of} --rate-limit 3/h`, { signal: stop.signal });
    await expect.poll(() => demo.mock.journal.count("A2")).toBe(3);
    // Without the limit, all ten pages are requested together.
    stop.abort();
    expect((await ended).code).toBe(130);
    expect(demo.mock.journal.count("A2")).toBe(3);
  });

  test("--timeout ends an attempt", async () => {
    demo.mock.faults.add({ fault: "never" });
    const { code, err } = await demo.cli(
      "contracts code 0x12 --timeout 0.05".replace("0x12", ALICE),
    );
    expect(code).toBe(3);
    expect(err).toContain("50 ms");
  });

  test.each([
    ["--rate-limit 0", "expected requests per second, or per minute or hour"],
    ["--rate-limit 5/d", "expected requests per second, or per minute or hour"],
    ["--timeout 0", 'expected seconds, such as 5 or 0.5, received "0"'],
    ["--max 0", "expected an integer from 1 to"],
  ])("%s is refused", async (words, reason) => {
    const { code, err } = await demo.cli(`accounts transactions ${ALICE} ${words}`);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});

describe("blocks get latest", () => {
  test("is the newest block", async () => {
    const { out } = await demo.cli("blocks get latest");
    expect(JSON.parse(out).data.block_number).toBe(`${demo.mock.chain.head.number}`);
  });

  test("is refused where no number is meant", async () => {
    const { code, err } = await demo.cli("blocks get last");
    expect(code).toBe(2);
    expect(err).toContain("expected a block number");
  });
});

test("help marks what is required", async () => {
  const { out } = await demo.cli("contracts verify --help");
  expect(out).toMatch(/--compiler <value> +Solidity compiler version\. \(required\)/);
  expect(out.replaceAll(/\s+/g, " ")).not.toMatch(/EVM version to compile for\. \(required\)/);
});
