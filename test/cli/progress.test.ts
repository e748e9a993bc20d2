// The progress of an export: when it is shown, and what it says.
import { describe, expect, test } from "vitest";
import { duration, progressLine } from "../../src/cli/progress.ts";
import { ALICE, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const transactions = `accounts transactions ${ALICE} --limit 20 --columns transaction_hash,value`;

describe("progress", () => {
  test("is shown on a terminal, with the total", async () => {
    const { err } = await demo.cli(`${transactions} --all`, { terminalForErrors: true });
    expect(err.startsWith("\r\u001b[K20 of 144 records, ")).toBe(true);
    expect(err).toMatch(/ records, [\d,]+\/s, \d+ s left/);
    expect(err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("is not shown for one page, in a pipe, or where the records are printed", async () => {
    expect((await demo.cli(transactions, { terminalForErrors: true })).err).toBe("");
    expect((await demo.cli(`${transactions} --all`)).err).toBe("");
    expect((await demo.cli(`${transactions} --all`, { columns: 100 })).err).toBe("");
  });

  test("counts the rate of this run, and what is left of all", () => {
    expect(progressLine({ records: 3000, before: 1000, total: 5000 }, 4)).toBe(
      "3,000 of 5,000 records, 500/s, 4 s left",
    );
    expect(progressLine({ records: 3000, before: 0, total: 0 }, 2)).toBe("3,000 records, 1,500/s");
  });

  test("shows time in two units", () => {
    expect([0.2, 59.5, 125, 4000].map(duration)).toEqual([
      "1 s",
      "1 min 0 s",
      "2 min 5 s",
      "1 h 6 min",
    ]);
  });
});
