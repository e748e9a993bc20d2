// The parameters as the service enforces them, against the specification's: required ones, defaults, limits, words.
import { describe, expect, test } from "vitest";
import { createExplorer, loadDemo } from "../../mocks/node.ts";
import { askable, knownIn, type Raw } from "../support/requests.ts";
import {
  enumerations,
  limits,
  nameOf,
  requiredOf,
  type SpecifiedOperation,
  specified,
} from "./fields.ts";

const chain = await loadDemo({ verified: true });
const known = knownIn(chain);
const mock = createExplorer({
  chain,
  verifier: { verify: async () => ({ verified: false, message: "no" }), close: async () => {} },
});

/** Sends parameters where the specification says they travel: nothing of our contract is asked. */
async function send(operation: SpecifiedOperation, raw: Raw) {
  const { method, pathParameters, query, body } = operation;
  const path = pathParameters.reduce(
    (path, name) => path.replace(`{${name}}`, String(raw[name])),
    operation.path,
  );
  const given = (names: readonly string[]) =>
    names.map(nameOf).filter((name) => raw[name] !== undefined);
  const search = new URLSearchParams(given(query).map((name) => [name, String(raw[name])]));
  const fields = Object.fromEntries(given(body).map((name) => [name, raw[name]]));
  const response = await mock.fetch(`${mock.baseUrl}${path}?${search}`, {
    method,
    headers: { "api-key": "k", "content-type": "application/json" },
    ...(body.length > 0 && { body: JSON.stringify(fields) }),
  });
  return { status: response.status, answer: await response.json() };
}

const valid = askable(known) as Readonly<Record<string, Raw>>;
const busiest = known.accounts.reduce((one, other) =>
  chain.transactions(one, "all", {}).count < chain.transactions(other, "all", {}).count
    ? other
    : one,
);
const paged = specified.filter(({ query }) => query.includes("limit"));
const operationOf = (id: string) => specified.find((one) => one.id === id) as SpecifiedOperation;

describe.each(specified.map((one) => [one.id, one] as const))("%s", (id, operation) => {
  test("is answered at the specification's path", async () => {
    expect((await send(operation, valid[id] ?? {})).status).toBe(200);
  });

  test("asks for what is required, and for nothing else", async () => {
    const required = requiredOf(operation);
    expect(Object.keys(valid[id] ?? {}).sort()).toEqual(required.sort());
    for (const name of required.filter((name) => !operation.pathParameters.includes(name))) {
      const { status, answer } = await send(operation, { ...valid[id], [name]: undefined });
      expect([status, answer.message]).toEqual([400, expect.stringContaining(`${name}: `)]);
    }
  });
});

describe.each(paged.map((one) => [one.id, one] as const))("the paging of %s", (id, operation) => {
  const raw = { ...valid[id], address_hash: busiest };
  const ask = (more: Raw) => send(operation, { ...raw, ...more });

  test("has the specification's limits", async () => {
    for (const limit of [1, limits.limit.max]) expect((await ask({ limit })).status).toBe(200);
    for (const limit of [0, -1, limits.limit.max + 1]) {
      const { status, answer } = await ask({ limit });
      expect([status, answer.message]).toEqual([400, expect.stringContaining("limit: ")]);
    }
    expect((await ask({ offset: -1 })).status).toBe(400);
  });

  test("has the specification's defaults", async () => {
    const { default: limit } = limits.limit;
    const { default: offset } = limits.offset;
    expect((await ask({})).answer).toEqual((await ask({ limit, offset })).answer);
  });
});

test("a page has as many records as the default limit says", async () => {
  const { answer } = await send(operationOf("A2"), { address_hash: busiest });
  expect(Number(answer.results.count)).toBeGreaterThan(limits.limit.default);
  expect(answer.results.data).toHaveLength(limits.limit.default);
});

test.each(Object.entries(enumerations))(
  "%s is one of the specification's words",
  async (name, words) => {
    for (const operation of specified.filter(({ query }) => query.includes(name))) {
      const ask = (word: string) => send(operation, { ...valid[operation.id], [name]: word });
      for (const word of words) expect((await ask(word)).status).toBe(200);
      for (const wrong of ["", "other", words[0]?.toUpperCase() ?? ""]) {
        const { status, answer } = await ask(wrong);
        expect([status, answer.message]).toEqual([400, expect.stringContaining(`${name}: `)]);
      }
    }
  },
);

test.each([
  ["A2", { condition: "all", input: false, simple: false }],
  ["A3", { input: false }],
  ["X3", { input: false }],
])("%s has the defaults %j", async (id, defaults) => {
  const raw = { ...valid[id], address_hash: busiest };
  const given = await send(operationOf(id), { ...raw, ...defaults });
  expect((await send(operationOf(id), raw)).answer).toEqual(given.answer);
});

test("a block range is open where it is not given", async () => {
  for (const operation of specified.filter(({ query }) => query.includes("startBlock"))) {
    const raw = { ...valid[operation.id], address_hash: busiest };
    const all = await send(operation, { ...raw, startBlock: 0, endBlock: known.head });
    expect((await send(operation, raw)).answer).toEqual(all.answer);
  }
});

test("balances are asked for as many addresses as the specification allows", async () => {
  const { min, max } = limits.addresses;
  const statusOf = async (length: number) =>
    (await send(operationOf("A1"), { addresses: Array(length).fill(busiest) })).status;
  expect(await statusOf(min)).toBe(200);
  expect(await statusOf(max)).toBe(200);
  expect(await statusOf(min - 1)).toBe(400);
  expect(await statusOf(max + 1)).toBe(400);
});
