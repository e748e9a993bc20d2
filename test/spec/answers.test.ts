// The service's real answers against the specification's fields: names, their order, JSON types, envelope, all over the demo chain.
import { describe, expect, test } from "vitest";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer, loadDemo } from "../../mocks/node.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { knownIn, type Raw, requestOf } from "../support/requests.ts";
import { specified } from "./fields.ts";
import { framesWithInput, fullWithInput, shapeOf, simple } from "./results.ts";
import { faults, pathsOf, type Seen, type Shape } from "./shape.ts";
import { tellRest } from "./story.ts";

interface Question {
  readonly id: OperationId;
  readonly raw: Raw;
  readonly shape: Shape;
}

/** Every question there is about a chain, as far as there is something to ask about. */
function questionsAbout(chain: ChainWriter): Question[] {
  const { accounts, tokens, transactions, head } = knownIn(chain);
  const ask = (id: OperationId, raw: Raw, shape = shapeOf(id)): Question => ({ id, raw, shape });
  return [
    ...tokens.flatMap((contract_hash) => [
      ask("T1", { contract_hash }),
      ask("T4", { contract_hash }),
      ask("A9", { contract_address: contract_hash, limit: 1000 }),
      ...accounts.flatMap((address_hash) => [
        ask("T2", { contract_hash, address_hash }),
        ask("T3", { contract_hash, address_hash }),
      ]),
    ]),
    ...accounts.flatMap((address_hash) => {
      const all = { address_hash, limit: 1000 };
      return [
        ask("A1", { addresses: [address_hash] }),
        ask("A2", all),
        ask("A2", { ...all, input: true }, fullWithInput),
        ask("A2", { ...all, input: true, simple: true }, simple),
        ask("A3", all),
        ask("A3", { ...all, input: true }, framesWithInput),
        ...(["A4", "A5", "A6", "A7", "A8", "A10"] as const).map((id) => ask(id, all)),
        ask("L1", { address: address_hash, limit: 1000 }),
        ...(chain.verified(address_hash)
          ? (["C1", "C2"] as const).map((id) => ask(id, { contract_hash: address_hash }))
          : []),
      ];
    }),
    ...transactions.flatMap(({ hash: transaction_hash }) => [
      ask("X1", { transaction_hash }),
      ask("X2", { transaction_hash }),
      ask("X3", { transaction_hash, limit: 1000 }),
      ask("X3", { transaction_hash, limit: 1000, input: true }, framesWithInput),
    ]),
    ...Array.from({ length: head }, (_, number) => ask("B1", { block_number: number })),
  ];
}

/** What is wrong with the answers to all questions about a chain. */
async function faultsOf(chain: ChainWriter, seen: Seen): Promise<string[]> {
  const mock = createExplorer({ chain });
  const found: string[] = [];
  for (const { id, raw, shape } of questionsAbout(chain)) {
    const { target, ...request } = requestOf(id, raw);
    const response = await mock.fetch(`${mock.baseUrl}${target}`, request);
    const answer = JSON.parse(await response.text());
    expect([response.status, id, raw]).toEqual([200, id, raw]);
    const bare = id === "A6";
    if (!bare) {
      expect(Object.keys(answer)).toEqual(["status", "message", "results"]);
      expect([answer.status, answer.message]).toEqual(["200", "success"]);
    }
    found.push(...faults(bare ? answer : answer.results, shape, seen, id));
  }
  return found;
}

describe("every answer has the specification's fields, in its order and of its types", () => {
  const seen: Seen = new Set();

  test("on the demo chain", async () => {
    expect(await faultsOf(await loadDemo({ verified: true }), seen)).toEqual([]);
  });

  test("on a chain with what the demo has none of", async () => {
    expect(await faultsOf(tellRest(), seen)).toEqual([]);
  });

  test("and every field but three was seen with a value", () => {
    const expected = specified
      .filter(({ id }) => id !== "C3")
      .flatMap(({ id }) => pathsOf(shapeOf(id), id))
      .concat(pathsOf(simple, "A2"), "A2.data[].input", "A3.data[].input", "X3.data[].input");
    expect(expected.filter((path) => !seen.has(path))).toEqual([
      "C2.data.logo",
      "L1.data[].address_type",
      "L1.data[].address_extra",
    ]);
  });
});
