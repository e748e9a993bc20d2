// Tables: the columns that fit or are chosen, and blocks of lines.
import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import { table } from "../../src/cli/table.ts";
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

  test.each([60, 80, 120])(
    "of %s columns keeps time, parties, amount and symbol",
    async (width) => {
      const transfer = ["timestamp", "sender", "receiver"];
      const whole = width >= 80;
      const lists = {
        [`accounts transactions ${ALICE}`]: [...transfer, ...(whole ? ["transac…hash"] : [])],
        [`accounts mrc20Transfers ${BOB}`]: [
          ...transfer,
          ...(whole ? ["value", "token_symbol"] : []),
        ],
        [`accounts mrc721Transfers ${BOB}`]: [...transfer, ...(whole ? ["token_symbol"] : [])],
        [`accounts internalTransactions ${AURORA}`]: transfer,
        [`eventLogs list ${AURORA}`]: ["timestamp", "log_name", "transac…hash"],
      };
      for (const [words, important] of Object.entries(lists)) {
        const lines = await shown(`${words} --limit 5`, width);
        for (const line of lines) expect(line.length, words).toBeLessThanOrEqual(width);
        expect(lines[0]?.split(/ +/), words).toEqual(expect.arrayContaining(important));
        expect(lines[1]).toMatch(/0x[0-9a-f]{4}…[0-9a-f]{4}/);
      }
    },
  );

  test("leaves out columns without any value, but not those that are chosen", async () => {
    const [header] = await shown(`eventLogs list ${AURORA} --limit 5`, 130);
    expect(header).toContain("topic_2");
    expect(header).toContain("data");
    expect(header).not.toContain("topic_3");
    const [chosen] = await shown(`eventLogs list ${AURORA} --limit 5 --columns topic_3`, 130);
    expect(chosen).toBe("topic_3");
  });

  test("names columns that only a later page has, and parts the blocks of two pages", async () => {
    const written = async (columns: number) => {
      const said: string[] = [];
      const write = async (text: string) => void said.push(text);
      const terminal = { columns, write, isTerminal: true, colors: createColors(false) };
      const writer = table(terminal, { all: true, many: true, raw: false });
      await writer.page({ data: [{ kind: "first", sender: "alice", data: "" }] });
      await writer.page({ data: [{ kind: "second", sender: "bob", data: "late" }] });
      await writer.end();
      return said.join("");
    };
    expect(await written(70)).toBe(
      "kind   sender\nfirst  alice\nsecond  bob\n1 hidden columns (--columns a,b shows them): data\n",
    );
    expect(await written(5)).toBe(
      "kind    first\nsender  alice\ndata    \n\nkind    second\nsender  bob\ndata    late\n",
    );
  });

  test("shows source code with its line breaks", async () => {
    const lines = await shown(`contracts code ${AURORA}`, 100);
    const start = lines.indexOf("contract_source");
    expect(lines[start + 1]).toMatch(/^(\/\/|pragma)/);
    expect(lines.slice(start).some((line) => /^contract \w+/.test(line))).toBe(true);
  });

  test("says which columns are hidden", async () => {
    const lines = await shown(`accounts transactions ${ALICE} --limit 3`, 100);
    const hint = lines.slice(4).join(" ");
    const [, count, names = ""] =
      /^(\d+) hidden columns \(--columns a,b shows them\): (.*)$/.exec(hint) ?? [];
    expect(names.split(", ")).toHaveLength(Number(count));
    expect(names).toContain("gas_price");
    for (const name of names.split(", ")) expect(lines[0]).not.toContain(name);
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

  test("is whole in a pipe", async () => {
    const lines = await shown(`accounts transactions ${ALICE} --limit 1 --format table`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/ 0x[0-9a-f]{64} /);
  });
});
