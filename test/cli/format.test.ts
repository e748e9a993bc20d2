// The formats of records: json, ndjson, csv and tables, and the columns chosen for them.
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { terminalOf } from "../../src/cli/process-io.ts";
import { ALICE, BOB, KEY, linesOf, serveDemo, uncoloured } from "./serve-demo.ts";

const demo = serveDemo();
const shown = async (words: string) => linesOf(uncoloured((await demo.cli(words)).out));

describe("formats", () => {
  test("json is the results as the service gives them", async () => {
    const { out } = await demo.cli(`accounts transactions ${ALICE} --limit 2 --input`);
    const answer = await fetch(`${demo.url}/v1/accounts/${ALICE}/transactions?limit=2&input=true`, {
      headers: { "api-key": KEY },
    });
    expect(JSON.parse(out)).toEqual((await answer.json()).results);
  });

  test("json of a whole list has the shape of a page, with all records", async () => {
    const { out } = await demo.cli(
      `accounts transactions ${ALICE} --limit 50 --all --simple --prefetch 1`,
    );
    const { count, data }: { count: string; data: { transaction_hash: string }[] } =
      JSON.parse(out);
    const records = data;
    expect(count).toBe("144");
    expect(records).toHaveLength(144);
    expect(new Set(records.map((one) => one.transaction_hash)).size).toBe(144);
    // Each page after the first begins with the last record: 50, 49 and 45 new ones. Then the list is counted again.
    expect(demo.mock.journal.count("A2")).toBe(4);
    const tokens = async (how: string) =>
      JSON.parse((await demo.cli(`accounts tokens ${BOB} ${how}`)).out);
    expect(await tokens("--limit 3 --all")).toEqual(await tokens("--limit 99"));
  });

  test.each(["drain", "close"])("waits for the %s of a slow pipe", async (ends) => {
    const listeners: Record<string, () => void> = {};
    const once = (event: string, listener: () => void) => (listeners[event] = listener);
    const { write } = terminalOf({ stdout: { write: () => false, once } });
    let isWritten = false;
    const written = write("text").then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    listeners[ends]?.();
    await written;
  });

  test("leaves no listener behind at a slow pipe", async () => {
    const stdout = Object.assign(new EventEmitter(), { write: () => false });
    const { write } = terminalOf({ stdout });
    for (let page = 0; page < 3; page++) {
      const written = write("text");
      stdout.emit("drain");
      await written;
    }
    expect(stdout.eventNames()).toEqual([]);
  });

  test("json has no count that is not known", async () => {
    const { out } = await demo.cli(`accounts transactions ${ALICE} --reverse -n 1`);
    expect(Object.keys(JSON.parse(out))).toEqual(["data"]);
    const tokens = JSON.parse((await demo.cli(`accounts tokens ${BOB} --all`)).out);
    expect([tokens.mrc_20.count, tokens.mrc_721.count]).toEqual(["8", "2"]);
    const none = await demo.cli(`accounts tokens 0x${"9".repeat(40)} --all`);
    const empty = { count: "0", results: [] };
    expect(JSON.parse(none.out)).toEqual({ mrc_20: empty, mrc_721: empty });
  });

  test("ndjson is a record a line, in the wire form", async () => {
    const { out } = await demo.cli(`accounts tokens ${BOB} --format ndjson`);
    const records = linesOf(out).map((line) => JSON.parse(line));
    expect(records).toHaveLength(10);
    expect(records[0]).toMatchObject({
      standard: "mrc20",
      token_symbol: "SKIM",
      token_decimals: "6",
    });
    expect(records.at(-1)).toMatchObject({ standard: "mrc721", balance: "1" });
  });

  test("csv makes no formula of a token's name, unless it is asked for raw", async () => {
    demo.mock.faults.add({ fault: "field", path: "data.*.token_name", value: "=1+1" });
    const of = `accounts mrc20Tokens ${BOB} --limit 1 --format csv`;
    expect((await demo.cli(of)).out).toContain(",'=1+1,");
    expect((await demo.cli(`${of} --raw`)).out).toContain(",=1+1,");
  });

  test("control characters in names of tokens and columns do not reach the terminal", async () => {
    const words = `accounts mrc20Tokens ${BOB}`;
    demo.mock.faults.add({
      fault: "field",
      path: "data.*.token_name",
      value: "\u001b[2Jgone\u202e",
    });
    expect((await demo.cli(`${words} --format table`)).out).toContain("\u{fffd}[2Jgone\u{fffd}");
    const path = "data.*.\u001b[2Jfield";
    demo.mock.faults.add({ fault: "field", path, value: "x".repeat(60) });
    const { out } = await demo.cli(words, { columns: 70 });
    expect(out).toContain("\u{fffd}[2Jfield");
    expect(out).not.toContain("\u001b[2J");
  });

  test("an empty list is empty in every format", async () => {
    const of = `accounts transactions 0x${"9".repeat(40)} --all --format`;
    expect(JSON.parse((await demo.cli(`${of} json`)).out)).toEqual({ count: "0", data: [] });
    expect((await demo.cli(`${of} ndjson`)).out).toBe("");
    expect((await demo.cli(`${of} table`)).out).toBe("no records\n");
  });
});

test.each([
  `accounts transactions ${ALICE}`,
  `accounts transactions ${ALICE} --simple`,
  `accounts tokens ${BOB}`,
])("json of %s --limit 1 and --max 1 is one", async (of) => {
  const { to_block, ...page } = JSON.parse((await demo.cli(`${of} --limit 1`)).out);
  const all = JSON.parse((await demo.cli(`${of} --max 1`)).out);
  expect(Object.keys(all)).toEqual(Object.keys(page));
  if (page.data) expect(all).toEqual(page);
});

test.each(["", " --simple", " --input"])(
  "csv without records has the header that it has with some%s",
  async (flag) => {
    const header = async (address: string) =>
      linesOf((await demo.cli(`accounts transactions ${address} --all --format csv${flag}`)).out);
    expect(await header(`0x${"9".repeat(40)}`)).toEqual((await header(ALICE)).slice(0, 1));
  },
);

test("nothing that controls a terminal reaches one; a file and a pipe get it as it is", async () => {
  const name = "\u001b[2J\u009b\u202eg\u007f";
  const fault = demo.mock.faults.add({ fault: "field", path: "data.*.token_name", value: name });
  for (const format of ["csv", "json", "ndjson"]) {
    const words = `accounts mrc20Tokens ${BOB} --limit 1 --format ${format}`;
    const onTerminal = (await demo.cli(words, { columns: 80 })).out;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(onTerminal).not.toMatch(/[\u0000-\u0009\u000e-\u001f\u007f-\u009f\u202e]/);
    if (format === "csv") expect(onTerminal).toContain("\ufffd[2J\ufffd\ufffdg\ufffd");
    else expect(onTerminal).toContain(String.raw`\u001b[2J\u009b\u202eg\u007f`);
    const piped = (await demo.cli(words)).out;
    expect(piped).toContain(format === "csv" ? name : JSON.stringify(name));
  }
  fault.remove();
  demo.mock.faults.add({ fault: "failure", message: "\u001b]0;x\u0007busy" });
  expect((await demo.cli(`blocks get 1`)).err).not.toContain("\u001b");
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
    const of = `accounts tokens ${BOB} --columns standard,balance,standard --format`;
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
      'no column "price"; the columns are timestamp, miner, reward, fees, block_number, mining_reward',
    );
  });
});
