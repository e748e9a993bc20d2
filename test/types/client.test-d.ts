// The types a caller of the client sees: what each method gives, what it refuses, and that viem takes the ABIs.
import {
  decodeEventLog,
  encodeFunctionData,
  formatEther,
  getAbiItem,
  type Abi as ViemAbi,
} from "viem";
import { assertType, describe, expectTypeOf, test } from "vitest";
import type {
  Abi,
  AccountBalance,
  AccountEvent,
  BlockReward,
  EventLog,
  ExplorerClient,
  HolderInventory,
  Mrc20Transfer,
  OperationResults,
  Operations,
  ResultPromise,
  SimpleTransaction,
  Status,
  TokenHolding,
  Transaction,
} from "../../src/index.ts";
import { isExplorerError, operations } from "../../src/index.ts";

declare const explorer: ExplorerClient;
const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const hash: `0x${string}` = "0x";

describe("what methods give", () => {
  test("single values", () => {
    expectTypeOf(explorer.tokens.totalSupply(address)).toEqualTypeOf<
      ResultPromise<bigint | null>
    >();
    expectTypeOf(explorer.tokens.holderCount(address)).resolves.toEqualTypeOf<number | null>();
    expectTypeOf(
      explorer.tokens.inventory(address, address),
    ).resolves.toEqualTypeOf<HolderInventory>();
    expectTypeOf(explorer.accounts.balance(address)).resolves.toEqualTypeOf<bigint>();
    expectTypeOf(explorer.transactions.status(hash)).resolves.toEqualTypeOf<Status | null>();
    expectTypeOf(explorer.blocks.get(1)).resolves.toEqualTypeOf<BlockReward>();
    expectTypeOf(explorer.blocks.get(1n).withResponse()).resolves.toHaveProperty("response");
  });

  test("lists: a page when awaited, records when iterated", async () => {
    const page = await explorer.eventLogs.list({ address });
    expectTypeOf(page.data).toEqualTypeOf<EventLog[]>();
    for await (const log of explorer.eventLogs.list({ address }))
      expectTypeOf(log).toEqualTypeOf<EventLog>();
    for await (const token of explorer.accounts.tokens(address)) {
      expectTypeOf(token).toEqualTypeOf<TokenHolding>();
      if (token.standard === "mrc20")
        expectTypeOf(token.token_decimals).toEqualTypeOf<number | null>();
    }
    for await (const balance of explorer.accounts.balances([address]))
      expectTypeOf(balance).toEqualTypeOf<AccountBalance>();
  });

  test("simple changes the type of the records", async () => {
    const full = await explorer.accounts.transactions(address);
    expectTypeOf(full.data).toEqualTypeOf<Transaction[]>();
    const plain = await explorer.accounts.transactions(address, { simple: false });
    expectTypeOf(plain.data).toEqualTypeOf<Transaction[]>();
    const simple = await explorer.accounts.transactions(address, { simple: true, limit: 5 });
    expectTypeOf(simple.data).toEqualTypeOf<SimpleTransaction[]>();
    expectTypeOf(simple.results.to_block).toEqualTypeOf<bigint | null | undefined>();
    // @ts-expect-error The fee is in the simple form only.
    full.data[0]?.tx_fee;
    // @ts-expect-error The block's hash is in the full form only.
    simple.data[0]?.block_hash;
    const either = await explorer.accounts.transactions(address, { simple: Math.random() > 0.5 });
    expectTypeOf(either.data).toEqualTypeOf<(Transaction | SimpleTransaction)[]>();
  });

  test("fields that may be null say so, and others do not", () => {
    expectTypeOf<Transaction["receiver"]>().toEqualTypeOf<`0x${string}` | null>();
    expectTypeOf<Transaction["sender"]>().toEqualTypeOf<`0x${string}`>();
    expectTypeOf<Transaction["value"]>().toEqualTypeOf<bigint>();
    expectTypeOf<Transaction["timestamp"]>().toEqualTypeOf<Date>();
    expectTypeOf<Transaction["input"]>().toEqualTypeOf<`0x${string}` | null | undefined>();
    assertType<string>(formatEther({} as Transaction["value"]));
  });

  test("watching: events of the kinds asked for", async () => {
    for await (const event of explorer.accounts.watch(address, { kinds: ["mrc20Transfer"] })) {
      expectTypeOf(event.kind).toEqualTypeOf<"mrc20Transfer">();
      expectTypeOf(event.record).toEqualTypeOf<Mrc20Transfer>();
    }
    const kinds: AccountEvent["kind"][] = [];
    for await (const event of explorer.accounts.watch(address, { kinds }))
      expectTypeOf(event).toEqualTypeOf<AccountEvent>();
    for await (const { kind } of explorer.accounts.watch(address))
      expectTypeOf(kind).toEqualTypeOf<"transaction" | "mrc20Transfer" | "mrc721Transfer">();
    // @ts-expect-error There is no such kind.
    explorer.accounts.watch(address, { kinds: ["transfer"] });
  });

  test("any operation of the contract, by the escape hatch", () => {
    expectTypeOf(
      explorer.request(operations.T1, { contract_hash: address }),
    ).resolves.toEqualTypeOf<OperationResults<Operations["T1"]>>();
    expectTypeOf(explorer.request("T1", { contract_hash: address })).resolves.toEqualTypeOf<
      OperationResults<Operations["T1"]>
    >();
    expectTypeOf(
      explorer.request("tokens.totalSupply", { contract_hash: address }),
    ).resolves.toEqualTypeOf<OperationResults<Operations["T1"]>>();
    // @ts-expect-error The method does not exist.
    explorer.request("tokens.supply", { contract_hash: address });
    // @ts-expect-error There is no such operation.
    explorer.request("T9", { contract_hash: address });
    // @ts-expect-error The contract is missing.
    explorer.request(operations.T1, {});
    // @ts-expect-error There is no such parameter.
    explorer.request(operations.T1, { contract_hash: address, contract: address });
  });
});

describe("what methods refuse", () => {
  test("wrong parameters", () => {
    // @ts-expect-error An address begins with 0x.
    explorer.tokens.totalSupply("5fbdb2315678afecb367f032d93f642f64180aa3");
    // @ts-expect-error A block is a number.
    explorer.blocks.get("latest");
    // @ts-expect-error There is no such role.
    explorer.accounts.transactions(address, { condition: "sender" });
    // @ts-expect-error Misspelt.
    explorer.accounts.transactions(address, { startblock: 1 });
    // @ts-expect-error Logs are those of a contract.
    explorer.eventLogs.list({});
    // @ts-expect-error Transfers have no simple form.
    explorer.accounts.mrc20Transfers(address, { simple: true });
    // @ts-expect-error The source is missing.
    explorer.contracts.verify(address, { contract_name: "A", compiler: "v0.8.20" });
  });
});

test("viem takes the ABI as its own", async () => {
  const abi: Abi = await explorer.contracts.abi(address);
  assertType<ViemAbi>(abi);
  decodeEventLog({ abi, data: "0x", topics: [hash] });
  encodeFunctionData({ abi, functionName: "transfer", args: [address, 1n] });
  getAbiItem({ abi, name: "transfer" });
});

test("a code narrows an error to its class", () => {
  const error: unknown = null;
  if (isExplorerError(error)) expectTypeOf(error.attempts).toEqualTypeOf<number>();
  if (isExplorerError(error, "RATE_LIMIT"))
    expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>();
  if (isExplorerError(error, "RESPONSE_VALIDATION"))
    expectTypeOf(error.path).toEqualTypeOf<string | undefined>();
});
