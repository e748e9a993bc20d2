// The progress of an export: when it is shown, and what it says.
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { duration, progressLine } from "../../src/cli/progress.ts";
import { temporaryFolder } from "../support/project.ts";
import { ALICE, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const transactions = `accounts transactions ${ALICE} --limit 20 --columns transaction_hash,value`;

describe("progress", () => {
  test("is shown on a terminal, with the total", async () => {
    const errorsOf = async (more: string) =>
      (await demo.cli(`${transactions} ${more}`, { terminalForErrors: true })).err;
    const limited = await errorsOf("--all --max 30");
    expect(limited.startsWith("\r\u001b[K20 of 30 records, ")).toBe(true);
    expect(limited).toMatch(/ records, [\d,]+\/s, \d+ s left/);
    expect(limited.endsWith("\r\u001b[K")).toBe(true);
    // Time flies: the line changes with each page.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
    const file = join(temporaryFolder("progress", onTestFinished), "transactions.csv");
    await errorsOf(`--resume ${file} --max 20`);
    const resumed = await errorsOf(`--resume ${file}`);
    expect(resumed.match(/\d+ of \d+ records/g)).toEqual(
      [40, 60, 80, 100, 120, 140, 144].map((count) => `${count} of 144 records`),
    );
  });

  test("is not shown for one page, in a pipe, or where the records are printed", async () => {
    expect((await demo.cli(transactions, { terminalForErrors: true })).err).not.toContain("/s");
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
    expect([0.2, 59.5, 125, 3600, 4000].map(duration)).toEqual([
      "1 s",
      "1 min 0 s",
      "2 min 5 s",
      "1 h 0 min",
      "1 h 6 min",
    ]);
  });
});
