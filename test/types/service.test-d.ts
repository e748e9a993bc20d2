// A service that lacks an operation, or answers one in another form, does not compile.
import { expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";
import type { FaultName } from "../../mocks/faults/fault.ts";
import type { faultSchema } from "../../mocks/faults/parse-fault.ts";
import type { Service } from "../../mocks/operations/handler.ts";
import { service } from "../../mocks/operations/index.ts";
import type { OperationId } from "../../src/contract/index.ts";

test("the service has a handler for every operation, and for nothing else", () => {
  expectTypeOf<keyof Service>().toEqualTypeOf<OperationId>();
  expectTypeOf(service).toEqualTypeOf<Service>();
});

test("a missing operation does not compile", () => {
  const { L1: _, ...incomplete } = service;
  // @ts-expect-error L1 is missing
  const broken: Service = incomplete;
  void broken;
});

test("an answer in another form does not compile", () => {
  // @ts-expect-error a balance is a decimal string, not a number
  const asNumber: Service["T2"] = () => ({ data: { balance: 7 } });
  // @ts-expect-error the results stand under data
  const bare: Service["T1"] = () => ({ total_supply: "7" });
  // @ts-expect-error the contract has no such parameter
  const misread: Service["B1"] = (_, { block }) => ({ data: block });
  void [asNumber, bare, misread];
});

test("an operation's input is what the contract decodes", () => {
  type Asked = Parameters<Service["A2"]>[1];
  expectTypeOf<Asked["limit"]>().toEqualTypeOf<number>();
  expectTypeOf<Asked["startBlock"]>().toEqualTypeOf<bigint | undefined>();
  expectTypeOf<Asked["condition"]>().toEqualTypeOf<"all" | "to" | "from" | "contract">();
});

test("a fault of the language that the schema does not understand does not compile", () => {
  expectTypeOf<z.output<typeof faultSchema>["fault"]>().toEqualTypeOf<FaultName>();
});
