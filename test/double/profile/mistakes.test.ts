// Mistakes in parameters have the same names in a comparison, which has values, and in a mock, which has texts.
import { expect, test } from "vitest";
import { mistakeIn } from "../../../mocks/double/profile/mistakes.ts";
import { type OperationId, operations } from "../../../src/contract/index.ts";

const address_hash = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

test.each<[OperationId, Readonly<Record<string, unknown>>, string | undefined]>([
  ["A2", { address_hash, limit: 1001 }, "limit above"],
  ["A2", { address_hash, limit: "1001" }, "limit above"],
  ["A2", { address_hash, limit: 0 }, "limit below"],
  ["A2", { address_hash, limit: "x" }, "limit malformed"],
  ["A2", { address_hash, limit: ["1", "2"] }, "limit twice"],
  ["A2", { address_hash, offset: "-1" }, "offset below"],
  ["A2", { address_hash, startBlock: 9, endBlock: 8 }, "startBlock above endBlock"],
  ["A2", { address_hash, simple: "True" }, "simple in another case"],
  ["A2", { address_hash, condition: "other" }, "condition malformed"],
  ["A2", { address_hash: "0x123" }, "address_hash malformed"],
  ["A2", { address_hash, limit: 5, colour: "red" }, undefined],
  ["A1", { addresses: [] }, "addresses below"],
  ["A1", { addresses: Array.from({ length: 21 }, () => address_hash) }, "addresses above"],
  ["A1", { addresses: ["0x12"] }, "addresses malformed"],
  ["A1", {}, "addresses missing"],
  ["B1", { block_number: -1 }, "block_number below"],
  ["B1", { block_number: 1 }, undefined],
])("%s %j: %s", (id, raw, name) => {
  expect(mistakeIn(operations[id], raw)?.name).toBe(name);
});
