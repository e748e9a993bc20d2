// Filters by amount, and sums for each token and period, of records by hand: with digits below the
// smallest unit, and tokens in several periods.
import { describe, expect, test } from "vitest";
import { parseAmount, recordFilter, Sums } from "../../src/cli/record-filters.ts";

const GOLD = { token_address: `0x${"60".repeat(20)}`, token_symbol: "GLD", token_decimals: "2" };
const ODD = { ...GOLD, token_decimals: "1000000000" };
const ART = { token_address: `0x${"a7".repeat(20)}`, token_symbol: "ART", token_decimals: null };

describe("an amount", () => {
  test.each([
    ["1.5", 18, 1_500_000_000_000_000_000n],
    ["37", 0, 37n],
    ["0.07", 2, 7n],
    ["1.0700", 2, 107n],
    // No smaller amount reaches the digits that are cut.
    ["1.0701", 2, 108n],
    ["0.001", 2, 1n],
    ["1,5", 2, undefined],
    [".5", 2, undefined],
    ["-1", 2, undefined],
  ])("%s with %i decimals is %s", (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount);
  });

  test("that a record must reach counts in its own decimals", () => {
    const isLarge = recordFilter({ minValue: "1.071" });
    const records = [
      ...[
        { ...GOLD, value: "107" },
        { ...GOLD, value: "108" },
        { ...ART, value: "999" },
        // No text can have that many digits.
        { ...ODD, value: "999" },
      ],
      ...[{ value: "1070999999999999999" }, { value: "1071000000000000000" }],
    ];
    expect(records.map(isLarge)).toEqual([false, true, false, false, false, true]);
  });
});

test("a function is found by its selector in any case", () => {
  const isTransfer = recordFilter({ method: "0xA9059CBB" });
  expect(["0xa9059cbb00", "0xa9059cbc"].map((input) => isTransfer({ input }))).toEqual([
    true,
    false,
  ]);
});

test("sums are of one token or the coin in one period, with the records that lack the amount", () => {
  const sums = new Sums(["value"]);
  for (const [period, row] of [
    ["2026-01", { ...GOLD, value: "107" }],
    ["2026-02", { ...GOLD, value: "5" }],
    ["2026-01", { ...GOLD, value: "30" }],
    ["2026-01", { value: "3" }],
    ["2026-02", { ...ART, value: "7" }],
    ["2026-02", { ...ART, value: null }],
  ] as const)
    sums.add(row, { period });
  const of = (period: string, token: object, value: string, value_formatted: string | null) => ({
    ...{ period, ...token, value, value_formatted },
  });
  expect(sums.rows()).toEqual([
    { ...of("2026-01", GOLD, "137", "1.37"), records: 2 },
    { ...of("2026-02", GOLD, "5", "0.05"), records: 1 },
    { ...of("2026-01", {}, "3", "0.000000000000000003"), records: 1 },
    { ...of("2026-02", ART, "7", null), records: 2, amounts_unknown: 1 },
  ]);
});
