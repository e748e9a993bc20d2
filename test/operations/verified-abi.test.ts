// The ABI of a verified contract in the service's form, whichever compiler wrote it.
import { expect, test } from "vitest";
import type { ContractVerification } from "../../mocks/chain/records.ts";
import { eventTopic } from "../../mocks/index.ts";
import { abiOf, eventOf } from "../../mocks/operations/verified-abi.ts";

const verified = (...abi: unknown[]) => ({ abi }) as never as ContractVerification;

/** What a function has in the service's form, whoever wrote it. */
const f = { name: "f", type: "function", inputs: [], outputs: [] };
const plain = { payable: false, constant: false, stateMutability: "nonpayable" };
const mixed = { payable: true, constant: true, stateMutability: "nonpayable", more: 1 };
const payable = { payable: true, stateMutability: "payable" };
const tuple = { type: "tuple", components: [{ name: "a", type: "uint8" }] };
const bool = { name: "b", type: "bool", internalType: "x" };

test.each<[string, object, object]>([
  ["an event", { type: "event", name: "E" }, { name: "E", type: "event", inputs: [] }],
  ["a function", { name: "f", inputs: [], outputs: [] }, { ...f, ...plain }],
  ...(["view", "pure"] as const).map((stateMutability): [string, object, object] => [
    ...([stateMutability, { type: "function", name: "f", stateMutability }] as const),
    { ...f, ...plain, constant: true, stateMutability },
  ]),
  ...(["fallback", "receive"] as const).map((type): [string, object, object] => [
    ...([type, { type, stateMutability: "payable" }, { type, ...payable }] as const),
  ]),
  [
    ...(["a constructor", { type: "constructor", inputs: [], payable: true, name: null }] as const),
    { type: "constructor", inputs: [], ...payable },
  ],
  ["contradictions", { type: "function", name: "f", ...mixed }, { ...f, ...mixed }],
  [
    "inputs that are none",
    {
      ...{ type: "error", name: "E" },
      inputs: [null, { ...tuple, components: [...tuple.components, 7] }, bool],
    },
    { name: "E", type: "error", inputs: [{ name: "", ...tuple }, bool] },
  ],
])("%s", (_, entry, expected) => {
  const contract = verified(entry, null, "event");
  expect(abiOf(contract)).toStrictEqual([expected]);
  expect(abiOf(contract)).toBe(abiOf(contract));
});

test("fields are in the specification's order, names and types first", () => {
  const [entry] = abiOf(
    verified({ inputs: [{ indexed: true, type: "bool" }], type: "event", name: "E" }),
  );
  expect(JSON.stringify(entry)).toBe(
    '{"name":"E","type":"event","inputs":[{"name":"","type":"bool","indexed":true}]}',
  );
});

test("a log is of the event with its topic and number of topics, the first where two are alike", () => {
  const event = (name: string, indexed: boolean, more: object = {}) => ({
    ...{ type: "event", name, inputs: [{ name: "a", type: "bool", indexed }], ...more },
  });
  const topic = eventTopic("E(bool)");
  const at = (contract: ContractVerification, ...topics: `0x${string}`[]) =>
    eventOf(contract, { topics })?.abi;
  const both = verified(
    event("E", true, { is: 1 }),
    event("E", false, { is: 2 }),
    event("E", true, { is: 3 }),
  );
  expect(at(both, topic)).toContain('"is":2');
  expect(at(both, topic, "0x01")).toContain('"is":1');
  expect(at(both, topic, "0x01", "0x02")).toBeUndefined();
  expect(at(both)).toBeUndefined();
  expect(at(both, eventTopic("F(bool)"))).toBeUndefined();
  for (const other of [
    { anonymous: true },
    { type: "error" },
    { inputs: 7, name: 7 },
    { inputs: [{}] },
  ])
    expect(at(verified(event("E", false, other)), topic)).toBeUndefined();
  const order = { type: "tuple[]", components: [{ type: "address" }, { type: "uint8[2]" }] };
  const deep = { type: "tuple", components: [order, { type: "bytes" }] };
  const filled = verified({ type: "event", name: "Filled", inputs: [deep, { type: "function" }] });
  const topics = [eventTopic("Filled(((address,uint8[2])[],bytes),function)")];
  expect(eventOf(filled, { topics })?.name).toBe("Filled");
});
