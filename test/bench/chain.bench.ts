// How long a page takes at any offset, what a fork costs, how much a transaction weighs. MRC_BENCH_TRANSACTIONS sets the size.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Listing } from "../../mocks/chain/reader.ts";
import type { Address, ChainTransaction } from "../../mocks/chain/records.ts";
import { TRANSFER_TOPIC } from "../../mocks/chain/transfer-event.ts";
import { type GenerateOptions, generateChain } from "../../mocks/generator/generate.ts";
import { A2 } from "../../mocks/operations/accounts.ts";

const PAGE = 50;
const transactions = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 50_000);
const options: GenerateOptions = {
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
};

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

generateChain({ blocks: 20 });
const before = bytesInUse();
const started = performance.now();
const chain = generateChain(options);
const seconds = (performance.now() - started) / 1000;
const bytes = (bytesInUse() - before) / transactions;
console.info(
  `${transactions} transactions: made in ${seconds.toFixed(1)} s, ${bytes.toFixed(0)} bytes each`,
);

const everything = (): ChainTransaction[] =>
  Array.from({ length: chain.length }, (_, number) => chain.blockInput(number)).flatMap(
    (body) => body?.executions.map(({ transaction }) => transaction) ?? [],
  );

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

test(`operation A2 without a door: a page of ${PAGE}, as it goes over the wire`, async ({
  bench,
}) => {
  const asked = { address_hash: busiest, condition: "all", limit: PAGE, input: false } as const;
  const tail = chain.transactions(busiest, "all", {}).count - PAGE;
  const page = (simple: boolean, offset: number) => () => {
    A2(chain, { ...asked, simple, offset }, {});
  };
  await bench.compare(
    bench("offset 0", page(false, 0)),
    bench("the last page", page(false, tail)),
    bench("simple, offset 0", page(true, 0)),
    { time: 500 },
  );
});

test("the same page by a linear filter over plain objects", async ({ bench }) => {
  const plain = everything().slice(-200_000);
  console.info(`a filter over ${plain.length} objects`);
  await bench.compare(
    bench("filter", () => {
      plain.filter(({ from }) => from === busiest).slice(-PAGE);
    }),
    bench("chain", () => {
      page(chain.transactions(busiest, "from", {}), 0);
    }),
    { time: 500 },
  );
});

test("a page of logs of the busiest token, filtered by topics", async ({ bench }) => {
  const [token] = everything().flatMap(({ created }) =>
    created !== null && chain.token(created)?.standard === "mrc20" ? [created] : [],
  );
  const address = token as Address;
  const holder = `0x${busiest.slice(2).padStart(64, "0")}` as const;
  const filtered = (topics: readonly (`0x${string}` | undefined)[]) => () => {
    page(chain.logs({ address, topics, operand: "and" }), 0);
  };
  await bench.compare(
    bench("address alone", filtered([])),
    bench("address, Transfer", filtered([TRANSFER_TOPIC])),
    bench("address, Transfer, sender", filtered([TRANSFER_TOPIC, holder])),
    { time: 500 },
  );
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
