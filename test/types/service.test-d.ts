// A service that lacks an operation, or answers one in another form, does not compile.
import { expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";
import type { Explorer } from "../../mocks/double/explorer.ts";
import type { FaultName } from "../../mocks/double/faults/fault.ts";
import type { faultSchema } from "../../mocks/double/faults/parse-fault.ts";
import type { OperationHandlers } from "../../mocks/double/operations/handler.ts";
import { operationHandlers } from "../../mocks/double/operations/index.ts";
import type { OperationId } from "../../src/contract/index.ts";

test("the service has a handler for every operation, and for nothing else", () => {
  expectTypeOf<keyof OperationHandlers>().toEqualTypeOf<OperationId>();
  expectTypeOf(operationHandlers).toEqualTypeOf<OperationHandlers>();
});

test("a missing operation does not compile", () => {
  const { L1: _, ...incomplete } = operationHandlers;
  // @ts-expect-error L1 is missing
  const broken: OperationHandlers = incomplete;
  void broken;
});

test("an answer in another form does not compile", () => {
  // @ts-expect-error a balance is a decimal string, not a number
  const asNumber: OperationHandlers["T2"] = () => ({ data: { balance: 7 } });
  // @ts-expect-error the results stand under data
  const bare: OperationHandlers["T1"] = () => ({ total_supply: "7" });
  // @ts-expect-error the contract has no such parameter
  const misread: OperationHandlers["B1"] = (_, { block }) => ({ data: block });
  void [asNumber, bare, misread];
});

test("an operation's input is what the contract decodes", () => {
  type Asked = Parameters<OperationHandlers["A2"]>[1];
  expectTypeOf<Asked["limit"]>().toEqualTypeOf<number>();
  expectTypeOf<Asked["startBlock"]>().toEqualTypeOf<bigint | undefined>();
  expectTypeOf<Asked["condition"]>().toEqualTypeOf<"all" | "to" | "from" | "contract">();
});

test("a fault of the language that the schema does not understand does not compile", () => {
  expectTypeOf<z.output<typeof faultSchema>["fault"]>().toEqualTypeOf<FaultName>();
});

test("a preset is one of those that there are, and no fault beside", () => {
  type Given = Parameters<Explorer["faults"]["add"]>[0];
  expectTypeOf<{ preset: "offline"; operation: "A2" }>().toExtend<Given>();
  expectTypeOf<{ preset: "offlin" }>().not.toExtend<Given>();
});
