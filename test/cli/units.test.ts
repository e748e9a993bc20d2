// `--units`: amounts as decimal numbers, exactly.
import { describe, expect, test } from "vitest";
import { inUnits } from "../../src/cli/units.ts";
import { operations } from "../../src/contract/index.ts";
import { ALICE, AURORA, BOB, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

describe("--units", () => {
  const rowsOf = async (words: string): Promise<Record<string, string>[]> =>
    linesOf((await demo.cli(`${words} --format ndjson`)).out).map((line) => JSON.parse(line));

  /** The amount in the smallest unit. */
  const unscaled = (text: string, decimals: number): string => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(decimals, "0")).toString();
  };

  test.each([
    ["ether", 18, ""],
    ["gwei", 9, " --simple"],
  ])("%s changes amounts of coins exactly, and nothing else", async (unit, decimals, form) => {
    const of = `accounts transactions ${ALICE} --limit 50${form}`;
    const before = await rowsOf(of);
    const after = await rowsOf(`${of} --units ${unit}`);
    expect(JSON.stringify(after)).toMatch(/"\d+\.\d+"/);
    const amounts = ["value", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "tx_fee"];
    for (const [index, row] of after.entries())
      for (const [name, value] of Object.entries(row))
        expect(amounts.includes(name) && value !== null ? unscaled(value, decimals) : value).toBe(
          before[index]?.[name],
        );
  });

  test("gives amounts of tokens the decimals of their token, marks those without, and leaves numbers of tokens", async () => {
    const of = `accounts tokens ${BOB}`;
    const before = await rowsOf(of);
    const after = await rowsOf(`${of} --units ether`);
    for (const [index, row] of after.entries()) {
      const { standard, balance = "", token_decimals } = row;
      if (standard === "mrc20" && token_decimals === null)
        expect(balance).toBe(`${before[index]?.balance} raw`);
      else
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
    const [held] = await rowsOf(`tokens balance ${AURORA} ${ALICE} --units 8`);
    expect(held?.balance).toMatch(/^\d+\.\d+$/);
    expect(await rowsOf(`${of} --units ether`)).toEqual(await rowsOf(`${of} --units 18`));
    expect((await demo.cli(`${of} --units 255`)).code).toBe(0);
    expect((await demo.cli(`${of} --units gwei`)).err).toContain(
      "expected ether for whole tokens, wei, or the token's decimals (0 to 255)",
    );
  });

  test("survives decimals that no amount has", async () => {
    demo.mock.faults.add({ fault: "field", path: "data.*.token_decimals", value: "100000" });
    const { code } = await demo.cli(`accounts mrc20Transfers ${BOB} --limit 1 --units ether`);
    expect(code).toBe(0);
  });

  test("is only an option of commands with amounts", async () => {
    expect((await demo.cli(`eventLogs list ${AURORA} --units ether`)).err).toContain(
      "unknown option '--units'",
    );
  });
});

test.each([
  ["6", "1.5"],
  ["24", "0.0000000000000000015"],
  ["255", `0.${"0".repeat(248)}15`],
  ["256", "1500000"],
  [null, "1500000 raw"],
])("an amount of a token with %s decimals is %s", (token_decimals, value) => {
  const change = inUnits(operations.A4, { typed: "ether", decimals: 18 });
  expect(change({ value: "1500000", token_decimals })).toEqual({ value, token_decimals });
});
