// The service's real answers against the specification's fields: names, their order, JSON types, envelope, all over the demo chain.
import { describe, expect, test } from "vitest";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer, loadDemo } from "../../mocks/node.ts";
import { requestOf } from "../support/requests.ts";
import { specified } from "./fields.ts";
import { questionsAbout } from "./questions.ts";
import { shapeOf, simple } from "./results.ts";
import { faults, pathsOf, type Seen } from "./shape.ts";
import { tellRest } from "./story.ts";

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
