// How long a page takes at any offset, what a fork and a rewind cost, how much a transaction weighs. MRC_BENCH_TRANSACTIONS sets the size.
import { expect, test } from "vitest";
import type { Listing } from "../../mocks/double/chain/reader.ts";
import type { Address, ChainTransaction } from "../../mocks/double/chain/records.ts";
import { TRANSFER_TOPIC } from "../../mocks/double/chain/transfer-event.ts";
import { L1 } from "../../mocks/double/operations/event-logs.ts";
import { type GenerateOptions, generateChain } from "../../mocks/double/sources/generator.ts";
import { median } from "./median.ts";
import { bytesInUse } from "./memory.ts";
import { cpuInTurns, cpuMs, printTurns } from "./turns.ts";

const PAGE = 50;
const transactions = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 50_000);
const options: GenerateOptions = {
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
};

generateChain({ blocks: 20 });
const before = bytesInUse();
let chain = generateChain({ blocks: 0 });
const seconds =
  cpuMs(() => {
    chain = generateChain(options);
  }) / 1000;
const bytes = (bytesInUse() - before) / transactions;
console.info(
  `${transactions} transactions: generated in ${seconds.toFixed(1)} s of CPU, ${bytes.toFixed(0)} bytes each`,
);

/** The transactions of these blocks. */
function* transactionsOf(from: number, to: number): Generator<ChainTransaction> {
  for (let number = from; number < to; number++)
    for (const { transaction } of chain.blockInput(number)?.executions ?? []) yield transaction;
}

/** The account with the most transactions: by Zipf's law the first one. */
const busiest = chain.blockInput(0)?.credits?.[0]?.[0] as Address;

/** Newest first, as the service shows it. */
function page<Record>(list: Listing<Record>, offset: number): Record[] {
  const last = list.count - 1 - offset;
  return Array.from({ length: Math.min(PAGE, last + 1) }, (_, index) => list.at(last - index));
}

test(`a page of ${PAGE} of the busiest address`, async ({ bench }) => {
  const { count } = chain.transactions(busiest, "all", {});
  const at = (offset: number) => () => {
    page(chain.transactions(busiest, "all", {}), offset);
  };
  const tail = count - PAGE;
  console.info(`the busiest address has ${count} transactions`);
  await bench.compare(
    bench("offset 0", at(0)),
    bench("offset in the middle", at(Math.floor(tail / 2))),
    bench("the last page", at(tail)),
    { time: 500 },
  );
});

const word = (address: Address) => `0x${address.slice(2).padStart(64, "0")}` as const;
/** The first token; by Zipf's law it is the busiest. */
function firstToken(): Address {
  for (const { created } of transactionsOf(0, chain.length))
    if (created !== null && chain.token(created)?.standard === "mrc20") return created;
  throw new Error("the chain has no token");
}
const token = firstToken();
const accounts = (chain.blockInput(0)?.credits ?? []).map(([account]) => account);

const request = { method: "GET", target: "/", headers: {} };

type Topics = Partial<Record<"topic_0" | "topic_1" | "topic_2", `0x${string}`>>;
const logPage = (topics: Topics, operand: "and" | "or" = "and", offset = 0) => {
  const asked = { address: token, limit: PAGE, offset, operand, ...topics };
  L1(chain, asked as Parameters<typeof L1>[1], {}, request);
};

test(`pages of ${PAGE} logs of the busiest token, filtered by topics`, () => {
  const topic_0 = TRANSFER_TOPIC;
  const [topic_1, topic_2] = [word(accounts[0] as Address), word(accounts[1] as Address)];
  const middle = Math.floor(
    chain.logs({ address: token, topics: [topic_0], operand: "and" }).count / 2,
  );
  const jobs = {
    "address alone": () => logPage({}),
    topic_0: () => logPage({ topic_0 }),
    "topic_0 and the busiest topic_1": () => logPage({ topic_0, topic_1 }),
    "topic_0 or topic_1": () => logPage({ topic_0, topic_1 }, "or"),
    "topic_0 or topic_1 or topic_2": () => logPage({ topic_0, topic_1, topic_2 }, "or"),
    "the same from the middle": () => logPage({ topic_0, topic_1, topic_2 }, "or", middle),
  };
  printTurns("pages of logs", cpuInTurns(jobs, 100));
  // Each filter is new to the chain: the first page finds all matches.
  const first = (operand: "and" | "or") => {
    let next = 2;
    return () => logPage({ topic_0, topic_1: word(accounts[next++] as Address) }, operand);
  };
  printTurns(
    "the first page of a filter",
    cpuInTurns({ "topic_0 and topic_1": first("and"), "topic_0 or topic_1": first("or") }, 1),
  );
});

test("rewinding blocks, against appending them again", () => {
  const count = Math.min(1000, chain.length - 1);
  const inputs = Array.from({ length: count }, (_, at) =>
    chain.blockInput(chain.head.number - count + 1 + at),
  ).filter((input) => input !== undefined);
  const working = chain.fork();
  const turns = { rewind: [] as number[], append: [] as number[] };
  for (let turn = 0; turn < 7; turn++) {
    turns.rewind.push(cpuMs(() => working.rewind(count)));
    turns.append.push(
      cpuMs(() => {
        for (const input of inputs) working.append(input);
      }),
    );
  }
  const [rewind, append] = [median(turns.rewind), median(turns.append)];
  printTurns(`${count} blocks`, new Map(Object.entries({ append, rewind })));
  expect(working.head).toEqual(chain.head);
});

test("a fork", async ({ bench }) => {
  const fork = chain.fork();
  await bench.compare(
    bench("of an unchanged chain", () => {
      chain.fork();
    }),
    bench("and a reorganisation of one block in it", () => {
      chain.fork().rewind(1);
    }),
    { time: 500 },
  );
  expect(fork.head).toEqual(chain.head);
});
