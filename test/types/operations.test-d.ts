// An operation that client, service, handlers or command line lack does not compile.
import { assertType, describe, expectTypeOf, test } from "vitest";
import { createOperationHandlers, type Explorer } from "../../mocks/msw.ts";
import type { OperationHandlers } from "../../mocks/operations/handler.ts";
import type { ParameterName } from "../../src/contract/descriptions.ts";
import { parameterDescriptions } from "../../src/contract/descriptions.ts";
import type { ExplorerClient, OperationId, OperationIdOf, Operations } from "../../src/index.ts";

type Name = Operations[OperationId]["name"];
type Resource = Name extends `${infer R}.${string}` ? R : never;

declare const client: ExplorerClient;
declare const service: OperationHandlers;

/** The method of the client behind the name of an operation. */
type MethodOf<Of extends Name> =
  Of extends `${infer R extends keyof ExplorerClient}.${infer Action}`
    ? Action extends keyof ExplorerClient[R]
      ? ExplorerClient[R][Action]
      : never
    : never;

describe("every operation", () => {
  test("has a group and a method in the client", () => {
    assertType<Record<Resource, object>>(client);
    expectTypeOf<{ [Of in Name as MethodOf<Of> extends never ? Of : never]: Of }>().toEqualTypeOf<
      Record<never, never>
    >();
  });

  test("that the client lacks is an error", () => {
    const { blocks: _, ...rest } = client;
    // @ts-expect-error B1 is missing.
    assertType<Record<Resource, object>>(rest);
  });

  test("has a function in the service; one that is missing is an error", () => {
    expectTypeOf<keyof OperationHandlers>().toEqualTypeOf<OperationId>();
    const { A2: _, ...rest } = service;
    // @ts-expect-error A2 is missing.
    assertType<OperationHandlers>(rest);
  });

  test("that the service answers wrongly is an error", () => {
    // @ts-expect-error The holders of T4 are no total supply.
    assertType<OperationHandlers>({ ...service, T1: service.T4 });
  });

  test("has an MSW handler of its own", () => {
    const handlers = createOperationHandlers({} as Explorer);
    expectTypeOf<keyof typeof handlers>().toEqualTypeOf<OperationId>();
  });

  test("is named by its number or by the client's method in faults and in the journal", () => {
    expectTypeOf<OperationIdOf<"accounts.transactions">>().toEqualTypeOf<"A2">();
    const { faults, journal } = {} as Explorer;
    expectTypeOf(faults.add).toBeCallableWith({ fault: "never", operation: ["A1", "blocks.get"] });
    expectTypeOf(journal.count).toBeCallableWith("accounts.transactions", { condition: "to" });
    // @ts-expect-error blocks.get has no such parameter.
    void (() => journal.count("blocks.get", { condition: "to" }));
    // @ts-expect-error There is no such method.
    void (() => journal.count("blocks.gte"));
  });

  test("has its parameters described, for the command line and the documents", () => {
    const { condition: _, ...rest } = parameterDescriptions;
    // @ts-expect-error condition is missing.
    assertType<Readonly<Record<ParameterName, string>>>(rest);
  });
});
