// A mistyped address is refused by its checksum, wherever it stands, and before anything is sent.
import { describe, expect, test } from "vitest";
import type { Address, ExplorerClient } from "../../src/index.ts";
import { clientOf, issuesOf, json, serve, submission, success, supply, unsent } from "./server.ts";

const RIGHT = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
/** Its last digit but one is another one. */
const WRONG = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6C65";
const advice =
  /: invalid checksum in 0x15d34AAf54267DB7D7c367839AAf71A00a2C6C65; did you mean 0x15D34AAf54267dB7D7C367839AaF71a00a2C6c65\?/;

const calls: readonly [string, string, (client: ExplorerClient) => PromiseLike<unknown>][] = [
  ["a path", "contract_hash", ({ tokens }) => tokens.totalSupply(WRONG)],
  ["a query", "address", ({ eventLogs }) => eventLogs.list({ address: WRONG })],
  ["a list", "address_hash", ({ accounts }) => accounts.transactions(WRONG).collect()],
  ["a balance", "address", ({ accounts }) => accounts.balance(WRONG)],
  ["many balances", "addresses.1", ({ accounts }) => accounts.balances([RIGHT, WRONG])],
  [
    "balances that come one by one",
    "addresses.0",
    ({ accounts }) => accounts.balances(new Set([RIGHT, WRONG] as const)),
  ],
  [
    "a library",
    "libraries.0.address",
    ({ contracts }) =>
      contracts.verify(RIGHT, { ...submission, libraries: [{ name: "Math", address: WRONG }] }),
  ],
];

describe("a wrong checksum", () => {
  test.each(calls)("in %s is named %s", async (_, path, call) => {
    const { message, paths } = await issuesOf(() => call(clientOf({ url: "" }, unsent)));
    expect(paths).toEqual([path]);
    expect(message).toMatch(advice);
  });

  test("is sent if the client does not check it", async () => {
    const server = await serve((asked, response) =>
      json(
        response,
        asked.method === "POST"
          ? success({ data: [{ address: WRONG.toLowerCase(), balance: "5" }] })
          : supply("7"),
      ),
    );
    const { accounts, tokens } = clientOf(server, { checksum: false });
    expect(await tokens.totalSupply(WRONG)).toBe(7n);
    expect(await accounts.balance(WRONG)).toBe(5n);
  });
});

test.each([RIGHT, RIGHT.toLowerCase(), `0x${RIGHT.slice(2).toUpperCase()}`])(
  "%s is accepted",
  async (address) => {
    const server = await serve((_, response) => json(response, supply("7")));
    expect(await clientOf(server).tokens.totalSupply(address as Address)).toBe(7n);
    expect(server.asked[0]?.url).toContain(address);
  },
);
