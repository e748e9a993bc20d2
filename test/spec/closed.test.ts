// Responses of the mock explorer have only fields that openapi.json declares, and the client reads
// everything that it allows.
import fc from "fast-check";
import { createGeneratorSync, type JsonSchema } from "json-schema-faker";
import { describe, expect, test } from "vitest";
import { buildChain, coins, createExplorer, generateChain, loadDemo } from "../../mocks/node.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { ExplorerClient, NotVerifiedError } from "../../src/index.ts";
import { requestsAbout } from "../support/generated.ts";
import { askable, knownIn, requestOf } from "../support/requests.ts";
import { runs } from "../support/runs.ts";
import { document, objection, schemaOf } from "./closed-document.ts";
import { questionsAbout } from "./questions.ts";

/** A chain with records that the demo chain lacks: an MRC721 with decimals, and a partial verification. */
function chainWithRarities() {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  builder.deployMRC721(alice, { name: "Art", decimals: 0 }).mint(alice, 1n);
  const vault = builder.deploy(alice).address;
  builder.mine();
  const proven = { level: "partial", uncovered: ["creation code"] } as const;
  builder.verify(vault, { abi: [], message: "Runtime code is the same", ...proven });
  return builder.chain;
}

test.each([
  ["the demo chain", () => loadDemo({ verified: true })],
  ["a chain with what the demo lacks", async () => chainWithRarities()],
])("every successful answer about %s is declared", async (_, load) => {
  const chain = await load();
  const mock = createExplorer({ chain });
  const questions = questionsAbout(chain);
  expect(questions.length).toBeGreaterThan(20);
  for (const { id, raw } of questions) {
    const { target, ...request } = requestOf(id, raw);
    const response = await mock.fetch(`${mock.baseUrl}${target}`, request);
    expect([response.status, id, raw]).toEqual([200, id, raw]);
    expect(objection(id, 200, await response.json())).toBeUndefined();
  }
});

test("every answer of generated chains is declared too, failures included", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1000 }), fc.gen(), async (seed, any) => {
      const chain = generateChain({ seed, blocks: 6, transactions: 40 });
      const mock = createExplorer({ chain });
      const { requests, strays } = requestsAbout(chain);
      for (const { target, ...request } of any(() =>
        fc.array(fc.oneof(requests, strays), { minLength: 30, maxLength: 30 }),
      )) {
        const response = await mock.fetch(`${mock.baseUrl}${target}`, request);
        const id = mock.journal.entries.at(-1)?.operation;
        expect(objection(id, response.status, await response.json())).toBeUndefined();
      }
    }),
    { numRuns: runs(15) },
  );
});

test("a field that is not declared is an objection, and so is a block beyond 2^63", () => {
  const block = { timestamp: "2024-01-01T00:00:00Z", miner: null, reward: "0", fees: "0" };
  const answer = (more: object) => ({
    status: "200",
    message: "success",
    results: { data: { ...block, block_number: "7", mining_reward: "0", ...more } },
  });
  const miner = `0x${"11".repeat(20)}`;
  expect(objection("B1", 200, answer({ miner }))).toBeUndefined();
  const largest = { miner, block_number: `${2n ** 63n - 1n}` };
  expect(objection("B1", 200, answer(largest))).toBeUndefined();
  expect(objection("B1", 200, answer({ miner, odd: 1 }))).toContain("additional properties");
  expect(objection("B1", 200, answer({ miner, block_number: `${2n ** 63n}` }))).toContain(
    "pattern",
  );
});

const valid = askable(knownIn(generateChain({ seed: 1, blocks: 6, transactions: 40 })));

/**
 * Returns whether a record of C2 has neither source nor ABI, as some deployments send it for an
 * unverified contract (S2).
 */
function hasNothingVerified(body: unknown): boolean {
  const { contract_source, contract_abi } = Object(Object(Object(body).results).data);
  return !contract_source && !contract_abi;
}

/**
 * No limit of depth, because the faker would write null in place of an object there. It reaches 21
 * levels in 3,000 bodies.
 */
const DRAWN = { optionalsProbability: 0.5, maxDepth: Number.POSITIVE_INFINITY };

describe.each(Object.keys(operations) as OperationId[])("what openapi.json allows for %s", (id) => {
  test("is read by the client", async () => {
    const schema = { ...document, ...schemaOf(id) } as JsonSchema;
    const seeds = Array.from({ length: runs(20) }, (_, seed) => seed);
    for (const seed of seeds) {
      const body = createGeneratorSync({ ...DRAWN, seed }).generate(schema);
      expect([seed, objection(id, 200, body)]).toEqual([seed, undefined]);
      const { message = "success" } = body as { readonly message?: string };
      const explorer = new ExplorerClient({
        baseUrl: "https://explorer.example",
        apiKey: "any",
        fetch: async () => Response.json(body),
      });
      // Only the short records of A2 have a fee.
      const simple = JSON.stringify(body).includes('"tx_fee"');
      const input = { ...valid[id], ...(simple && { simple }) };
      const results = explorer.request(operations[id] as AnyOperation, input);
      if (message === "success" && id === "C2" && hasNothingVerified(body))
        await expect(results).rejects.toThrow(NotVerifiedError);
      else if (message === "success") await results;
      else await expect(results).rejects.toThrow();
    }
  });
});
