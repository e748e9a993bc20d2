// The service's real answers against the specification's fields: names, their order, JSON types, envelope, all over the demo chain.
import { describe, expect, test } from "vitest";
import type { Chain } from "../../mocks/chain/chain.ts";
import { createExplorer, loadDemo } from "../../mocks/node.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { knownIn, type Raw, requestOf } from "../support/requests.ts";
import { specified } from "./fields.ts";
import { abiEntry, faults, type Layout, model, pathsOf, type Seen, type Shape } from "./shape.ts";
import { tellRest } from "./story.ts";

const page = (item: Shape, ...more: Layout): Shape => ({
  record: [["count", "integer string"], ["data", { list: item }], ...more],
});
const data = (of: Shape): Shape => ({ record: [["data", of]] });
const one = (name: string, type: string): Shape => data({ record: [[name, type]] });
const held = (of: Shape): Shape => ({
  record: [
    ["count", "integer string"],
    ["results", { list: of }],
  ],
});

/** What each operation's `results` are, in the words of fields.json. */
const shapes: Readonly<Record<string, Shape>> = {
  "data.total_supply": one("total_supply", "integer string"),
  "data.balance": one("balance", "integer string"),
  "count, data[] of 2.8 inventory, per holder, token_name, token_symbol": page(
    model("2.8 inventory, per holder"),
    ["token_name", "string"],
    ["token_symbol", "string"],
  ),
  "data.holder_count": one("holder_count", "integer string"),
  "data[] of {address, balance}": data({
    list: {
      record: [
        ["address", "address"],
        ["balance", "integer string"],
      ],
    },
  }),
  "count, data[] of 2.2, or of 2.3 with to_block": page(model("2.2")),
  "count, data[] of 2.4": page(model("2.4")),
  "count, data[] of 2.5": page(model("2.5")),
  "count, data[] of 2.6": page(model("2.6")),
  "without envelope: mrc_20, mrc_721, each {count, results[]} of 2.7": {
    record: [
      ["mrc_20", held(model("2.7 combined list, MRC20 entry"))],
      ["mrc_721", held(model("2.7 combined list, MRC721 entry"))],
    ],
  },
  "count, data[] of 2.7 single": page(model("2.7 single list entry")),
  "count, data[] of 2.8 per contract": page(model("2.8 inventory, per contract")),
  "count, data[] of 2.9 mined block": page(model("2.9 mined block")),
  // What the status of a failed transaction says beside it is S11.
  "data.status": data({ record: [["status", "string"]], also: { description: "string" } }),
  "data[] of 2.10": data({ list: abiEntry }),
  "data of 2.11": data(model("2.11")),
  "data string, 1 on success": data("string"),
  "data of 2.9 block reward": data(model("2.9 block reward")),
  "count, data[] of 2.12": page(model("2.12")),
};

/** The same where a parameter asks for another form: `simple` leaves fields out, `input` adds one (named by S8). */
const simple: Shape = page(model("2.3", { input: "hex" }), ["to_block", "integer string"]);
const input = { input: "hex" };
const [fullWithInput, framesWithInput] = [page(model("2.2", input)), page(model("2.4", input))];

interface Question {
  readonly id: OperationId;
  readonly raw: Raw;
  readonly shape: Shape;
}

/** Every question there is about a chain, as far as there is something to ask about. */
function questionsAbout(chain: Chain): Question[] {
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

const shapeOf = (id: OperationId): Shape => {
  const shape = shapes[specified.find((one) => one.id === id)?.results ?? ""];
  if (shape === undefined) throw new Error(`fields.json says something new about ${id}`);
  return shape;
};

/** What is wrong with the answers to all questions about a chain. */
async function faultsOf(chain: Chain, seen: Seen): Promise<string[]> {
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
      .flatMap(({ id }) => pathsOf(shapeOf(id as OperationId), id))
      .concat(pathsOf(simple, "A2"), "A2.data[].input", "A3.data[].input", "X3.data[].input");
    expect(expected.filter((path) => !seen.has(path))).toEqual([
      "C2.data.logo",
      "L1.data[].address_type",
      "L1.data[].address_extra",
    ]);
  });
});
