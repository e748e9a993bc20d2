// How nodes write zero and nothing, in each field: one exact reading, or null; never an error, and never another value.
import { expect, test } from "vitest";
import { readBlock } from "../../mocks/ingest/block.ts";

const A = `0x${"0a".repeat(20)}` as const;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const ABSENT = Symbol("absent");

const TRANSACTION = {
  ...{ hash: hash("a"), nonce: "0x1", from: A, to: A, value: "0x1", gas: "0x5208" },
  ...{ gasPrice: "0x1", input: "0x01", type: "0x0" },
};
const LOG = { address: A, topics: [hash("e")], data: "0x01", logIndex: "0x1" };
const RECEIPT = {
  ...{ transactionHash: hash("a"), status: "0x1", gasUsed: "0x5208", logs: [LOG] },
  ...{ cumulativeGasUsed: "0x5208", contractAddress: null, effectiveGasPrice: "0x1" },
};
const BLOCK = {
  ...{ number: "0x5", hash: hash("b"), parentHash: hash("c"), timestamp: "0x1", miner: A },
  ...{ gasUsed: "0x5208", gasLimit: "0x1c9c380", baseFeePerGas: "0x0", uncles: [] },
};
const CALL = {
  type: "CALL",
  from: A,
  to: A,
  value: "0x1",
  input: "0x01",
  gas: "0x2",
  gasUsed: "0x2",
};

type Part = "block" | "transaction" | "receipt" | "log" | "call";

const changed = (part: object, field: string, value: unknown): object => {
  const copy: Record<string, unknown> = { ...part, [field]: value };
  if (value === ABSENT) delete copy[field];
  return copy;
};

/** The records of a block in which one field has this form, and what was reported. */
function readWith(part: Part, field: string, value: unknown) {
  const of = (name: Part, given: object) => (name === part ? changed(given, field, value) : given);
  const missing: string[] = [];
  const receipt = of("receipt", { ...RECEIPT, logs: [of("log", LOG)] });
  const root = { type: "CALL", from: A, to: A, calls: [of("call", CALL)] };
  const input = readBlock(
    {
      block: { ...of("block", BLOCK), transactions: [of("transaction", TRANSACTION)] },
      receipts: [receipt],
      traces: [{ txHash: hash("a"), result: root }],
    },
    { chainId: 7, onMissing: (what) => missing.push(what) },
  );
  const [execution] = input.executions;
  if (execution === undefined) throw new Error("the transaction is missing");
  const { transaction, frames, logs } = execution;
  const records = {
    block: input.block,
    transaction,
    receipt: transaction,
    log: logs[0],
    call: frames[0],
  };
  return { record: Object(records[part]), missing };
}

const ZERO = ["0x", "0x0", "0x00", 0];
const NONE = [null, ABSENT, ""];
type Line = readonly [
  Part,
  field: string,
  record: string,
  forms: readonly unknown[],
  read: unknown,
];

const lines: readonly Line[] = [
  ["block", "number", "number", ZERO, 0],
  ["block", "timestamp", "timestamp", ZERO, 0],
  ["block", "gasUsed", "gasUsed", ZERO, 0],
  ["block", "gasUsed", "gasUsed", NONE, null],
  ["block", "baseFeePerGas", "baseFeePerGas", ZERO, 0n],
  ["block", "baseFeePerGas", "baseFeePerGas", NONE, null],
  ["block", "miner", "miner", NONE, `0x${"0".repeat(40)}`],
  ["transaction", "value", "value", [...ZERO, ...NONE], 0n],
  ["transaction", "nonce", "nonce", ZERO, 0],
  ["transaction", "nonce", "nonce", NONE, null],
  ["transaction", "gas", "gasLimit", ZERO, 0],
  ["transaction", "gas", "gasLimit", NONE, null],
  ["transaction", "input", "input", ["0x", "0x0", ...NONE], "0x"],
  ["transaction", "to", "to", ["0x", "0x0", ...NONE], null],
  ["transaction", "feePayer", "feePayer", ["0x", "0x0", ...NONE], undefined],
  ["transaction", "maxFeePerGas", "maxFeePerGas", NONE, null],
  ["receipt", "status", "succeeded", ["0x0", "0x", 0], false],
  ["receipt", "status", "succeeded", NONE, null],
  ["receipt", "gasUsed", "gasUsed", ZERO, 0],
  ["receipt", "gasUsed", "gasUsed", NONE, null],
  ["receipt", "effectiveGasPrice", "gasPrice", ZERO, 0n],
  ["receipt", "effectiveGasPrice", "gasPrice", NONE, 1n],
  ["receipt", "contractAddress", "created", ["0x", "0x0", ...NONE], null],
  ["receipt", "l1Fee", "l1Fee", ZERO, 0n],
  ["log", "logIndex", "index", [...ZERO, ...NONE], 0],
  ["log", "data", "data", ["0x", "0x0", ...NONE], "0x"],
  ["log", "topics", "topics", NONE, []],
  ["call", "value", "value", [...ZERO, ...NONE], 0n],
  ["call", "input", "input", ["0x", "0x0", ...NONE], "0x"],
  ["call", "gas", "gasLimit", ZERO, 0],
  ["call", "gasUsed", "gasUsed", NONE, null],
  ["call", "error", "error", NONE, null],
  ["call", "to", "to", ["0x", "0x0", ...NONE], null],
  ["call", "calls", "subTraces", NONE, 0],
];

const shown = (form: unknown) => (form === ABSENT ? "nothing" : JSON.stringify(form));

test.each(
  lines.flatMap(([part, field, record, forms, read]) =>
    forms.map(
      (form) => [`${part}.${field}`, shown(form), read, part, field, record, form] as const,
    ),
  ),
)("%s of %s is %s", (_, __, read, part, field, record, form) => {
  expect(readWith(part, field, form).record[record]).toEqual(read);
});

test("nothing in a field that every record has is reported", () => {
  for (const [part, field] of [
    ["transaction", "value"],
    ["transaction", "input"],
    ["log", "data"],
    ["block", "miner"],
  ] as const)
    for (const form of [null, ABSENT])
      expect(readWith(part, field, form).missing).toEqual([expect.stringContaining(field)]);
});

test("anything else is still an error that names the field", () => {
  for (const form of ["zero", "-0x1", "0x1.5", {}, []])
    expect(() => readWith("transaction", "value", form)).toThrow("transactions[0].value");
});
