// What the client rejects before sending, and that no parameter changes the path of a request.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { runs } from "../support/runs.ts";
import {
  ADDRESS,
  as,
  clientOf,
  HASH,
  json,
  refused,
  SENTINEL,
  serve,
  success,
  supply,
  unsent,
} from "./server.ts";

describe("invalid parameters are not sent", () => {
  test("an error names every invalid parameter", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const error = await refused(() =>
      clientOf(server).eventLogs.list({
        address: as("0x12"),
        limit: 1001,
        offset: -1,
        startBlock: as("latest"),
        type: as("triple"),
        operand: as("xor"),
        topic_0: as(HASH.slice(0, 20)),
      }),
    );
    expect(error.issues.map(({ path }) => path.join("."))).toEqual([
      "address",
      "limit",
      "offset",
      "startBlock",
      "type",
      "topic_0",
      "operand",
    ]);
    expect(error).toMatchObject({ operation: "L1", issueCount: 7 });
    expect(error.message).toContain(
      'address: expected an address (0x and 40 hexadecimal digits), received "0x12"',
    );
    expect(error.message).toContain("limit: expected an integer from 1 to 1000, received 1001");
    expect(server.asked).toHaveLength(0);
  });

  test("a string in place of an array is one problem, whatever its length", async () => {
    const client = new ExplorerClient(unsent);
    const error = await refused(() => client.request("A1", as({ addresses: ADDRESS })));
    expect(error.message).toContain(`addresses: expected an array, received "${ADDRESS}"`);
  });
});

describe("a request", () => {
  test("goes to its path below baseUrl, with or without a trailing slash", async () => {
    const server = await serve((_, response) => json(response, success({ count: "0", data: [] })));
    for (const base of ["", "/", "/chain/7", "/chain/7/"])
      await clientOf({ url: server.url + base }).accounts.transactions(ADDRESS, {
        limit: 5,
        startBlock: 10n,
        endBlock: 20,
        simple: true,
        condition: "from",
      });
    const query = "limit=5&offset=0&startBlock=10&endBlock=20&simple=true&condition=from";
    const path = `/v1/accounts/${ADDRESS}/transactions?${query}`;
    expect(server.asked.map(({ url }) => url)).toEqual([
      path,
      path,
      `/chain/7${path}`,
      `/chain/7${path}`,
    ]);
  });

  test("never leaves its operation's path, whatever a caller gives", async () => {
    const urls: URL[] = [];
    const client = new ExplorerClient({
      baseUrl: "https://explorer.example/base",
      apiKey: SENTINEL,
      retry: 0,
      fetch: async (url) => {
        urls.push(new URL(url));
        return Response.json(supply("7"));
      },
    });
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom("..", "%2e%2e", "a/../b", "?x=1", "#", "\\..\\", "//evil.example", ADDRESS),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (contract, holder) => {
        urls.length = 0;
        await client.tokens.balance(as(contract), as(holder)).catch(() => {});
        for (const { origin, pathname, search } of urls) {
          expect(origin).toBe("https://explorer.example");
          expect(pathname).toMatch(
            /^\/base\/v1\/tokens\/0x[0-9a-f]{40}\/balance\/0x[0-9a-f]{40}$/i,
          );
          expect(search).toBe("");
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
