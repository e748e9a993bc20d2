// An operation that client, service, handlers or command line lack does not compile.
import { assertType, describe, expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";
import type { FaultName } from "../../mocks/faults/fault.ts";
import type { faultSchema } from "../../mocks/faults/parse-fault.ts";
import type { Explorer } from "../../mocks/msw.ts";
import type { OperationHandlers } from "../../mocks/operations/handler.ts";
import { type ParameterName, parameterDescriptions } from "../../src/contract/descriptions.ts";
import { dataOf, operationsOf } from "../../src/contract/operation.ts";
import type {
  EventLogsQuery,
  ExplorerClient,
  InternalTransactionsQuery,
  InventoryQuery,
  ListInput,
  ListOperation,
  MinedBlocksQuery,
  OperationId,
  OperationIdOf,
  OperationInput,
  OperationName,
  OperationResults,
  Operations,
  PageQuery,
  PageResults,
  ReferencedOperation,
  SimpleTransactionsResults,
  Transaction,
  TransactionInternalTransactionsQuery,
  TransactionsQuery,
  TransfersQuery,
  VerificationSubmission,
} from "../../src/index.ts";
import { defineDialect, dialects } from "../../src/index.ts";
import { address } from "../../src/models/primitives.ts";

const results = dataOf(address);

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

/** Two types with the same fields, each of the same type. */
type SameFields<One, Other> = [keyof One, keyof Other] extends [keyof Other, keyof One]
  ? { [Field in keyof One]: One[Field] } extends { [Field in keyof Other]: Other[Field] }
    ? { [Field in keyof Other]: Other[Field] } extends { [Field in keyof One]: One[Field] }
      ? true
      : "a field has another type"
    : "a field has another type"
  : "a field is missing";

/** The query of a list method: the input of its operation without what the method takes as arguments. */
type QueryOf<Op extends ListOperation, Argument extends string> = Omit<ListInput<Op>, Argument>;

describe("the parameters the editor shows", () => {
  test("are those of the contract, field by field", () => {
    assertType<SameFields<TransactionsQuery, QueryOf<Operations["A2"], "address_hash">>>(true);
    assertType<SameFields<InternalTransactionsQuery, QueryOf<Operations["A3"], "address_hash">>>(
      true,
    );
    assertType<SameFields<TransfersQuery, QueryOf<Operations["A4"], "address_hash">>>(true);
    assertType<SameFields<TransfersQuery, QueryOf<Operations["A5"], "address_hash">>>(true);
    assertType<SameFields<PageQuery, QueryOf<Operations["A6"], "address_hash">>>(true);
    assertType<SameFields<PageQuery, QueryOf<Operations["A7"], "address_hash">>>(true);
    assertType<SameFields<PageQuery, QueryOf<Operations["A8"], "address_hash">>>(true);
    assertType<SameFields<InventoryQuery, QueryOf<Operations["A9"], "contract_address">>>(true);
    assertType<SameFields<MinedBlocksQuery, QueryOf<Operations["A10"], "address_hash">>>(true);
    assertType<
      SameFields<
        TransactionInternalTransactionsQuery,
        QueryOf<Operations["X3"], "transaction_hash">
      >
    >(true);
    // The client takes the name of an event, too, and sends its hash.
    type Hashed = Omit<EventLogsQuery, "topic_0" | "event" | "args"> &
      Pick<OperationInput<Operations["L1"]>, "topic_0">;
    assertType<SameFields<Hashed, QueryOf<Operations["L1"], never>>>(true);
    expectTypeOf<keyof OperationInput<Operations["C3"]>>().toEqualTypeOf<
      Exclude<keyof VerificationSubmission | "contract_source" | "contract_hash", "source">
    >();
  });

  test("that lack a field of the contract, or have another type, are errors", () => {
    type Query = QueryOf<Operations["A2"], "address_hash">;
    // @ts-expect-error `condition` is missing.
    assertType<SameFields<Omit<TransactionsQuery, "condition">, Query>>(true);
    // @ts-expect-error `limit` is a number.
    assertType<SameFields<Omit<TransactionsQuery, "limit"> & { limit?: string }, Query>>(true);
  });

  test("lead to results the contract defines", () => {
    expectTypeOf<OperationResults<Operations["A3"]>["count"]>().toEqualTypeOf<
      PageResults<Transaction>["count"]
    >();
    assertType<OperationResults<Operations["A2"]>>({} as SimpleTransactionsResults);
    assertType<OperationResults<Operations["A2"]>>({} as PageResults<Transaction>);
  });
});

describe("an operation by method name", () => {
  test("is the operation by number", () => {
    expectTypeOf<ReferencedOperation<"accounts.balance">>().toEqualTypeOf<Operations["A1"]>();
    expectTypeOf<ReferencedOperation<"A1">>().toEqualTypeOf<Operations["A1"]>();
    expectTypeOf<ReferencedOperation<Operations["A1"]>>().toEqualTypeOf<Operations["A1"]>();
    expectTypeOf<ReferencedOperation<OperationName>["id"]>().toEqualTypeOf<OperationId>();
  });
});

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

  test("has faults that the schema reads, by their names or those of presets", () => {
    expectTypeOf<z.output<typeof faultSchema>["fault"]>().toEqualTypeOf<FaultName>();
    type Given = Parameters<Explorer["faults"]["add"]>[0];
    expectTypeOf<{ preset: "offline"; operation: "A2" }>().toExtend<Given>();
    expectTypeOf<{ preset: "offlin" }>().not.toExtend<Given>();
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

  test("has a schema for each name in its path", () => {
    const read = operationsOf("account");
    void (() => read("get", "/accounts/{address}", results, { parameters: { address } }));
    void (() => read("list", "/accounts", results));
    // @ts-expect-error address is missing.
    void (() => read("get", "/accounts/{address}", results));
    // @ts-expect-error address is missing.
    void (() => read("get", "/accounts/{address}", results, { query: { address } }));
    // @ts-expect-error index is missing.
    void (() => read("get", "/{address}/{index}", results, { parameters: { address } }));
  });

  test("has its parameters described, for the command line and the documents", () => {
    const { condition: _, ...rest } = parameterDescriptions;
    // @ts-expect-error condition is missing.
    assertType<Readonly<Record<ParameterName, string>>>(rest);
  });
});

test("a dialect has the contract's operations, parameters and words", () => {
  defineDialect({
    name: "own",
    extends: dialects.wemix,
    operations: { A2: { parameters: { limit: "size" }, maxLimit: 5 } },
  });
  // @ts-expect-error there is no A22
  defineDialect({ name: "own", operations: { A22: {} } });
  // @ts-expect-error it is startBlock
  defineDialect({ name: "own", operations: { A2: { parameters: { start_block: "from" } } } });
  // @ts-expect-error blocks.get has no limit
  defineDialect({ name: "own", operations: { B1: { parameters: { limit: "size" } } } });
  // @ts-expect-error a dialect renames no fields
  defineDialect({ name: "own", operations: { A2: { fields: { gas_used: "gas" } } } });
  // @ts-expect-error it is parameters
  defineDialect({ name: "own", operations: { A2: { params: {} } } });
  // @ts-expect-error a key is required or optional
  defineDialect({ name: "own", key: "none" });
});
