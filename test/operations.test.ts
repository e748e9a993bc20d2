// What each operation answers on a small chain, field by field, and what it reads of the state at the head for it.
import { describe, expect, test } from "vitest";
import { type ChainReader, viewOf } from "../mocks/chain/reader.ts";
import type { ContractVerification } from "../mocks/chain/records.ts";
import { buildChain, coins } from "../mocks/index.ts";
import { ServiceError, WrittenResults } from "../mocks/message/api.ts";
import { headReads } from "../mocks/operations/head-reads.ts";
import { operationHandlers } from "../mocks/service/explorer-api.ts";
import type { OperationId } from "../src/contract/index.ts";
import { askable } from "./support/requests.ts";

const miner = `0x${"cc".repeat(20)}` as const;
const story = buildChain({ timestamp: 1_700_000_000, miner, blockReward: 5n });
const alice = story.account({ name: "alice", balance: coins(10) });
const bob = story.account({ name: "bob" });
const metadata = { name: "Gold", symbol: "GLD", decimals: 2 };
const gold = story.deployMRC20(alice, { ...metadata, supply: 1000n });
const art = story.deployMRC721(alice, { name: "Art", symbol: "ART" });
const vault = story.deploy(alice).address;
story.mine();
const paid = gold.transfer(alice, bob, 30n);
const minted = art.mint(bob, 7n);
story.mine();
const called = story.call(alice, {
  ...{ to: vault, value: 9n, input: "0xabcd" },
  does(frame) {
    frame.emit([1n, 2n], "0x12");
    frame.emit([], "0x34");
    frame.call({ to: bob, value: 1n, input: "0x99" });
    frame.create({ fails: "no" });
  },
});
const failed = story.call(alice, { to: vault, fails: "NotEnough" });
story.mine();
story.verify(vault, { abi: [], source: "contract Vault {}", optimizationEnabled: true });
const { chain } = story;

const page = { limit: 10, offset: 0 };
const upper = (hex: string) => hex.toUpperCase().replace("0X", "0x");
const recorded = (hash: typeof paid.hash) => {
  const transaction = chain.transaction(hash);
  if (transaction === undefined) throw new Error("it was mined");
  return transaction;
};

/** The results of an operation with these parameters. */
function ask(id: OperationId, input: object, on: ChainReader = chain): unknown {
  const results = operationHandlers[id](on, input as never, {}, { headers: {} } as never);
  return results instanceof WrittenResults ? results.parse() : results;
}

const [mined, last] = [2, 3].map((number) => chain.block(number));
const times = { created: "2023-11-14T22:13:44Z", called: "2023-11-14T22:13:56Z" };

const full = (
  { hash }: typeof paid,
  { value, status, confirmations }: { value: string; status: string; confirmations: string },
) => {
  const { block, index, gasUsed, gasPrice, cumulativeGasUsed, maxFeePerGas } = recorded(hash);
  return {
    ...{ timestamp: times.called, sender: alice, receiver: vault, value, confirmations },
    ...{ transaction_hash: hash, block_hash: block.hash, transaction_index: `${index}` },
    ...{ tx_status: status, block_number: "3", gas_price: `${gasPrice}` },
    ...{ cumulative_gas_used: `${cumulativeGasUsed}`, gas_used: `${gasUsed}` },
    ...{ max_fee_per_gas: `${maxFeePerGas}`, max_priority_fee_per_gas: "1000000000" },
  };
};
const simple = ({ hash }: typeof paid, more: object) => {
  const { gasUsed, gasPrice } = recorded(hash);
  return {
    ...{ sender: alice, receiver: vault, transaction_hash: hash, block_number: "3" },
    ...{
      tx_fee: `${BigInt(gasUsed ?? 0) * (gasPrice ?? 0n)}`,
      gas_price: `${gasPrice}`,
      gas_used: `${gasUsed}`,
    },
    ...more,
  };
};
const frame = (more: object) => ({
  ...{ timestamp: times.called, sender: vault, transaction_hash: called.hash, block_number: "3" },
  ...{ contract_address: null, sub_traces: "0", transaction_index: "0", gas_used: "0" },
  ...{ gas_limit: expect.stringMatching(/^\d+$/), ...more },
});
const paying = { receiver: bob, value: "1", status: "1", message: null, trace_type: "call" };
const creating = { receiver: null, value: "0", status: "0", message: "no", trace_type: "create" };
const [first, second] = [
  frame({ ...paying, trace_address: ["0"], external_receiver: true }),
  frame({ ...creating, trace_address: ["1"], external_receiver: false }),
];
const moved = (token: object, index: string, hash: string) => ({
  ...{ timestamp: times.created, receiver: bob, confirmations: "1", block_number: "2" },
  ...{ transaction_hash: hash, block_hash: mined?.hash, transaction_index: index, ...token },
});
const goldFields = { token_address: gold.address, token_name: "Gold", token_symbol: "GLD" };
const artFields = { token_address: art.address, token_name: "Art", token_symbol: "ART" };
const nothing = { count: "0", data: [] };

describe("the answer of", () => {
  const all = { address_hash: upper(alice), condition: "all", limit: 2, offset: 0 };
  const [full2, simple2] = [false, true].map((simple) => ({ ...all, simple, input: false }));
  const ofFailed = full(failed, { value: "0", status: "0", confirmations: "0" });
  const ofCalled = full(called, { value: "9", status: "1", confirmations: "0" });
  const briefFailed = simple(failed, { value: "0", tx_status: "0" });
  const briefCalled = simple(called, { value: "9", tx_status: "1" });
  const list = (count: number, ...data: unknown[]) => ({ count: `${count}`, data });
  const has = (address: string, balance: string) => ({ address, balance });
  const ofBob = { address_hash: upper(bob), ...page };
  const moves20 = { sender: alice, value: "30", ...goldFields, token_decimals: "2" };
  const moves721 = { sender: `0x${"00".repeat(20)}`, ...artFields, token_decimals: null };
  const held = { balance: "30", ...goldFields, holder_address: bob, holder_type: "0" };
  const collected = { balance: "1", token_address: art.address, holder_address: bob };
  const seven = { token_id: "7", token_uri: "" };
  const artName = { token_name: "Art", token_symbol: "ART" };
  const lastMined = {
    ...{ timestamp: times.called, miner, block_number: "3", mining_reward: "5" },
    ...{ fees: `${last?.fees}`, reward: `${(last?.fees ?? 0n) + 5n}` },
    ...{ gas_used: `${last?.gasUsed}`, gas_limit: "30000000", transaction_count: "2" },
  };
  const secondBlock = {
    ...{ timestamp: times.created, miner, block_number: "2", mining_reward: "5" },
    ...{ fees: `${mined?.fees}`, reward: `${(mined?.fees ?? 0n) + 5n}` },
  };
  const [ofGold, ofArt] = [gold, art].map(({ address }) => ({ contract_hash: upper(address) }));
  const x3 = { transaction_hash: upper(called.hash), input: false };

  test.each<[OperationId, object, unknown]>([
    [
      ...(["A1", { addresses: [upper(bob), vault, bob] }] as const),
      { data: [has(bob, "1"), has(vault, "8"), has(bob, "1")] },
    ],
    ["A2", { ...full2 }, list(7, ofFailed, ofCalled)],
    [
      ...(["A2", { ...full2, input: true, limit: 1, offset: 1 }] as const),
      list(7, { ...ofCalled, input: "0xabcd" }),
    ],
    [
      ...(["A2", { ...simple2, startBlock: 3n, endBlock: 9n }] as const),
      { ...list(2, briefFailed, briefCalled), to_block: "3" },
    ],
    [
      ...(["A2", { ...simple2, input: true, limit: 1 }] as const),
      { ...list(7, { ...briefFailed, input: "0x" }), to_block: "3" },
    ],
    ["A2", { ...simple2, input: true, endBlock: 0n }, { ...nothing, to_block: "0" }],
    ["A3", { address_hash: upper(vault), input: false, ...page }, list(2, second, first)],
    ["A3", { ...ofBob, input: true }, list(1, { ...first, input: "0x99" })],
    ["A3", { address_hash: vault, input: true, endBlock: 2n, ...page }, nothing],
    ["A4", ofBob, list(1, moved(moves20, "0", paid.hash))],
    ["A4", { ...ofBob, startBlock: 3n }, nothing],
    ["A4", { ...ofBob, startBlock: 2n, endBlock: 2n }, expect.objectContaining({ count: "1" })],
    ["A5", ofBob, list(1, moved(moves721, "1", minted.hash))],
    ["A5", { ...ofBob, startBlock: 3n }, nothing],
    [
      ...(["A6", ofBob] as const),
      {
        mrc_20: { count: "1", results: [{ ...held, token_decimals: "2" }] },
        mrc_721: { count: "1", results: [collected] },
      },
    ],
    ["A7", ofBob, list(1, goldFields)],
    ["A8", ofBob, list(1, artFields)],
    ["A8", { address_hash: alice, ...page }, nothing],
    [
      "A9",
      { contract_address: upper(art.address), token_address: upper(art.address), ...page },
      list(1, { contract_address: art.address, ...seven, ...artName }),
    ],
    ["A9", { contract_address: art.address, token_address: gold.address, ...page }, nothing],
    ["A9", { contract_address: bob, ...page }, nothing],
    ["A10", { address_hash: upper(miner), limit: 1, offset: 0 }, list(4, lastMined)],
    ["A10", { address_hash: bob, ...page }, nothing],
    ["T1", { ...ofGold }, { data: { total_supply: "1000" } }],
    ["T2", { ...ofGold, address_hash: upper(bob) }, { data: { balance: "30" } }],
    [
      ...(["T3", { ...ofArt, address_hash: upper(bob) }] as const),
      { ...list(1, { holder_address: bob, ...seven }), ...artName },
    ],
    ["T4", { ...ofGold }, { data: { holder_count: "2" } }],
    [
      ...(["X1", { transaction_hash: upper(failed.hash) }] as const),
      { data: { status: "0", description: "NotEnough" } },
    ],
    ["X1", { transaction_hash: called.hash }, { data: { status: "1" } }],
    ["X2", { transaction_hash: upper(failed.hash) }, { data: { status: "0" } }],
    ["X3", { ...x3, ...page }, list(2, first, second)],
    [
      ...(["X3", { ...x3, input: true, limit: 1, offset: 0 }] as const),
      list(2, { ...first, input: "0x99" }),
    ],
    ["B1", { block_number: 2n }, { data: secondBlock }],
  ])("%s %o", (id, input, expected) => {
    expect(ask(id, input)).toEqual(expected);
  });

  test("L1", () => {
    const word = (last: number) => `0x${`${last}`.padStart(64, "0")}`;
    const log = (more: object) => ({
      ...{ timestamp: times.called, address: vault, transaction_hash: called.hash },
      ...{ transaction_index: "0", log_name: null, log_abi: null },
      ...{ address_type: null, address_extra: null, topic_2: null, topic_3: null, ...more },
    });
    const some = { data: "0x12", method: "0x00000000", log_index: "0", topics_count: "2" };
    const none = { data: "0x34", method: null, log_index: "1", topics_count: "0" };
    const query = { address: upper(vault), type: "combine", operand: "and", ...page };
    const [bare, topical] = [
      log({ ...none, topic_0: null, topic_1: null }),
      log({ ...some, topic_0: word(1), topic_1: word(2) }),
    ];
    expect(ask("L1", query)).toEqual({ count: "2", data: [bare, topical] });
    expect(ask("L1", { ...query, limit: 1, offset: 1 })).toEqual({ count: "2", data: [topical] });
    expect(ask("L1", { ...query, topic_1: upper(word(2)) })).toEqual({
      count: "1",
      data: [topical],
    });
    const ofGold = () => ask("L1", { ...query, address: gold.address });
    expect(ofGold()).toMatchObject({
      count: "2",
      data: [{ data: `0x${"1e".padStart(64, "0")}` }, {}],
    });
    expect(ofGold()).toEqual(ofGold());
    expect(ask("L1", { ...query, endBlock: 2n })).toEqual(nothing);
  });

  test("A6, whose holder is a contract", () => {
    const contract = viewOf(chain, { code: () => "0x00" });
    expect(ask("A6", { address_hash: bob, ...page }, contract)).toMatchObject({
      mrc_20: { results: [{ holder_type: "1" }] },
    });
  });

  test("C1 and C2, for a verified contract", () => {
    const { verifiedAt, code, compiler, swarmSource } = chain.verified(vault) ?? {};
    expect(ask("C1", { contract_hash: upper(vault) })).toEqual({ data: [] });
    expect(ask("C2", { contract_hash: upper(vault) })).toEqual({
      data: {
        ...{ address: vault, logo: null, compiler, libraries: "[]" },
        contract_name: expect.any(String),
        verify_date: `${new Date((verifiedAt ?? 0) * 1000).toISOString().slice(0, 19)}Z`,
        ...{ runs_optimizer: "200", optimization_enabled: "1", contract_code: code },
        ...{ contract_abi: [], contract_source: "contract Vault {}", constructor_arguments: "" },
        ...{ swam_source: swarmSource, verify_status: "1", verify_message: null },
      },
    });
    const proven = {
      level: "partial",
      uncovered: ["ABI"],
      message: "Same",
      optimizationEnabled: false,
    } as const;
    const other = viewOf(chain, {
      verified: () => ({ ...(chain.verified(vault) as ContractVerification), ...proven }),
    });
    expect(ask("C2", { contract_hash: vault }, other)).toMatchObject({
      data: {
        ...{ optimization_enabled: "0", verify_message: "Same" },
        ...{ verify_level: "partial", verify_uncovered: ["ABI"] },
      },
    });
  });
});

describe("what is not there:", () => {
  const none = `0x${"de".repeat(32)}`;
  test.each<[OperationId, object, number, string]>([
    ...(["T1", "T2", "T3", "T4"] as const).map((id): [OperationId, object, number, string] => [
      ...([id, { contract_hash: bob, address_hash: bob }, 404] as const),
      `contract_hash: no token at ${bob}`,
    ]),
    ...(["X1", "X2", "X3"] as const).map((id): [OperationId, object, number, string] => [
      ...([id, { transaction_hash: none, ...page }, 404] as const),
      `transaction_hash: no transaction ${none}`,
    ]),
    ["B1", { block_number: 4n }, 404, "block_number: no block 4, the newest is 3"],
    ["C1", { contract_hash: bob }, 200, "contract is not yet verified"],
    [
      ...(["A3", { address_hash: bob, startBlock: 3n, endBlock: 2n, ...page }, 400] as const),
      "startBlock: expected a block not above endBlock (2), received 3",
    ],
  ])("%s %o is a %i: %s", (id, input, status, message) => {
    let error: unknown;
    try {
      ask(id, input);
    } catch (reason) {
      error = reason;
    }
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status, message, results: status === 200 ? {} : null });
  });

  test("X1 and X2 of a receipt without a status go by the trace, if it failed", () => {
    const old = (error: string | null) => {
      const transaction = () => ({ ...recorded(called.hash), succeeded: null, error });
      const before = viewOf(chain, { transaction });
      const input = { transaction_hash: called.hash };
      return [ask("X1", input, before), ask("X2", input, before)];
    };
    expect(old(null)).toEqual([{ data: { status: null } }, { data: { status: null } }]);
    expect(old("out of gas")).toEqual([
      { data: { status: "0", description: "out of gas" } },
      { data: { status: null } },
    ]);
    const failing = () => ({ ...recorded(failed.hash), error: null });
    const silent = viewOf(chain, { transaction: failing });
    expect(ask("X1", { transaction_hash: failed.hash }, silent)).toEqual({
      data: { status: "0", description: "transaction failed" },
    });
  });
});

describe("C3", () => {
  const submission = { contract_name: "Vault" };
  const submit = async (verdict: object, contract_hash: string = upper(vault)) => {
    const asked: unknown[] = [];
    const verify = async (...given: unknown[]) => {
      asked.push(given);
      return verdict;
    };
    const request = { headers: { "api-key": "k" } };
    const input = { contract_hash, ...submission } as never;
    const results = await Promise.resolve(
      operationHandlers.C3(chain, input, { verify } as never, request as never),
    ).catch((error: unknown) => error);
    return { asked, results };
  };

  test("gives the verifier the submission, and says how much is proven", async () => {
    const contract = { level: "partial", uncovered: ["ABI"] };
    const { asked, results } = await submit({ verified: true, message: "Same", contract });
    expect(asked).toEqual([[vault, submission, { headers: { "api-key": "k" } }]]);
    const proof = { verify_level: "partial", verify_uncovered: ["ABI"] };
    expect(results).toEqual({ data: "1", ...proof, verify_message: "Same" });
    const exact = await submit({ verified: true, message: "", contract: { level: "exact" } });
    expect(exact.results).toMatchObject({ verify_level: "exact", verify_uncovered: [] });
  });
  test.each(["contract A {}", "YQ===", "Y=Q="])(
    "needs a source in base64, not %j",
    async (text) => {
      const input = { contract_hash: vault, contract_source: text } as never;
      const services = { verify: () => Promise.reject(new Error("not asked")) };
      await expect(
        operationHandlers.C3(chain, input, services, { headers: {} } as never),
      ).rejects.toMatchObject({
        ...{ status: 400, message: `contract_source: expected base64, received "${text}"` },
      });
    },
  );
  test("needs a contract, and a verifier", async () => {
    const { asked, results } = await submit({}, bob);
    expect([asked, results]).toMatchObject([[], { status: 404 }]);
    await expect(ask("C3", { contract_hash: vault })).rejects.toMatchObject({ status: 501 });
  });
});

/** What the chain derives of the state at the head, and a live chain asks its node for; all else is in the blocks. */
const ofTheHead = /balance|code|holdings|knownHolders|knownIds|knownTokens|nfts|token/i;

test("an operation without reads of the head reads nothing of its state", () => {
  const known = {
    accounts: [alice],
    tokens: [vault],
    transactions: [recorded(paid.hash)],
    head: 3,
  };
  const inputs = askable(known);
  const ids = Object.keys(operationHandlers) as OperationId[];
  const without = ids.filter((id) => headReads[id] === null);
  expect(without.length).toBeGreaterThan(5);
  for (const id of without) {
    const read: string[] = [];
    const watched = new Proxy(chain, {
      get(target, name) {
        read.push(String(name));
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    ask(id, { ...page, condition: "all", operand: "and", ...inputs[id] }, watched);
    expect([id, read.filter((name) => ofTheHead.test(name))]).toEqual([id, []]);
    expect(read.length).toBeGreaterThan(0);
  }
});
