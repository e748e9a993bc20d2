// The types of the exported models: what zod makes of them, and what a program sees.
import { assertType, describe, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import { type AbiEntry, Transaction, type TransactionWire } from "../../src/index.ts";

describe("a model as a zod schema", () => {
  test("has the types of both its sides", () => {
    expectTypeOf<z.output<typeof Transaction>["value"]>().toEqualTypeOf<bigint>();
    expectTypeOf<z.output<typeof Transaction>["receiver"]>().toEqualTypeOf<`0x${string}` | null>();
    expectTypeOf<z.output<typeof Transaction>["timestamp"]>().toEqualTypeOf<Date>();
    assertType<z.input<typeof Transaction>>({} as TransactionWire);
    assertType<Transaction>({} as z.output<typeof Transaction>);
    expectTypeOf(z.decode(Transaction.shape.value, "1")).toEqualTypeOf<bigint>();
  });

  test("can be extended and picked from", () => {
    const Noted = z.extend(Transaction, { note: z.string() });
    expectTypeOf<z.output<typeof Noted>["note"]>().toEqualTypeOf<string>();
    expectTypeOf<z.output<typeof Noted>["value"]>().toEqualTypeOf<bigint>();
    const Short = z.pick(Transaction, { value: true });
    expectTypeOf<keyof (typeof Short)["shape"]>().toEqualTypeOf<"value">();
    const Rest = z.omit(Transaction, { value: true });
    // @ts-expect-error It has no value any more.
    Rest.shape.value;
    expectTypeOf(z.decode(z.array(Transaction), []).at(0)?.value).toEqualTypeOf<
      bigint | undefined
    >();
    // @ts-expect-error There is no such field.
    Transaction.shape.valeu;
  });
});

describe("a record as a program sees it", () => {
  test("has its known fields only, so that a misspelt one is an error", () => {
    const transaction = {} as Transaction;
    // @ts-expect-error Misspelt.
    transaction.valeu;
    const entry = {} as AbiEntry;
    // @ts-expect-error Misspelt, within a list.
    entry.inputs?.[0]?.nmae;
    expectTypeOf<AbiEntry["inputs"]>().toEqualTypeOf<
      { name: string | null; type: string }[] | null
    >();
  });

  test("on the wire has them all, but for those that are conditional", () => {
    expectTypeOf<TransactionWire["receiver"]>().toEqualTypeOf<`0x${string}` | null>();
    // @ts-expect-error Most fields are missing.
    assertType<TransactionWire>({ value: "1" });
    expectTypeOf<TransactionWire>().toHaveProperty("input");
  });
});
