// Decodes failures, calls and logs by verified sources, through proxies, and by standard signatures.

import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
} from "viem";
import { describe, expect, test } from "vitest";
import type { CallMessage } from "../../mocks/builder/frame.ts";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { Decoder } from "../../mocks/inspect/decode.ts";
import { loadDemo } from "../../mocks/node.ts";
import { lookEachTest } from "./served.ts";

const look = lookEachTest();

const vaultAbi = parseAbi([
  "constructor(address owner, uint256 fee)",
  "function withdraw(uint256 shares)",
  "event Withdrawn(address indexed by, string indexed note, uint256 shares, (uint256 id, string name) receipt)",
  "error NotEnoughShares(uint256 has, uint256 wants)",
]);
const bankAbi = parseAbi(["error BankClosed(string why)", "function take(uint256 amount)"]);
const standard = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "function transfer(address to, uint256 value)",
]);

const withdraw = encodeFunctionData({ abi: vaultAbi, functionName: "withdraw", args: [999n] });
const take = encodeFunctionData({ abi: bankAbi, functionName: "take", args: [7n] });
const notEnough = encodeErrorResult({
  abi: vaultAbi,
  errorName: "NotEnoughShares",
  args: [100n, 999n],
});
const closed = encodeErrorResult({ abi: bankAbi, errorName: "BankClosed", args: ["on Sundays"] });
const message = (text: string) =>
  encodeErrorResult({ abi: standard, errorName: "Error", args: [text] });

function scene() {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice", balance: coins(100) });
  const [vault, bank] = [builder.deploy(alice).address, builder.deploy(alice).address];
  const proxy = builder.deploy(alice, {
    code: `0x363d3d373d3d3d363d73${vault.slice(2)}5af43d82803e903d91602b57fd5bf3`,
  }).address;
  const token = builder.deployMRC20(alice, { name: "Aurora", symbol: "AUR", decimals: 6 });
  builder.mine();
  builder.verify(vault, { contractName: "Vault", abi: vaultAbi, source: "contract Vault {}" });
  builder.verify(bank, { contractName: "Bank", abi: bankAbi, source: "contract Bank {}" });
  return { builder, alice, vault, bank, proxy, token };
}

type Scene = ReturnType<typeof scene>;

/** Sends a failing call, by default to the vault, and returns what the page shows of it. */
async function failureOf(call: (scene: Scene) => Partial<CallMessage>) {
  const given = scene();
  const { builder, alice, vault } = given;
  const sent = builder.call(alice, { to: vault, input: withdraw, ...call(given) });
  builder.mine();
  const { ask } = await look({ chain: builder });
  const { failure } = await ask("transaction", { hash: sent.hash });
  return { ...given, failure, calls: (await ask("calls", { hash: sent.hash })).calls };
}

describe("why a transaction failed", () => {
  test.each<[string, string, string, string]>([
    ["the message of a require", message("not yours"), "message", "not yours"],
    ["an empty message", message(""), "message", ""],
    [
      "a panic",
      encodeErrorResult({ abi: standard, errorName: "Panic", args: [0x12n] }),
      "panic",
      "division or modulo by zero",
    ],
    [
      "a panic without a name",
      encodeErrorResult({ abi: standard, errorName: "Panic", args: [0x99n] }),
      "panic",
      "Panic(153)",
    ],
    ["a custom error", notEnough, "error", "NotEnoughShares(has: 100, wants: 999)"],
    [
      "an error of a standard, in an unverified contract",
      encodeErrorResult({
        abi: standard,
        errorName: "ERC20InsufficientBalance",
        args: ["0x00000000000000000000000000000000000000aa", 1n, 2n],
      }),
      "error",
      "ERC20InsufficientBalance(sender: 0x00000000000000000000000000000000000000aa, balance: 1, needed: 2)",
    ],
    ["bytes that no ABI has", "0xdeadbeef01", "bytes", "0xdeadbeef01"],
    ["bytes too few for a selector", "0xde", "bytes", "0xde"],
    [
      "an error whose arguments are cut off",
      notEnough.slice(0, 60),
      "bytes",
      notEnough.slice(0, 60),
    ],
    ["no reason", "execution reverted", "none", "reverted without a reason"],
    ["what only the node says", "out of gas", "none", "out of gas"],
  ])("is %s", async (_, fails, kind, reason) => {
    const { failure } = await failureOf(() => ({ fails }));
    expect(failure).toMatchObject({ kind, reason, output: fails.startsWith("0x") ? fails : "0x" });
  });

  test("is a function that the verified source does not have", async () => {
    const { failure } = await failureOf(() => ({ input: "0x12345678", fails: "reverted" }));
    expect(failure?.reason).toBe("reverted without a reason, and its source has no such function");
  });

  test("is null for a transaction that succeeded", async () => {
    expect((await failureOf(() => ({}))).failure).toBeNull();
  });

  test("began in the contract that raised the error, whose source decodes it", async () => {
    const { failure, vault, bank } = await failureOf(({ bank }) => ({
      does: (frame) => frame.call({ to: bank, input: take, fails: closed }),
      fails: closed,
    }));
    expect(failure?.reason).toBe("BankClosed(why: on Sundays)");
    expect(failure?.error?.arguments).toMatchObject([{ name: "why", value: "on Sundays" }]);
    expect(failure?.path).toMatchObject([
      { address: vault, trace_address: [], passed_on: true, call: { name: "withdraw" } },
      { address: bank, trace_address: [0], passed_on: false, call: { name: "take" } },
    ]);
  });

  test("is the caller's own error, if it replaces the error of the call within it", async () => {
    const { failure } = await failureOf(({ bank }) => ({
      does: (frame) => frame.call({ to: bank, input: take, fails: closed }),
      fails: message("bank failed"),
    }));
    expect(failure).toMatchObject({
      reason: "bank failed",
      path: [
        { reason: "bank failed", error: null, passed_on: false },
        {
          ...{ reason: "BankClosed(why: on Sundays)", passed_on: false },
          error: { signature: "BankClosed(string)" },
        },
      ],
    });
  });

  test("is not the error of a call that was caught", async () => {
    const { failure } = await failureOf(({ bank }) => ({
      does(frame) {
        frame.call({ to: bank, input: take, fails: closed });
        frame.call({ to: bank, input: take });
      },
      fails: notEnough,
    }));
    expect(failure?.path).toHaveLength(1);
    expect(failure?.reason).toBe("NotEnoughShares(has: 100, wants: 999)");
  });

  test("is a call's lack of gas, which its callers pass on without data", async () => {
    const { failure } = await failureOf(({ bank }) => ({
      does: (frame) => frame.call({ to: bank, fails: "out of gas" }),
      fails: "execution reverted",
    }));
    expect(failure?.reason).toBe("out of gas");
  });

  test("is decoded by the source behind a proxy", async () => {
    const { failure, calls } = await failureOf(({ proxy, vault }) => ({
      to: proxy,
      does: (frame) => frame.delegatecall({ to: vault, input: withdraw, fails: notEnough }),
      fails: notEnough,
    }));
    expect(failure?.reason).toBe("NotEnoughShares(has: 100, wants: 999)");
    expect(calls.map(({ call }) => call?.name)).toEqual(["withdraw", "withdraw"]);
  });

  test("is known for constructors", async () => {
    const { builder, alice } = scene();
    const sent = builder.deploy(alice, { fails: message("no owner") });
    builder.mine();
    const { ask } = await look({ chain: builder });
    const { failure } = await ask("transaction", { hash: sent.hash });
    expect(failure).toMatchObject({ reason: "no owner", path: [{ address: sent.address }] });
    // Without a node there are no steps.
    expect((await ask("source", { hash: sent.hash })).place).toBeNull();
  });
});

describe("what happened", () => {
  test("a call that failed within one that succeeded says why", async () => {
    const { calls, failure } = await failureOf(({ bank }) => ({
      does: (frame) => frame.call({ to: bank, input: take, fails: closed }),
    }));
    expect(failure).toBeNull();
    expect(calls).toMatchObject([
      { trace_address: [], reason: null, call: { name: "withdraw", is_standard: false } },
      {
        ...{ trace_address: [0], reason: "BankClosed(why: on Sundays)", undone: true },
        error: { name: "BankClosed", arguments: [{ name: "why", value: "on Sundays" }] },
      },
    ]);
  });

  test("amounts of a token know its decimals, by standard signatures alone", async () => {
    const { builder, alice, vault, token } = scene();
    const input = encodeFunctionData({
      abi: standard,
      functionName: "transfer",
      args: [vault, 1_500_000n],
    });
    const failed = builder.call(alice, { to: token.address, input, fails: message("paused") });
    token.mint(alice, 1n);
    const moved = token.transfer(alice, vault, 1n);
    builder.mine();
    const { ask } = await look({ chain: builder });
    const { call, transaction } = await ask("transaction", { hash: failed.hash });
    expect(transaction).toMatchObject({ method: "0xa9059cbb", method_name: "transfer" });
    expect(call).toMatchObject({
      signature: "transfer(address,uint256)",
      is_standard: true,
      arguments: [
        { name: "to", type: "address", value: vault, decimals: null },
        { name: "value", value: "1500000", decimals: 6, symbol: "AUR" },
      ],
    });
    const { logs } = await ask("transaction", { hash: moved.hash });
    expect(logs[0]?.event?.arguments.map(({ name, value }) => [name, value])).toEqual([
      ["from", alice],
      ["to", vault],
      ["value", "1"],
    ]);
    const { transactions } = await ask("transactions", {});
    expect(transactions[0]?.method_name).toBe("transfer");
    const { transfers } = await ask("transfers", { token: token.address });
    expect(transfers[0]).toMatchObject({ method: "0xa9059cbb", method_name: "transfer" });
  });

  test("an event has its arguments in order, and the hash of an indexed text", async () => {
    const { builder, alice, vault } = scene();
    const [note] = [`0x${"ab".repeat(32)}` as const];
    const data = encodeAbiParameters(
      [
        { type: "uint256" },
        { type: "tuple", components: [{ type: "uint256" }, { type: "string" }] },
      ],
      [5n, [1n, "first"]],
    );
    const topic = toEventSelector("Withdrawn(address,string,uint256,(uint256,string))");
    const sent = builder.call(alice, {
      to: vault,
      does(frame) {
        frame.emit([topic, BigInt(alice), note], data);
        // An anonymous log, an unknown event, and a log with too few topics.
        frame.emit([], data);
        frame.emit([note]);
        frame.emit([topic, BigInt(alice)], data);
      },
    });
    builder.mine();
    const { ask } = await look({ chain: builder });
    const { logs } = await ask("transaction", { hash: sent.hash });
    expect(logs[0]?.event?.arguments.map(({ name, value }) => [name, value])).toEqual([
      ["by", alice],
      ["note", note],
      ["shares", "5"],
      ["receipt", '{"id":"1","name":"first"}'],
    ]);
    expect(logs.slice(1).map(({ event }) => event)).toEqual([null, null, null]);
  });

  test("data that unfolds to too many values stays as bytes", async () => {
    const { builder, alice, vault } = scene();
    const abi = parseAbi(["event Bomb(uint256[][][][] all)"]);
    builder.verify(vault, { contractName: "Bomb", abi, source: "contract Bomb {}" });
    const topic = toEventSelector("Bomb(uint256[][][][])");
    // Nested arrays, whose nine offsets point to the same array: 6561 numbers in 1.4 kB.
    const word = (number: number) => number.toString(16).padStart(64, "0");
    const nested = `${word(9)}${word(9 * 32).repeat(9)}`;
    const bomb = `0x${word(32)}${nested.repeat(3)}${word(9)}${word(7).repeat(9)}` as const;
    const sent = builder.call(alice, {
      to: vault,
      does(frame) {
        for (let count = 0; count < 500; count += 1) frame.emit([topic], bomb);
      },
    });
    builder.mine();
    const { ask } = await look({ chain: builder });
    const { logs } = await ask("transaction", { hash: sent.hash });
    expect(logs[0]?.event?.arguments[0]?.value).toMatch(/^\[\[\[\["7",.{1900,2000}…$/);
    expect(logs.at(-1)).toMatchObject({ event: null, data: bomb });
  });
});

test("after five pieces of data that do not fit, an answer decodes no more", () => {
  const { builder, alice, token } = scene();
  const args = [alice, 1n] as const;
  const fits = encodeFunctionData({ abi: standard, functionName: "transfer", args });
  const decodedAfter = (misfits: number) => {
    const decoder = new Decoder(builder.chain);
    for (let count = 0; count < misfits; count++)
      expect(decoder.call(token.address, `${fits.slice(0, 10)}00` as `0x${string}`)).toBeNull();
    return decoder.call(token.address, fits)?.name;
  };
  expect([0, 4, 5].map(decodedAfter)).toEqual(["transfer", "transfer", undefined]);
});

test("without return values, the arguments of fifty calls are decoded", async () => {
  const { ask } = await look({ chain: await loadDemo({ verified: true }) });
  const hash = "0x2fac47fdcd21943d55c8ef8e1b3cd7e1f02e11e2302caa687200ee7449e88c37";
  const { calls } = await ask("calls", { hash });
  expect(calls.length).toBe(52);
  expect(calls.filter(({ call }) => call === null)).toEqual([]);
});
