// The helpers for records, held against viem, and the decoding recipe with viem and with ox on
// the demo chain.
import * as fc from "fast-check";
import { type Abi, AbiEvent, AbiFunction } from "ox";
import {
  decodeEventLog,
  decodeFunctionData,
  encodeEventTopics,
  formatUnits,
  getAddress,
  isAddressEqual,
} from "viem";
import { describe, expect, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/node.ts";
import {
  type Address,
  ExplorerClient,
  formatTokenAmount,
  isExplorerError,
  sameAddress,
  topicsOf,
} from "../../src/index.ts";
import { runs } from "../support/runs.ts";

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString("hex")}`);

test("addresses are the same whatever their case, as viem has it", () => {
  fc.assert(
    fc.property(address, address, (one, other) => {
      expect(sameAddress(one, getAddress(one))).toBe(true);
      expect(sameAddress(`0x${one.slice(2).toUpperCase()}`, one)).toBe(true);
      expect(sameAddress(one, other)).toBe(isAddressEqual(one, other));
      for (const missing of [null, undefined])
        expect([sameAddress(one, missing), sameAddress(missing, one)]).toEqual([false, false]);
    }),
    { numRuns: runs(200) },
  );
  expect(sameAddress(null, null)).toBe(false);
});

test("amounts are written exactly, as viem writes them", () => {
  fc.assert(
    fc.property(fc.bigInt(-(1n << 256n), 1n << 256n), fc.integer({ min: 0, max: 255 }), (n, at) => {
      expect(formatTokenAmount(n, at)).toBe(formatUnits(n, at));
      expect(formatTokenAmount(n % 1000n, at)).toBe(formatUnits(n % 1000n, at));
      expect(formatTokenAmount(n, null)).toBe(`${n}`);
    }),
    { numRuns: runs(500) },
  );
  expect(formatTokenAmount(75_500_000n, 6)).toBe("75.5");
  expect(formatTokenAmount(0n, 2)).toBe("0");
  for (const decimals of [-1, 1.5, 256, Number.NaN]) {
    const refused = () => formatTokenAmount(1n, decimals);
    expect(refused).toThrow(expect.toSatisfy((error) => isExplorerError(error, "PARAMETER")));
    expect(refused).toThrow("Invalid amount: decimals: expected an integer from 0 to 255");
  }
});

describe("logs and call data of a verified contract", async () => {
  const mock = createExplorer({ chain: await loadDemo({ verified: true }) });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
  const abi = await explorer.contracts.abi(token);
  const oxAbi: Abi.Abi = abi;

  test("are decoded by viem and by ox alike", async () => {
    const logs = await explorer.eventLogs.list({ address: token }).collect();
    expect(logs.length).toBeGreaterThan(10);
    for (const log of logs) {
      const topics = topicsOf(log);
      expect(topics).toHaveLength(log.topics_count);
      const { eventName, args } = decodeEventLog({ abi, data: log.data, topics });
      const event = AbiEvent.fromAbi(oxAbi, topics[0] ?? "0x");
      expect(event.name).toBe(eventName);
      expect(AbiEvent.decode(event, { data: log.data, topics: topics as [`0x${string}`] })).toEqual(
        args,
      );
      // There and back.
      expect(encodeEventTopics({ abi, eventName, args } as never)).toEqual(topics);
    }
    const query = { condition: "to", input: true } as const;
    const calls = await explorer.accounts.transactions(token, query).collect();
    const inputs = calls.flatMap(({ input }) => (input && input !== "0x" ? [input] : []));
    expect(inputs.length).toBeGreaterThan(10);
    for (const data of inputs) {
      const { functionName, args } = decodeFunctionData({ abi, data });
      const called = AbiFunction.fromAbi(oxAbi, data);
      expect(called.name).toBe(functionName);
      expect([AbiFunction.decodeData(called, data) ?? []].flat()).toEqual([...(args ?? [])]);
    }
  });
});

test("a log without topics has none", () => {
  expect(topicsOf({ topic_0: null, topic_1: null, topic_2: null, topic_3: null })).toEqual([]);
});
