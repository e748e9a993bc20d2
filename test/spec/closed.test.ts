// The service's real answers against openapi.json, nothing more in them than it declares; and the client reads all that it allows.
import fc from "fast-check";
import { createGeneratorSync, type JsonSchema } from "json-schema-faker";
import { describe, expect, test } from "vitest";
import { createExplorer, generateChain } from "../../mocks/node.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { ExplorerClient, NotVerifiedError } from "../../src/index.ts";
import { requestsAbout } from "../support/generated.ts";
import { askable, knownIn } from "../support/requests.ts";
import { runs } from "../support/runs.ts";
import { document, objection, schemaOf } from "./closed-document.ts";

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

/** Whether a record of C2 has neither source nor ABI, as some deployments send it for a contract that is not verified (S2). */
function hasNothingVerified(body: unknown): boolean {
  const { contract_source, contract_abi } = Object(Object(Object(body).results).data);
  return !contract_source && !contract_abi;
}

/** As deep as chance has it, which is 21 levels of ABI components in 3,000 bodies: where the faker stops at a depth, it may write null in place of one. */
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
      const read = explorer.request(operations[id] as AnyOperation, input);
      if (message === "success" && id === "C2" && hasNothingVerified(body))
        await expect(read).rejects.toThrow(NotVerifiedError);
      else if (message === "success") await read;
      else await expect(read).rejects.toThrow();
    }
  });
});
