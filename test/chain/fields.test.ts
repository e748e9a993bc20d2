// A field that is added to the table of fields, and nowhere else, comes back from wherever records
// go.
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import type { Field } from "../../mocks/chain/fields.ts";
import type { BlockInput } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { loadChain } from "../../mocks/ingest/load-chain.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import { FakeNode } from "../support/fake-node.ts";
import { temporaryFolder } from "../support/project.ts";

// With modules of its own, since others share theirs, and one of these is another.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("../../mocks/chain/fields.ts");
  vi.resetModules();
});
vi.mock("../../mocks/chain/fields.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../mocks/chain/fields.ts")>();
  const { hash, hex, number, optional, amount, text } = original;
  const field = (kind: Field<unknown>["kind"], at?: Field<unknown>["at"]): Field<unknown> => ({
    kind: optional(kind),
    at,
  });
  return {
    ...original,
    blockFields: { ...original.blockFields, stateRoot: field(hash, "block.stateRoot") },
    transactionFields: {
      ...original.transactionFields,
      type: field(number, "transaction.type"),
      bloom: field(hex, "receipt.logsBloom"),
    },
    frameFields: { ...original.frameFields, note: field(text) },
    logFields: { ...original.logFields, removedAt: field(amount, "log.blockTimestamp") },
  };
});

interface RawBlock {
  readonly block: {
    readonly stateRoot: string;
    readonly transactions: { readonly type: string }[];
  };
  readonly receipts: {
    readonly logsBloom: string;
    readonly logs: { readonly blockTimestamp: string }[];
  }[];
}

/** The added fields as a node returned them, for each block. */
const expected = readRecords<RawBlock>(DEMO, "blocks").map(({ block, receipts }) => ({
  stateRoot: block.stateRoot,
  transactions: block.transactions.map(({ type }, index) => ({
    type: Number(type),
    bloom: receipts[index]?.logsBloom,
    removedAt: receipts[index]?.logs.map((log) => BigInt(log.blockTimestamp)),
  })),
}));

/** The same, as a chain has them. */
function added(chain: ChainWriter): unknown[] {
  const first = chain.head.number - chain.length + 1;
  return Array.from({ length: chain.length }, (_, at) => {
    const { block, executions } = chain.blockInput(first + at) as BlockInput;
    return {
      stateRoot: fieldOf(block, "stateRoot"),
      transactions: executions.map(({ transaction, logs }) => ({
        type: fieldOf(transaction, "type"),
        bloom: fieldOf(chain.transaction(transaction.hash), "bloom"),
        removedAt: logs.map((log) => fieldOf(log, "removedAt")),
      })),
    };
  });
}

const fieldOf = (record: object | undefined, name: string): unknown =>
  Object.entries(record ?? {}).find(([key]) => key === name)?.[1];

test("added fields are loaded, and survive forks and rewinds", async () => {
  const chain = await loadChain(DEMO);
  expect(added(chain)).toEqual(expected);
  const inputs = [2, 1, 0].map((ago) => chain.blockInput(chain.head.number - ago));
  for (let turn = 0; turn < 3; turn++) {
    const fork = chain.fork();
    fork.rewind(3);
    expect(added(fork)).toEqual(expected.slice(0, -3));
    for (const input of inputs) if (input !== undefined) fork.append(input);
    expect(added(fork)).toEqual(expected);
    chain.restore(fork.snapshot());
    expect(added(chain)).toEqual(expected);
  }
});

test("added fields are followed, and stored", async () => {
  const node = new FakeNode();
  const store = temporaryFolder("fields", onTestFinished);
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 60_000, store });
  await follower.close();
  expect(added(follower.chain)).toEqual(expected);
  expect(added(await loadChain(store))).toEqual(expected);
});

test("the builder sets added fields, and a reorganisation keeps them", () => {
  const builder = buildChain();
  const alice = builder.account({ balance: coins(10) });
  const bob = builder.account();
  const stateRoot = `0x${"5".repeat(64)}`;
  const sent = { gasLimit: 21_000, type: 2 };
  builder.transfer(alice, bob, 1n, sent);
  builder.transfer(alice, bob, 2n);
  const mined = { gasLimit: 10_000_000, stateRoot };
  builder.mine(1, mined);
  builder.reorg(1);
  const { block, executions } = builder.chain.blockInput(1) as BlockInput;
  expect(fieldOf(block, "stateRoot")).toBe(stateRoot);
  expect(executions.map(({ transaction }) => fieldOf(transaction, "type"))).toEqual([2, undefined]);
});
