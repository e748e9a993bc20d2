// The double in a dialect: public clients of the family run against it unchanged, and our client gets the same records in every dialect.
import { getResponse } from "msw";
import { describe, expect, test } from "vitest";
import { createExplorer, eventTopic } from "../mocks/index.ts";
import { createHandlers } from "../mocks/msw/handlers.ts";
import { type AnyOperation, type OperationId, operations } from "../src/contract/index.ts";
import {
  type Dialect,
  type DialectName,
  defineDialect,
  dialects,
  ExplorerClient,
  isExplorerError,
} from "../src/index.ts";
import { askable, knownIn } from "./support/requests.ts";
import { buildSampleChain } from "./support/sample-chain.ts";

const { chain, art, bob, gold, till } = buildSampleChain();
/** As axios sends it, also on GET. */
const headers = { "content-type": "application/json", "api-key": "key-of-the-test" };

const serve = (dialect: DialectName | Dialect) => {
  const mock = createExplorer({ chain: chain.fork(), dialect });
  const ask = async (target: string, init: RequestInit = { headers }) => {
    const response = await mock.fetch(mock.baseUrl + target, init);
    return { http: response.status, ...(await response.json()) };
  };
  const post = (addresses: unknown) =>
    ask("/v1/accounts/balance", { method: "POST", headers, body: JSON.stringify({ addresses }) });
  return { mock, ask, post };
};

describe("a public client", () => {
  test("sends no key, and asks for the ERC-20 and ERC-721 transfers of an account", async () => {
    const { ask } = serve("wemix");
    const list = `/v1/accounts/${bob}/token-transfer`;
    const range = "start_block=5&end_block=9&limit=100&offset=0";
    const fungible = await ask(`${list}/erc20?${range}`, {});
    expect(fungible.results.data).toHaveLength(5);
    expect(fungible.results.data[0]).toMatchObject({ token_symbol: "GLD", block_number: "9" });
    const others = await ask(`${list}/erc721?${range}`, {});
    expect(others.results.data[0]).toMatchObject({ token_name: "Art" });
    expect(await ask(`${list}/mrc20`, {})).toMatchObject({ http: 404 });
  });

  test("sends one bare address, and is told that a list is expected", async () => {
    const { post } = serve("metadium");
    expect(await post(bob)).toMatchObject({
      http: 400,
      message: expect.stringMatching(/^addresses: expected an? .*(list|array)/),
    });
  });
});

describe("what public notes on WEMIX's explorer ask", () => {
  const { ask } = serve("wemix");

  test("an ABI that is not there, an inventory", async () => {
    expect(await ask(`/v1/contracts/${gold.address}/abi`)).toMatchObject({
      http: 200,
      message: "contract is not yet verified",
      results: {},
    });
    expect((await ask(`/v1/tokens/${art.address}/inventory/${bob}`)).results.data).toHaveLength(15);
  });

  test.each(["topic_0", "topic0"])("logs by %s, with type=combine and operand=or", async (name) => {
    const topic = eventTopic("Paid(address)");
    const none = `0x${"0".repeat(64)}`;
    const others = [1, 2, 3].map((index) => `${name.slice(0, -1)}${index}=${none}`).join("&");
    const { results } = await ask(
      `/v1/event-logs?address=${till}&${name}=${topic}&${others}&type=combine&operand=or&limit=10&offset=0`,
    );
    expect(results.data).toHaveLength(10);
  });
});

/** A dialect with everything that one can have. */
const own = defineDialect({
  name: "own",
  extends: dialects.wemix,
  prefix: "/api/ext/v1",
  key: "required",
  operations: {
    A2: {
      parameters: { startBlock: "from_block", limit: "size" },
      maxLimit: 10,
    },
    A1: { parameters: { addresses: "accounts" } },
    A10: { maxLimit: 1000 },
    L1: { words: { operand: { and: "every" }, type: { single: "one" } } },
    T3: {
      path: "/v1/inventories/{contract_hash}",
      parameters: { address_hash: ["address", "addr"] },
    },
  },
});

test("our dialects pass the checks of others, and one that was checked stays as it is", () => {
  for (const one of Object.values(dialects)) {
    const { name, prefix, key, operations: own } = defineDialect(one);
    expect({ name, prefix, key }).toEqual({ name: one.name, prefix: one.prefix, key: one.key });
    expect(own).toMatchObject(one.operations);
  }
  const words = { type: { conbine: "combine", single: "one" }, operand: { and: "every" } };
  expect(own.operations.L1?.words).toEqual(words);
  expect(() => Object.assign(own.operations.A2 ?? {}, { path: "/admin" })).toThrow(TypeError);
});

describe("our client", () => {
  const clientIn = (dialect: DialectName | Dialect) => {
    const { mock } = serve(dialect);
    return {
      mock,
      explorer: new ExplorerClient({
        baseUrl: mock.baseUrl,
        apiKey: "key",
        fetch: mock.fetch,
        dialect,
      }),
    };
  };
  const inputs = askable(knownIn(chain)) as Record<OperationId, never>;

  test.each<[string, DialectName | Dialect]>([
    ["wemix", "wemix"],
    ["one of one's own", own],
  ])("gets the same results of every operation in %s", async (_, dialect) => {
    const [here, there] = [clientIn("metadium"), clientIn(dialect)];
    for (const { id } of Object.values<AnyOperation>(operations)) {
      if (id === "C3" || id === "C1" || id === "C2") continue;
      const ask = ({ explorer }: typeof here) =>
        explorer.request(id as OperationId, inputs[id as OperationId]);
      const [expected, received] = await Promise.all([ask(here), ask(there)]);
      expect(received, id).toEqual(expected);
    }
    expect(await there.explorer.contracts.abi(till)).toEqual(
      await here.explorer.contracts.abi(till),
    );
  });

  test("reads a list to its end in pages that are no longer than the dialect allows", async () => {
    const { mock, explorer } = clientIn(own);
    const listed = await explorer.accounts.transactions(bob, { startBlock: 3n }).collect();
    const expected = await clientIn("metadium")
      .explorer.accounts.transactions(bob, { startBlock: 3n })
      .collect();
    expect(listed).toEqual(expected);
    const targets = mock.journal.entries.map(({ target }) => target);
    for (const target of targets)
      expect(target).toMatch(
        /^\/api\/ext\/v1\/accounts\/0x\w+\/transactions\?size=10&.*from_block=\d/,
      );
    expect(mock.journal.entries[0]?.input).toMatchObject({ address_hash: bob, startBlock: "3" });
  });

  test.each(["address", "addr"])("a required parameter may be called %s", async (name) => {
    const { ask } = serve(own);
    const at = `/api/ext/v1/inventories/${art.address}`;
    expect(await ask(`${at}?${name}=${bob}`)).toMatchObject({ http: 200 });
    expect(await ask(at)).toMatchObject({
      http: 400,
      message: expect.stringMatching(/^address: expected an address/),
    });
    expect(await ask(`${at}?address=${bob}&addr=${bob}`)).toMatchObject({ http: 400 });
  });

  test.each(["constructor", "toString", "hasOwnProperty", "valueOf", "prototype"])(
    "a parameter may be called %s",
    async (name) => {
      const dialect = defineDialect({
        name: "names",
        operations: { T3: { parameters: { address_hash: name } } },
      });
      const { mock, ask } = serve(dialect);
      const { baseUrl, fetch } = mock;
      const { tokens } = new ExplorerClient({ baseUrl, fetch, dialect, apiKey: "any" });
      expect(await tokens.inventory(art.address, bob)).toMatchObject({ count: 15 });
      expect(mock.journal.entries[0]?.input).toMatchObject({ address_hash: bob });
      const target = `/v1/tokens/${art.address}/inventory`;
      expect(await ask(target)).toMatchObject({ message: expect.stringContaining("nothing") });
    },
  );

  test("needs no key where the dialect needs none", async () => {
    const { mock } = serve("wemix");
    const options = { baseUrl: mock.baseUrl, fetch: mock.fetch, dialect: "wemix" } as const;
    expect(await new ExplorerClient(options).blocks.get(1)).toMatchObject({ block_number: 1n });
    expect(() => new ExplorerClient({ ...options, dialect: "metadium" })).toThrow(
      "expected an API key",
    );
    const call = new ExplorerClient({ ...options, dialect: own }).blocks.get(1);
    await expect(call).rejects.toThrow("expected an API key");
  });

  test("rejects for a contract that is not verified, from C1's message and C2's record", async () => {
    const { contracts } = clientIn("metadium").explorer;
    for (const call of [
      contracts.abi(gold.address),
      contracts.code(gold.address),
      contracts.code(bob),
    ])
      expect(isExplorerError(await call.catch((error) => error), "NOT_VERIFIED")).toBe(true);
    expect(await contracts.code(till)).toMatchObject({ contract_name: "Till" });
  });
});

describe("what is no dialect is refused by name", () => {
  test.each<[string, unknown, string]>([
    ["an operation", { A22: {} }, 'unknown option operations.A22; did you mean "A2"?'],
    ["a parameter", { A2: { parameters: { start_block: "from" } } }, 'did you mean "startBlock"?'],
    ["names of fields", { A2: { fields: {} } }, "A2.fields; expected one of path, parameters"],
    [
      "a name in a path",
      { B1: { path: "/v1/block/{number}" } },
      "B1.path: expected a path such as /v1/blocks/{block_number}, with {block_number}",
    ],
    ["a part", { A2: { params: {} } }, "A2.params; expected one of path, parameters"],
    ["an operation that is none", { A2: null }, "A2: expected an object, received null"],
    [
      "a word",
      { L1: { words: { type: { combine: "both" } } } },
      'L1.words.type.combine; did you mean "conbine"?',
    ],
    // The key would go with the request.
    ...["@evil.example/{block_number}", "https://evil.example/{block_number}", "//evil.example/x"]
      .concat("/v1/../admin/{block_number}", "/v1/blocks?number={block_number}")
      .map((path): [string, unknown, string] => [
        `the path ${path}`,
        { B1: { path } },
        "B1.path: expected a path such as /v1/blocks/{block_number}",
      ]),
    ["a path of another", { A4: { path: operations.A5.path } }, "A5.path: expected a path other"],
    ...[{ limit: "size", offset: "size" }, { limit: "offset" }].map(
      (parameters): [string, unknown, string] => [
        `two parameters of one name: ${JSON.stringify(parameters)}`,
        { A2: { parameters } },
        'offset: expected a name of letters, digits, ".", "-" or "_", other than the name of limit',
      ],
    ),
    ["two words of one name", { L1: { words: { type: { single: "conbine" } } } }, "conbine"],
    ...["a b", "__proto__"].map((limit): [string, unknown, string] => [
      `the name ${limit}`,
      { A2: { parameters: { limit } } },
      'A2.parameters.limit: expected a name of letters, digits, ".", "-" or "_", received',
    ]),
    ...[0, 1.5, 1001, "10"].map((maxLimit): [string, unknown, string] => [
      `pages of ${JSON.stringify(maxLimit)}`,
      { A2: { maxLimit } },
      "A2.maxLimit: expected a whole number from 1 to 1000",
    ]),
    ["pages of what has none", { B1: { maxLimit: 5 } }, "B1.maxLimit: expected no value"],
  ])("%s", (_, given, message) => {
    const wrong = { name: "wrong", operations: given as Dialect["operations"] };
    expect(() => defineDialect(wrong)).toThrow(message);
    // Nor does what did not go through it.
    const written: Dialect = { prefix: "/v1", key: "required", ...wrong };
    expect(() => createExplorer({ dialect: written })).toThrow(message);
  });

  test.each([
    [{ prefix: "/../admin" }, "prefix: expected a path such as /api/v1"],
    [{ key: "none" }, "key: expected one of required, optional"],
    [{ extends: "wemix" }, "extends: expected a dialect, such as dialects.wemix"],
    [{ name: "" }, "name: expected a name"],
    [{ operations: 5 }, "operations: expected an object"],
    [{ paths: {} }, "unknown option paths; expected one of name, prefix"],
  ])("%o", (given, message) => {
    const wrong = { name: "wrong", ...given } as Parameters<typeof defineDialect>[0];
    expect(() => defineDialect(wrong)).toThrow(message);
  });
});

test("MSW's handlers answer in the dialect", async () => {
  const { mock } = serve("wemix");
  const asked = (path: string) => new Request(`${mock.baseUrl}/v1/accounts/${bob}/${path}`);
  const list = "token-transfer/erc20?start_block=5&end_block=9";
  const response = await getResponse(createHandlers(mock), asked(list));
  expect(await response?.json()).toMatchObject({ results: { data: { length: 5 } } });
});
