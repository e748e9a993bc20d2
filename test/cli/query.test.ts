// A query: how many records it prints, and that it refuses a range without blocks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { createProject } from "../support/project.ts";
import { ALICE, AURORA, BOB, KEY, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const transactions = `accounts transactions ${ALICE} --limit 20 --columns transaction_hash,value`;

test.each([
  ["accounts transactions", ALICE],
  ["eventLogs list", AURORA],
])("%s refuses a range that ends before it starts", async (command, address) => {
  const of = `${command} ${address} --startBlock`;
  const { code, err } = await demo.cli(`${of} 10 --end-block 5`);
  expect({ code, err }).toEqual({
    code: 2,
    err: "error: --start-block 10 is after --end-block 5: no block is in this range\n",
  });
  expect(demo.mock.journal.count()).toBe(0);
  expect((await demo.cli(`${of} 5 --end-block 5`)).code).toBe(0);
});

describe("--max", () => {
  test.each(["json", "ndjson", "csv"])("%s ends after as many records", async (format) => {
    const { out } = await demo.cli(`${transactions} --max 30 --format ${format}`);
    const lines = linesOf(out).length;
    expect(lines).toBe({ json: 35, ndjson: 30, csv: 31 }[format]);
  });
});

test("topics are events by name or signature, and addresses", async () => {
  const list = (topics: string) => demo.cli(`eventLogs list ${AURORA} ${topics}`);
  const word = `0x${ALICE.slice(2).padStart(64, "0")}` as const;
  for (const event of ["Transfer", "Transfer(address,address,uint256)"]) {
    expect((await list(`--topic-0 ${event} --topic-1 ${ALICE}`)).code).toBe(0);
    demo.mock.journal.expect("L1", {
      topic_0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      topic_1: word,
    });
  }
  await demo.cli(`tokens transfers ${AURORA} --from ${ALICE} --to ${ALICE}`);
  demo.mock.journal.expect("L1", { topic_1: word, topic_2: word });
  expect((await list("--topic-0 Approval")).code).toBe(0);
  expect((await list("--topic-0 OwnershipTransferre")).err).toContain(
    'expected an event of the contract\'s ABI (Approval(address,address,uint256), EIP712DomainChanged(), OwnershipTransferred(address,address), Transfer(address,address,uint256)), or a topic, received "OwnershipTransferre"',
  );
  demo.mock.journal.clear();
  await list("--topic-0 EIP712DomainChanged");
  demo.mock.journal.expect("L1", {
    topic_0: "0x0a6387c9ea3628b88a633bb4f3b151770f70085117a15f9bf3787cda53f13d31",
  });
  await list("--topic-3 12");
  demo.mock.journal.expect("L1", { topic_3: `0x${"c".padStart(64, "0")}` });
  const unverified = `eventLogs list 0x${"9".repeat(40)} --topic-0 Paid`;
  expect((await demo.cli(unverified)).err).toContain("because the contract is not verified");
});

/** The rows of a command's ndjson. */
const rowsOf = async (command: string): Promise<Record<string, unknown>[]> => {
  const { out } = await demo.cli(`${command} --format ndjson`);
  return linesOf(out).map((line) => JSON.parse(line));
};

describe("tokens transfers", () => {
  test("has the records of the holder's own list, in the token's unit", async () => {
    const wanted = ["timestamp", "sender", "receiver", "value", "transaction_hash"].join();
    const command = `tokens transfers ${AURORA} --all --units 18 --from ${ALICE}`;
    const transfers = await rowsOf(`${command} --columns ${wanted}`);
    const listed = await rowsOf(
      `accounts mrc20Transfers ${ALICE} --all --units ether --columns ${wanted},token_address`,
    );
    const own = listed.flatMap(({ token_address, ...row }) =>
      token_address === AURORA && row.sender === ALICE ? [row] : [],
    );
    expect(own.length).toBeGreaterThan(0);
    expect(transfers).toEqual(own);
    const [moved] = await rowsOf("tokens transfers 0x71c95911e9a5d330f4d621842ec243ee1343292e");
    expect(moved).toMatchObject({ value: null, token_id: expect.stringMatching(/^\d+$/) });
    // No record of a token without holders states its decimals.
    demo.mock.faults.add({ fault: "field", path: "data.*.token_decimals", value: null });
    const [unknown] = await rowsOf(`tokens transfers ${AURORA} --units ether --limit 1`);
    expect(unknown?.value).toMatch(/^\d+ raw$/);
    demo.mock.faults.add({ fault: "field", path: "data.*.data", value: `0x${"0".repeat(64)}` });
    expect((await rowsOf(`tokens transfers ${AURORA} --limit 1`))[0]?.value).toBe("0");
  });

  test("refuses a holder that is no address", async () => {
    const { code, err } = await demo.cli(`tokens transfers ${AURORA} --to bob`);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining("--to: expected an address"),
    });
  });
});

describe("blocks", () => {
  const block = async (words: string) => {
    const { code, out, err } = await demo.cli(`blocks ${words} --format json`);
    return { code, err, data: code === 0 ? JSON.parse(out).data : undefined };
  };

  test("the newest one, and the last one at or before a time", async () => {
    const { data } = await block("latest");
    expect(data.block_number).toBe("92");
    expect((await block("at 2030-01-01")).data).toEqual(data);
    const earlier = (await block("get 34")).data;
    for (const words of [
      `at ${earlier.timestamp}`,
      "at 2023-11-14T23:20 --tz Europe/Berlin",
      "at 2023-11-14T22:20 --columns timestamp,block_number",
    ])
      expect((await block(words)).data, words).toMatchObject({ block_number: "34" });
  });

  test.each([
    ["at 2000-01-01", "time: expected a time at or after that of the first block, 2023-11-14T22:"],
    ["at 34", "time: expected a time or a period before now"],
  ])("%s is refused", async (words, message) => {
    expect(await block(words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

test("an inventory that lacks some of its tokens says so, because it has no pages", async () => {
  const { baseUrl, chain, fetch } = demo.mock;
  const collection = chain.tokens().find(({ standard }) => standard === "mrc721");
  const [token] = chain.nfts(collection?.address ?? AURORA).slice(0, 1);
  if (!collection || !token) throw new Error("the demo chain has no collection with a token");
  const { data } = Object(
    JSON.parse((await demo.cli(`tokens inventory ${collection.address} ${token.owner}`)).out),
  );
  const warnings: string[] = [];
  const logger = { warn: (line: string) => void warnings.push(line) };
  const { tokens } = new ExplorerClient({ baseUrl, apiKey: KEY, fetch, logger });
  await tokens.inventory(collection.address, token.owner);
  expect(warnings).toEqual([]);

  demo.mock.faults.add({ fault: "field", path: "count", value: "5000", operation: "T3" });
  await tokens.inventory(collection.address, token.owner);
  expect(warnings).toEqual([
    expect.stringContaining(`returned ${data.length} of the 5000 tokens that the server counted`),
  ]);
  const { err } = await demo.cli(`tokens inventory ${collection.address} ${token.owner}`);
  expect(err).toContain(`${data.length} of 5,000 records; the explorer returned no more`);
});

test("tokens info has the facts of a token, which several operations return", async () => {
  const { out } = await demo.cli(`tokens info ${AURORA}`);
  expect(JSON.parse(out).data).toEqual({
    ...{ address: AURORA, standard: "mrc20", name: "Aurora Token", symbol: "AUR", decimals: 18 },
    total_supply: "1000035788480195667778169",
    total_supply_formatted: "1000035.788480195667778169",
    holders: 68,
  });
  expect(demo.mock.journal.count()).toBeLessThanOrEqual(5);
  expect((await demo.cli(`tokens info 0x${"9".repeat(40)}`)).err).toContain(
    "does not know this token",
  );
  const { address } = demo.mock.chain.tokens().find((one) => one.standard === "mrc721") ?? {};
  const { data } = JSON.parse((await demo.cli(`tokens info ${address}`)).out);
  expect(data).toMatchObject({ decimals: null, total_supply_formatted: data.total_supply });
});

test("decoded calls have the function and its arguments, by the ABI of each contract or of a file", async () => {
  const words = `accounts transactions ${ALICE} -n 144 --columns receiver,function,arguments`;
  const rows = await rowsOf(`${words} --decode`);
  const call = rows.find((row) => String(row.function).startsWith("transfer("));
  expect(call).toEqual({
    receiver: AURORA,
    function: "transfer(address,uint256)",
    arguments: { to: expect.stringMatching(/^0x/), value: expect.stringMatching(/^\d+$/) },
  });
  const project = createProject("abi");
  const file = join(project.folder, "abi.json");
  writeFileSync(file, (await demo.cli(`contracts abi ${AURORA} --format json`)).out);
  expect(await rowsOf(`${words} --abi ${file}`)).toContainEqual(call);
  const csv = (await demo.cli(`${words} --decode --format csv`)).out;
  expect(csv).toContain(`"transfer(address,uint256)","{""to"":""0x`);
  expect((await demo.cli(`${words} --decode --simple`)).err).toContain("--simple has no call data");
  project.remove();
});

describe("decoded logs", () => {
  const list = `eventLogs list ${AURORA}`;

  test("have the event's values in columns, by the ABI of the explorer or of a file", async () => {
    const [row] = await rowsOf(`${list} --decode --topic-0 Transfer --limit 1`);
    const [raw] = await rowsOf(`${list} --topic-0 Transfer --limit 1`);
    expect(row).toEqual({
      timestamp: raw?.timestamp,
      address: AURORA,
      transaction_hash: raw?.transaction_hash,
      transaction_index: raw?.transaction_index,
      log_index: raw?.log_index,
      event: "Transfer",
      from: `0x${String(raw?.topic_1).slice(26)}`,
      to: `0x${String(raw?.topic_2).slice(26)}`,
      value: BigInt(String(raw?.data)).toString(),
    });
    const project = createProject("abi");
    const file = join(project.folder, "Token.json");
    const abi = JSON.parse((await demo.cli(`contracts abi ${AURORA} --format json`)).out).data;
    writeFileSync(file, JSON.stringify({ abi }));
    expect(await rowsOf(`${list} --abi ${file} --topic-0 Transfer --limit 1`)).toEqual([row]);
    project.remove();
  });

  test("of events that the ABI lacks stay as they are, and are counted", async () => {
    const project = createProject("abi");
    const file = join(project.folder, "abi.json");
    const parameter = (name: string, indexed: boolean) => ({ name, indexed, type: "address" });
    const inputs = [parameter("data", true), parameter("", true), { name: "n", type: "uint256" }];
    writeFileSync(file, JSON.stringify([{ type: "event", name: "Approval", inputs }]));
    const { out, err } = await demo.cli(`${list} --abi ${file} --all --format csv`);
    const [header, ...lines] = linesOf(out);
    expect(header).toBe(
      "timestamp,address,transaction_hash,transaction_index,log_index,event,data_,value_1,n,topic_0,topic_1,topic_2,topic_3,data",
    );
    const others = lines.filter((line) => !line.includes(",Approval,"));
    expect(others.length).toBeGreaterThan(0);
    expect(err).toContain(`${others.length} of ${lines.length} logs match no event of the ABI`);
    expect(await demo.cli(`${list} --abi ${file} --topic-0 Transfer`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("has no event with the topic 0xddf"),
    });
    expect(await demo.cli(`${list} --abi ${file} --columns valu`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no column "valu"; the columns are timestamp'),
    });
    writeFileSync(file, "{}");
    expect((await demo.cli(`${list} --abi ${file}`)).err).toContain(
      "expected a list of ABI entries",
    );
    project.remove();
  });
});

describe("records that are chosen after they were read", () => {
  const json = async (words: string) => {
    const { code, out, err } = await demo.cli(`accounts ${words} --format json`);
    return { code, err, data: code === 0 ? JSON.parse(out).data : [] };
  };

  test("by an amount in coins or whole tokens, a counterparty and an outcome, with how many were read", async () => {
    const all = await json(`mrc20Transfers ${BOB} --all`);
    const least = 1000;
    const { data, err } = await json(`mrc20Transfers ${BOB} --min-value ${least}`);
    const expected = all.data.filter(
      (row: { value: string; token_decimals: string | null }) =>
        row.token_decimals !== null &&
        Number(row.value) / 10 ** Number(row.token_decimals) >= least,
    );
    expect(data).toEqual(expected);
    expect(data.length).toBeGreaterThan(0);
    expect(err).toBe(`${data.length} of ${all.data.length} records that were read match\n`);
    const [{ sender }] = all.data;
    const party = await json(`mrc20Transfers ${BOB} --counterparty ${sender}`);
    expect(party.data.length).toBeGreaterThan(0);
    for (const row of party.data) expect([row.sender, row.receiver]).toContain(sender);
    const failed = await json(`transactions ${BOB} --failed`);
    for (const { tx_status } of failed.data) expect(tx_status).toBe("0");
  });

  test("or printed with the oldest first", async () => {
    const words = `transactions ${ALICE} --columns transaction_hash`;
    const { data } = await json(`${words} --all`);
    const oldest = await json(`${words} --reverse`);
    expect(oldest.data).toEqual(data.toReversed());
    expect((await json(`${words} --reverse -n 2`)).data).toEqual(oldest.data.slice(0, 2));
    expect((await demo.cli(`accounts ${words} --reverse --resume x.csv`)).code).toBe(2);
  });

  test("or added up, with fees by gas and price", async () => {
    const { data } = await json(`transactions ${ALICE} --sum value,tx_fee`);
    expect(data).toEqual([
      {
        records: 144,
        value: "0",
        value_formatted: "0",
        tx_fee: "234439427123895022",
        tx_fee_formatted: "0.234439427123895022",
      },
    ]);
  });

  test("or added up, for the income of a miner", async () => {
    const words = "minedBlocks 0x103380c024c9cc66d05ecfeef5c7e771d5584c5e --since 2023-11-14";
    const { data } = await json(`${words} --sum reward`);
    expect(data).toEqual([
      { records: 19, reward: "22517986930700904", reward_formatted: "0.022517986930700904" },
    ]);
  });

  test.each([
    ["--min-value ten", "expected a decimal number"],
    ["--counterparty 0x12", "expected an address"],
    ["--sum gas", "expected one or more of value, tx_fee, separated by commas, received"],
    ["--failed --resume x.csv", "--resume writes whole lists"],
    ["--tz Mars", "expected a time zone, such as Europe/Berlin, UTC or +02:00, received"],
    ["--since yesterday", "expected a block, a time or a period"],
  ])("a wrong one is refused: %s", async (words, message) => {
    const { code, err } = await demo.cli(`accounts transactions ${ALICE} ${words}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a list is limited to a period by times or blocks", async () => {
    const count = async (words: string) =>
      (await json(`transactions ${ALICE} --all ${words}`)).data.length;
    expect(await count("--since 2023-11-14 --until 2023-11-15")).toBe(144);
    expect(await count("--since 2023-11-15")).toBe(0);
    expect(await count("--since 30d")).toBe(0);
    const later = await count("--since 2023-11-14T22:20Z");
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThan(144);
    for (const words of [
      "--since 2023-11-14T23:20 --tz Europe/Berlin",
      "--tz Asia/Kolkata --since 2023-11-15T03:50",
      "--since 2023-11-14T22:20Z --tz Asia/Kolkata",
    ])
      expect(await count(words), words).toBe(later);
    const { data } = await json(`transactions ${ALICE} --all --since 10 --until 20`);
    const blocks = data.map((row: { block_number: string }) => Number(row.block_number));
    expect(Math.min(...blocks)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...blocks)).toBeLessThan(20);
  });
});
