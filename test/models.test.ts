// The exported models are zod schemas like any other: they can be taken apart, extended, and given to whatever takes a schema.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { SimpleTransaction, Transaction, VerifiedContract } from "../src/index.ts";

const address = `0x${"ab".repeat(20)}` as const;
const hash = `0x${"cd".repeat(32)}` as const;

const wire = {
  timestamp: "2024-01-01T00:00:00Z",
  sender: address,
  receiver: null,
  value: "9007199254740993",
  confirmations: "3",
  transaction_hash: hash,
  block_hash: hash,
  transaction_index: "0",
  tx_status: "1",
  block_number: "90",
  gas_price: "7",
  cumulative_gas_used: "21000",
  gas_used: "21000",
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
} as const;

describe("a model", () => {
  test("has a shape, whose fields are schemas of their own", () => {
    expect(z.decode(Transaction.shape.value, "12")).toBe(12n);
    expect(z.encode(Transaction.shape.timestamp, new Date(0))).toBe("1970-01-01T00:00:00Z");
    expect(z.decode(Transaction.shape.receiver, undefined)).toBeNull();
  });

  test("can be extended, picked from, and stripped of fields", () => {
    const Noted = z.extend(Transaction, { note: z.string() });
    expect(z.decode(Noted, { ...wire, note: "rent" })).toMatchObject({
      note: "rent",
      value: 9_007_199_254_740_993n,
    });
    expect(z.safeDecode(Noted, wire as never).success).toBe(false);
    const Short = z.pick(Transaction, { value: true, sender: true });
    expect(Object.keys(Short.shape)).toEqual(["value", "sender"]);
    expect(z.decode(Short, { sender: address, value: "1" })).toEqual({
      sender: address,
      value: 1n,
    });
    const Rest = z.omit(Transaction, { value: true });
    expect(Rest.shape).not.toHaveProperty("value");
    expect(z.safeDecode(Rest, { ...wire, value: "odd" }).success).toBe(true);
  });

  test("can be part of other schemas", () => {
    const [first] = z.decode(z.array(Transaction), [wire]);
    expect(first?.block_number).toBe(90n);
    const Account = z.object({ newest: z.optional(SimpleTransaction) });
    expect(z.decode(Account, {})).toEqual({});
  });

  test("has a JSON Schema, of its wire form", () => {
    expect(z.toJSONSchema(Transaction, { io: "input" })).toMatchObject({
      type: "object",
      properties: {
        value: { type: "string", pattern: "^[0-9]{1,78}$" },
        timestamp: { type: "string", format: "date-time" },
        receiver: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
    });
    expect(z.toJSONSchema(VerifiedContract)).toHaveProperty("properties.contract_abi");
  });

  test("is a Standard Schema", async () => {
    const { vendor, validate } = Transaction["~standard"];
    expect(vendor).toBe("zod");
    expect(await validate(wire)).toEqual({ value: z.decode(Transaction, wire) });
    expect(await validate({})).toHaveProperty("issues.length", 6);
  });
});
