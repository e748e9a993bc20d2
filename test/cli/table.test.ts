// What the command line shows of records: the columns that fit or are chosen, and amounts in units.
import { describe, expect, test } from "vitest";
import { ALICE, AURORA, BOB, linesOf, serveDemo, uncoloured } from "./serve-demo.ts";

const demo = serveDemo();
const shown = async (words: string, columns?: number) =>
  linesOf(uncoloured((await demo.cli(words, { columns })).out));

describe("a table", () => {
  test("shortens hashes where they do not fit whole", async () => {
    const of = `accounts mrc20Tokens ${BOB} --limit 2`;
    expect(await shown(of, 120)).toEqual([
      "token_address                               token_name    token_symbol",
      "0x057ef64e23666f000b34ae31332854acbd1c8544  Skím Token ✓  SKIM",
      "0x2e983a1ba5e8b38aaaec4b440b9ddcfbf72e15d1  Old Coin      OLD",
    ]);
    expect(await shown(of, 60)).toEqual([
      "token_address  token_name    token_symbol",
      "0x057e…8544    Skím Token ✓  SKIM",
      "0x2e98…15d1    Old Coin      OLD",
    ]);
  });

  test("has the columns that fit, and says how many do not", async () => {
    const lines = await shown(`accounts transactions ${ALICE} --limit 3`, 100);
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
    expect(lines[0]).toMatch(/^timestamp +sender +receiver +value/);
    expect(lines.at(-1)).toMatch(/^\d+ more columns do not fit: choose some with --columns/);
  });

  test("has all columns that are chosen, or a block of lines per record", async () => {
    const of = `accounts transactions ${ALICE} --limit 2 --columns transaction_hash,sender,value`;
    expect((await shown(of, 60))[0]).toMatch(/^transaction_hash +sender +value$/);
    const narrow = await shown(of, 20);
    expect(narrow.map((line) => line.split(" ")[0])).toEqual([
      ...["transaction_hash", "sender", "value", ""],
      ...["transaction_hash", "sender", "value"],
    ]);
    expect(narrow[0]).toMatch(/ 0x[0-9a-f]{64}$/);
  });

  test("shows a single record as a block of lines", async () => {
    expect((await shown("blocks get 90", 40)).map((line) => line.split(" ")[0])).toContain("miner");
  });

  test("is whole in a pipe", async () => {
    const lines = await shown(`accounts transactions ${ALICE} --limit 1 --format table`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/ 0x[0-9a-f]{64} /);
  });
});

describe("--columns", () => {
  test.each([
    ["csv", "value,sender\r\n"],
    ["ndjson", '{"value":'],
    ["json", '{\n  "count": "144",\n  "data": [\n    {\n      "value": '],
  ])("chooses and orders the fields of %s", async (format, start) => {
    const { out } = await demo.cli(
      `accounts transactions ${ALICE} --limit 1 --format ${format} --columns value,sender`,
    );
    expect(out.slice(0, start.length)).toBe(start);
    expect(out).not.toContain("transaction_hash");
  });

  test("chooses fields of both lists of tokens", async () => {
    const of = `accounts tokens ${BOB} --columns standard,balance --format`;
    const lines = await shown(`${of} csv`);
    expect(lines[0]).toBe("standard,balance");
    expect(lines.at(-1)).toBe("mrc721,1");
    expect(JSON.parse((await demo.cli(`${of} json`)).out).mrc_20.results[0]).toEqual({
      balance: expect.any(String),
    });
  });

  test("names the fields there are where one is unknown", async () => {
    const { code, err } = await demo.cli(`blocks get 90 --columns miner,price`);
    expect(code).toBe(2);
    expect(err).toContain(
      'no column "price"; there are timestamp, miner, reward, fees, block_number, mining_reward',
    );
  });
});

describe("--units", () => {
  const rowsOf = async (words: string): Promise<Record<string, string>[]> =>
    linesOf((await demo.cli(`${words} --format ndjson`)).out).map((line) => JSON.parse(line));

  /** The amount in the smallest unit. */
  const unscaled = (text: string, decimals: number): string => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(decimals, "0")).toString();
  };

  test.each([
    ["ether", 18],
    ["gwei", 9],
  ])("%s changes amounts of coins exactly, and nothing else", async (unit, decimals) => {
    const of = `accounts transactions ${ALICE} --limit 50`;
    const before = await rowsOf(of);
    const after = await rowsOf(`${of} --units ${unit}`);
    expect(JSON.stringify(after)).toMatch(/"\d+\.\d+"/);
    const amounts = ["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];
    for (const [index, row] of after.entries())
      for (const [name, value] of Object.entries(row))
        expect(amounts.includes(name) && value !== null ? unscaled(value, decimals) : value).toBe(
          before[index]?.[name],
        );
  });

  test("gives amounts of tokens the decimals of their token, and leaves numbers of tokens", async () => {
    const of = `accounts tokens ${BOB}`;
    const before = await rowsOf(of);
    const after = await rowsOf(`${of} --units ether`);
    for (const [index, row] of after.entries()) {
      const { standard, balance = "", token_decimals } = row;
      expect(standard === "mrc20" ? unscaled(balance, Number(token_decimals)) : balance).toBe(
        before[index]?.balance,
      );
    }
    expect(new Set(after.map(({ token_decimals }) => token_decimals)).size).toBeGreaterThan(2);
  });

  test("takes the decimals of a token where the response has none", async () => {
    const of = `tokens totalSupply ${AURORA}`;
    const [before] = await rowsOf(of);
    const [after] = await rowsOf(`${of} --units 8`);
    expect(unscaled(after?.total_supply ?? "", 8)).toBe(before?.total_supply);
    expect((await demo.cli(`${of} --units ether`)).err).toContain(
      "expected the token's decimals (0 to 255), which the response does not have",
    );
  });

  test("survives decimals that no amount has", async () => {
    demo.mock.faults.add({ fault: "field", path: "data.*.token_decimals", value: "100000" });
    const { code } = await demo.cli(`accounts mrc20Transfers ${BOB} --limit 1 --units ether`);
    expect(code).toBe(0);
  });

  test("is no option where there are no amounts", async () => {
    expect((await demo.cli(`eventLogs list ${AURORA} --units ether`)).err).toContain(
      "unknown option '--units'",
    );
  });
});
