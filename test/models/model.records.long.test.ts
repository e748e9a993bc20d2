// The law of the models on every record there is: what the service says of a real chain is written back exactly as it came.
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createExplorer, type Explorer } from "../../mocks/index.ts";
import { loadChain } from "../../mocks/node.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/index.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import { DEMO, DEVNET, describeWith, readZipped } from "../support/chains.ts";

describe("every record of the demo chain", () => recordsOf(DEMO));
describeWith(DEVNET, "every record of devnet", () => recordsOf(DEVNET));

function recordsOf(folder: string): void {
  let mock: Explorer;
  let accounts: readonly string[];

  beforeAll(async () => {
    mock = createExplorer({ chain: await loadChain(folder, { verified: true }) });
    accounts = Object.keys(JSON.parse(readZipped(folder, "oracle.json.gz")).nativeBalances);
  });

  /** The JSON of an answer; undefined where the service says there is nothing. */
  async function ask(path: string): Promise<Record<string, unknown> | undefined> {
    const response = await mock.fetch(`${mock.baseUrl}${path}`, { headers: { "api-key": "test" } });
    const answer = await response.json();
    if ("mrc_20" in answer) return answer;
    return answer.message === "success" ? answer.results : undefined;
  }

  /** How many records there are in results that came back as they were. */
  function same(schema: AnySchema, results: Record<string, unknown>): number {
    const written: unknown = z.encode(schema, z.decode(schema, structuredClone(results) as never));
    if (!isDeepStrictEqual(written, results)) expect(written).toEqual(results);
    const lists = [results.data, ...Object.values(results).map((list) => Object(list).results)];
    return lists.flat().filter((one) => typeof one === "object" && one !== null).length;
  }

  async function every(id: OperationId, paths: readonly string[], simple = false): Promise<number> {
    const { results, simpleResults }: AnyOperation = operations[id];
    let records = 0;
    for (const path of paths)
      for (let offset = 0; ; offset += 1000) {
        const page = path.includes("?") ? `${path}&limit=1000&offset=${offset}` : path;
        const answer = await ask(page);
        if (answer === undefined) break;
        const count = same(simple && simpleResults ? simpleResults : results, answer);
        records += count;
        if (!path.includes("?") || count < 1000) break;
      }
    return records;
  }
  const of = (path: (account: string) => string) => accounts.map(path);
  const about = (rest: string) => of((account) => `/v1/accounts/${account}/${rest}`);

  test("transactions, in full with input, and simple", async () => {
    expect(await every("A2", about("transactions?input=true"))).toBeGreaterThan(0);
    expect(await every("A2", about("transactions?simple=true"), true)).toBeGreaterThan(0);
  });

  test("internal transactions, by account and by transaction", async () => {
    expect(await every("A3", about("internal-transactions?input=true"))).toBeGreaterThan(0);
    const hashes = new Set<string>();
    for (const account of accounts) {
      const page = await ask(`/v1/accounts/${account}/transactions?limit=1000`);
      for (const { transaction_hash } of Object(page).data) hashes.add(transaction_hash);
    }
    const paths = [...hashes].map((hash) => `/v1/transactions/${hash}/internal-transactions?`);
    expect(await every("X3", paths)).toBeGreaterThan(0);
  });

  test("transfers and tokens", async () => {
    expect(await every("A4", about("token-transfer/mrc20?"))).toBeGreaterThan(0);
    expect(await every("A5", about("token-transfer/mrc721?"))).toBeGreaterThan(0);
    expect(await every("A6", about("tokens?"))).toBeGreaterThan(0);
    expect(await every("A7", about("tokens/mrc20?"))).toBeGreaterThan(0);
    expect(await every("A8", about("tokens/mrc721?"))).toBeGreaterThan(0);
    expect(await every("A9", about("tokens/inventory?"))).toBeGreaterThan(0);
  });

  test("event logs", async () => {
    const paths = of((account) => `/v1/event-logs?address=${account}`);
    expect(await every("L1", paths)).toBeGreaterThan(0);
  });

  test("blocks, and the lists of their miners", async () => {
    const blocks = Array.from({ length: mock.chain.length }, (_, number) => `/v1/blocks/${number}`);
    expect(await every("B1", blocks)).toBe(mock.chain.length);
    expect(await every("A10", about("mined-blocks?"))).toBeGreaterThan(0);
  });

  test("verified contracts and their ABIs", async () => {
    expect(
      await every(
        "C1",
        of((account) => `/v1/contracts/${account}/abi`),
      ),
    ).toBeGreaterThan(0);
    expect(
      await every(
        "C2",
        of((account) => `/v1/contracts/${account}/code`),
      ),
    ).toBeGreaterThan(0);
  });
}
