// The structure of each operation's `results`, which fields.json describes in words.
import { specified } from "./fields.ts";
import { abiEntry, type Layout, model, type Shape } from "./shape.ts";

const page = (item: Shape, ...more: Layout): Shape => ({
  record: [["count", "integer string"], ["data", { list: item }], ...more],
});
const data = (of: Shape): Shape => ({ record: [["data", of]] });
const single = (name: string, type: string): Shape => data({ record: [[name, type]] });
const held = (of: Shape): Shape => ({
  record: [
    ["count", "integer string"],
    ["results", { list: of }],
  ],
});

const proof: Readonly<Record<string, Shape>> = {
  verify_level: "string",
  verify_uncovered: { list: "string" },
};

/** Structures by the words of fields.json, where the words name no model. */
const shapes: Readonly<Record<string, Shape>> = {
  "data.total_supply": single("total_supply", "integer string"),
  "data.balance": single("balance", "integer string"),
  "count, data[] of 2.8 inventory, per holder, token_name, token_symbol": page(
    model("2.8 inventory, per holder"),
    ["token_name", "string"],
    ["token_symbol", "string"],
  ),
  "data.holder_count": single("holder_count", "integer string"),
  "data[] of {address, balance}": data({
    list: {
      record: [
        ["address", "address"],
        ["balance", "integer string"],
      ],
    },
  }),
  "count, data[] of 2.2, or of 2.3 with to_block": page(model("2.2")),
  "without envelope: mrc_20, mrc_721, each {count, results[]} of 2.7": {
    record: [
      ["mrc_20", held(model("2.7 combined list, MRC20 entry"))],
      ["mrc_721", held(model("2.7 combined list, MRC721 entry"))],
    ],
  },
  "count, data[] of 2.8 per contract": page(model("2.8 inventory, per contract")),
  // A failed transaction's status also has a description (S11).
  "data.status": data({ record: [["status", "string"]], also: { description: "string" } }),
  "data[] of 2.10": data({ list: abiEntry }),
  // How much is proven is ours (S35).
  "data of 2.11": data(model("2.11", proof)),
  "data string, 1 on success": {
    record: [["data", "string"]],
    also: { ...proof, verify_message: "string" },
  },
  "data of 2.9 block reward": data(model("2.9 block reward")),
};

/** The page of short records (`simple`). `input` adds a field to it (S8). */
export const simple: Shape = page(model("2.3", { input: "hex" }), ["to_block", "integer string"]);

/** The results of an operation: those that stand above, or a page of records of one model. */
export const shapeOf = (id: string): Shape => {
  const words = specified.find((one) => one.id === id)?.results ?? "";
  const [, record] = /^count, data\[\] of ([^,]+)$/.exec(words) ?? [];
  const shape = shapes[words] ?? (record === undefined ? undefined : page(model(record)));
  if (shape === undefined) throw new Error(`fields.json says something new about ${id}`);
  return shape;
};
