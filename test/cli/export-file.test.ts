// `--resume`: what an export writes, and when it refuses to continue.
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  buildChain,
  coins,
  createExplorer,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { temporaryFolder } from "../support/project.ts";
import { ALICE, BOB, KEY, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const folder = temporaryFolder("export");

let file = "";
let files = 0;
beforeEach(() => {
  files++;
  file = join(folder, `${files}.csv`);
});

const read = (path = file) => readFileSync(path, "utf8");
const transactions = `accounts transactions ${ALICE} --limit 20 --columns transaction_hash,value`;
/** Also the blocks that an export leaves for the next run by default. */
const exported = `${transactions} --confirmations 0`;

describe("--resume", () => {
  test("writes what --all prints, and counts it", async () => {
    const { out } = await demo.cli(`${transactions} --all --format csv`);
    const resumed = await demo.cli(`${exported} --resume ${file}`);
    expect(resumed).toEqual({
      code: 0,
      out: "",
      err: expect.stringMatching(/ is complete as of block \d+: 144 records\n$/),
    });
    expect(read()).toBe(out);
    expect(linesOf(out)).toHaveLength(145);
  });

  test("writes ndjson unless the file is named .csv", async () => {
    file = join(folder, "transactions.ndjson");
    await demo.cli(`${exported} --resume ${file} --max 1`);
    expect(JSON.parse(read())).toEqual({
      transaction_hash: expect.stringMatching(/^0x/),
      value: expect.any(String),
    });
  });

  test("continues after a failure, with another page size and more records", async () => {
    const whole = await demo.cli(`${transactions} --all --format csv`);
    demo.mock.faults.add({ fault: "status", status: 403, operation: "A2", nth: 4 });
    const failed = await demo.cli(`${exported} --resume ${file}`);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/ has \d+ records; run the same command to continue\n/);
    const before = linesOf(read()).length;
    expect(before).toBeLessThan(145);
    const max = before + 20;
    await demo.cli(`${exported} --resume ${file} --max ${max}`);
    expect(linesOf(read())).toHaveLength(max + 1);
    await demo.cli(`${exported} --resume ${file} --limit 7 --prefetch 3`);
    expect(read()).toBe(whole.out);
  });

  test.each([0, 50])("cuts off what was written after a cursor of %i records", async (records) => {
    const whole = await demo.cli(`${transactions} --all --format csv`);
    if (records === 0) demo.mock.faults.add({ fault: "status", status: 403, times: 1 });
    await demo.cli(`${exported} --resume ${file} --max 50`);
    appendFileSync(file, "0x12");
    await demo.cli(`${exported} --resume ${file}`);
    expect(read()).toBe(whole.out);
  });

  test("sends nothing for the records of a complete export", async () => {
    await demo.cli(`${exported} --resume ${file}`);
    const before = read();
    demo.mock.journal.clear();
    const { code } = await demo.cli(`${exported} --resume ${file}`);
    expect({ code, text: read() }).toEqual({ code: 0, text: before });
    // Only blocks, to find the newest one.
    expect(demo.mock.journal.count("A2")).toBe(0);
  });

  test("says how to continue and ends with 130 if interrupted", async () => {
    demo.mock.faults.add({ fault: "never", operation: "A2", nth: 3 });
    const stop = new AbortController();
    const ended = demo.cli(`${exported} --resume ${file}`, { signal: stop.signal });
    await expect.poll(() => demo.mock.journal.count("accounts.transactions")).toBe(3);
    stop.abort();
    const { code, err } = await ended;
    expect({ code, err }).toEqual({
      code: 130,
      err: expect.stringMatching(/ has \d+ records; run the same command to continue\n$/),
    });
  });

  test.each([
    ["a file that is no export", () => writeFileSync(file, "mine"), "but has no"],
    [
      "an output that was cut",
      async () => {
        await demo.cli(`${exported} --resume ${file} --max 50`);
        truncateSync(file, 10);
      },
      "has 10 bytes, but had",
    ],
    [
      "an export of something else",
      async () => {
        await demo.cli(`${exported.replace(ALICE, BOB)} --resume ${file} --max 1`);
      },
      `address_hash was ${BOB}, now ${ALICE}`,
    ],
    [
      "an export in another unit",
      async () => {
        await demo.cli(`${exported} --resume ${file} --max 1 --units ether`);
      },
      "units was ether, now not set",
    ],
    [
      "an export of another explorer, with raw cells",
      async () => {
        const elsewhere = demo.url.replace("127.0.0.1", "localhost");
        await demo.cli(`${exported} --resume ${file} --max 1 --raw --base-url ${elsewhere}`);
      },
      "raw was true, now not set; url was http://localhost:",
    ],
    [
      "a cursor of an older release",
      () => writeFileSync(`${file}.cursor`, '{"query":{},"length":0,"records":0,"total":0}'),
      "was made by an older release of mrc-explorer: remove it and its output file to start again",
    ],
    [
      "a cursor of a newer release",
      () => writeFileSync(`${file}.cursor`, '{"version":3,"query":{}}'),
      "was made by a newer release of mrc-explorer",
    ],
    [
      "a cursor that is none",
      () => writeFileSync(`${file}.cursor`, "{}"),
      "is not a cursor: version: expected 2",
    ],
    ["a broken cursor", () => writeFileSync(`${file}.cursor`, "{"), "is not a cursor"],
  ])("leaves alone %s", async (_, prepare, reason) => {
    await prepare();
    const before = existsSync(file) ? read() : undefined;
    demo.mock.journal.clear();
    const { code, err } = await demo.cli(`${exported} --resume ${file}`);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) });
    expect(existsSync(file) ? read() : undefined).toBe(before);
    expect(demo.mock.journal.count()).toBe(0);
  });

  const noFile = "expected the name of a file";
  const otherFile = "expected a file of csv or ndjson, which a later run can continue";
  test.each([
    ["", `--resume: ${noFile}, received ""; --all prints every record to standard output`],
    ["-", `--resume: ${noFile}, received "-"; --all prints every record to standard output`],
    ["x.csv.gz", `--resume: ${otherFile}, received "x.csv.gz": name it x.csv or x.ndjson`],
    ["x.json", `--resume: ${otherFile}, received "x.json": name it x.csv or x.ndjson`],
    [tmpdir(), `${tmpdir()} is a folder, not a file`],
    ["/none/x.csv", "/none/x.csv: the folder /none does not exist"],
    ["x --format json", "--resume cannot continue json, because text follows its last record"],
    ["x --format table", "--resume cannot continue table, because text follows its last record"],
  ])("is refused for %j", async (name, reason) => {
    const { code, err } = await demo.cli(`${exported} --resume=${name}`);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`error: ${reason}`) });
  });

  test("accepts the default unit by its name, too", async () => {
    await demo.cli(`${exported} --resume ${file} --max 1`);
    const { code } = await demo.cli(`${exported} --resume ${file} --units wei --max 2`);
    expect({ code, lines: linesOf(read()).length }).toEqual({ code: 0, lines: 3 });
  });

  test("is refused where its cursor says that records end within a line", async () => {
    await demo.cli(`${exported} --resume ${file} --max 2`);
    const state = JSON.parse(read(`${file}.cursor`));
    const length = state.length - 5;
    writeFileSync(`${file}.cursor`, JSON.stringify({ ...state, length }));
    const before = read();
    const { code, err } = await demo.cli(`${exported} --resume ${file}`);
    expect({ code, err, text: read() }).toEqual({
      code: 2,
      err: expect.stringContaining(`no line ends at byte ${length}`),
      text: before,
    });
  });

  test("is refused while another run writes to the file", async () => {
    const stop = new AbortController();
    demo.mock.faults.add({ fault: "never", operation: "A2", nth: 3 });
    const first = demo.cli(`${exported} --resume ${file}`, { signal: stop.signal });
    await expect.poll(() => demo.mock.journal.count("accounts.transactions")).toBe(3);
    const { code, err } = await demo.cli(`${exported} --resume ${file}`);
    stop.abort();
    await first;
    expect(code).toBe(2);
    expect(err).toContain(`${file} is being written by this process: wait until it ends`);
    await demo.cli(`${exported} --resume ${file}`);
    expect(linesOf(read())).toHaveLength(145);
  });

  test("is not complete where another program wrote to the file", async () => {
    demo.mock.faults.add({ fault: "latency", ms: 300, operation: "A2", nth: 3 });
    const ended = demo.cli(`${exported} --resume ${file}`);
    await expect.poll(() => demo.mock.journal.count("accounts.transactions")).toBeGreaterThan(1);
    await expect.poll(() => read().length).toBeGreaterThan(100);
    appendFileSync(file, "foreign\n");
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain("another program changed it");
    expect(err).not.toContain("complete");
  });

  test("never writes the key", async () => {
    await demo.cli(`${exported} --resume ${file} --api-key ${KEY}`);
    expect(read(`${file}.cursor`)).not.toContain(KEY);
  });

  test("continues balances where a request failed, and with addresses added since", async () => {
    const addresses = Array.from(
      { length: 900 },
      (_, index) => `0xab${`${index}`.padStart(38, "0")}`,
    );
    const list = join(folder, "addresses.txt");
    const words = `accounts balance @${list} --resume ${file} --no-checksum`;
    writeFileSync(list, addresses.slice(0, 850).join("\n"));
    demo.mock.faults.add({
      fault: "status",
      status: 400,
      operation: "A1",
      address: addresses[499],
    });
    const failed = await demo.cli(words);
    expect(failed.code).toBe(1);
    expect(linesOf(read())).toHaveLength(401);
    demo.mock.faults.clear();
    await demo.cli(words);
    expect(linesOf(read())).toHaveLength(851);
    const upper = addresses.map((one) => one.replace("ab", "AB"));
    writeFileSync(list, upper.join("\n"));
    await demo.cli(words);
    const all = [...addresses.slice(0, 850), ...upper.slice(850)];
    expect(linesOf(read()).slice(1)).toEqual(all.map((one) => `${one},0`));
    writeFileSync(list, addresses.slice(1).join("\n"));
    expect((await demo.cli(words)).err).toBe(
      "error: The addresses at the start of the list, which were exported already, have changed: you may only append addresses\n",
    );
  });
});

describe("an export of a chain that grows", () => {
  /** Sends a coin in each of some blocks. */
  const grow = (blocks: number) => {
    for (let block = 0; block < blocks; block++) {
      builder.transfer(payer, payee, 1n);
      builder.mine();
    }
  };
  const builder = buildChain();
  const payer = builder.account({ name: "payer", balance: coins(1000) });
  const payee = builder.account({ name: "payee" });
  const mock = createExplorer({ chain: builder });
  let served: ServedExplorer;
  beforeAll(async () => {
    grow(30);
    served = await serveExplorer(mock);
  });
  afterAll(() => served.close());
  const cli = (words: string) =>
    demo.cli(`accounts transactions ${payee} ${words} --base-url ${served.url}`);
  const blocksIn = () => linesOf(read()).slice(1).map(Number);

  test("leaves blocks with few confirmations to later runs, which append them", async () => {
    const words = `--columns block_number --resume ${file}`;
    const { head } = mock.chain;
    const first = await cli(words);
    expect(first.err).toBe(
      `${file} is complete as of block ${head.number - 12}: ${head.number - 12} records\n`,
    );
    expect(Math.max(...blocksIn())).toBe(head.number - 12);
    grow(5);
    const second = await cli(words);
    expect(second.err).toContain(`complete as of block ${head.number - 7}`);
    expect(blocksIn().toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: head.number - 7 }, (_, index) => index + 1),
    );
    const third = await cli(words);
    expect(third).toMatchObject({ code: 0, err: expect.stringContaining("too few confirmations") });
    const { err } = await cli(`${words} --confirmations 1000`);
    expect(err).toContain(`is complete as of block ${head.number - 7}`);
    const period = `${file}.csv`;
    await cli(`--columns block_number --resume ${period} --since 5 --until 8`);
    expect(linesOf(read(period))).toEqual(["block_number", "7", "6", "5"]);
  });

  test.each([
    ["to a file", () => `--resume ${file} --confirmations 0`],
    ["to standard output", () => "--all"],
  ])(
    "ends with a code of its own where the chain is reorganised meanwhile, %s",
    async (_, words) => {
      mock.journal.clear();
      mock.faults.add({ fault: "latency", ms: 150, operation: "A2" });
      const ended = cli(`${words()} --limit 10`);
      await expect.poll(() => mock.journal.count("accounts.transactions")).toBeGreaterThan(1);
      builder.reorg(10, { drop: "all" });
      const { code, err } = await ended;
      mock.faults.clear();
      grow(10);
      expect(code).toBe(4);
      expect(err).toContain("the chain was reorganised");
      expect(err).not.toContain("complete");
    },
  );
});

test("a page that is not the whole list says so", async () => {
  const { err } = await demo.cli(`${transactions} --format csv`);
  expect(err).toBe("20 of 144 records; --all for every record\n");
  expect((await demo.cli(`${transactions} --offset 124`)).err).toBe("");
  const terminal = await demo.cli(`${transactions}`, { columns: 200 });
  expect(terminal.err).toBe("20 of 144 records; --all for every record\n");
});

test.each([
  ["timestamp", "--simple"],
  ["tx_fee", ""],
])("a column that the requested form lacks is refused: %s", async (column, form) => {
  const words = `accounts transactions ${ALICE} --columns value,${column} ${form}`.trim();
  const { code, err } = await demo.cli(words);
  expect([code, err]).toEqual([2, expect.stringContaining(`no column "${column}"`)]);
});
