// Where a command reads its addresses from.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
import { ALICE, AURORA, BOB, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const folder = temporaryFolder("addresses");
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

  test("are named by file and line if they are invalid", async () => {
    writeFileSync(file, `${ALICE}\n0x12\n`);
    const expected = 'expected an address (0x and 40 hexadecimal digits), received "0x12"\n';
    expect(await balances(`@${file}`)).toBe(`error: ${file}, line 2: ${expected}`);
    expect(await balances("-", "0x12")).toBe(`error: standard input, line 1: ${expected}`);
    expect(await balances(`${ALICE} 0x12`)).toBe(`error: addresses 0x12: ${expected}`);
  });

  test("are named by file and line if a checksum is wrong, unless none is checked", async () => {
    const right = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
    const wrong = right.replace("A65", "A66");
    writeFileSync(file, `${right} ${right.toLowerCase()}\n\n${wrong}\n`);
    const error = await balances(`@${file}`);
    expect(error).toContain(`${file}, line 3: invalid checksum in 0x15`);
    expect(error).toContain(wrong);
    expect(await balances(wrong)).toContain(`addresses ${wrong}: invalid checksum in ${wrong}`);
    expect(await balances(`@${file} --no-checksum`)).toEqual([right, right.toLowerCase(), wrong]);
  });

  test("are required", async () => {
    expect(await balances("@nowhere.txt")).toBe("error: nowhere.txt does not exist (ENOENT)\n");
    expect(await balances("-", "\n")).toBe(
      "error: The files or standard input contain no addresses\n",
    );
    const { code, err } = await demo.cli("accounts balance");
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: Missing addresses: pass them, @file, - (standard input) or --addresses-from <file>\n",
    });
  });
});
