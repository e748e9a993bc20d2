// Which calls that are in flight at once share a request: those that ask for the same, in the same way, and change nothing.
import { expect, test } from "vitest";
import type { ExplorerClient, RequestOptions } from "../../src/index.ts";
import { ADDRESS, clientOf, nobody, submission, success, supply, thrown } from "./server.ts";

/** A client, and what it sent. */
function recording(results: unknown) {
  const sent: string[] = [];
  const fetch = async (url: string, init: { readonly body?: unknown }) => {
    sent.push(init.body === undefined ? url : `${init.body}`);
    return Response.json(results);
  };
  return { client: clientOf({ url: "https://explorer.example" }, { fetch }), sent };
}

test.each<[string, RequestOptions, number]>([
  ["a signal", { signal: new AbortController().signal }, 1],
  ["its defaults", { dedupe: true }, 1],
  ["timeout", { timeout: 99_000 }, 2],
  ["totalTimeout", { totalTimeout: 99_000 }, 2],
  ["retry", { retry: 1 }, 2],
  ["headers", { headers: { "x-run": "1" } }, 2],
  ["fetchOptions", { fetchOptions: { cache: "no-store" } }, 2],
  ["dedupe: false", { dedupe: false }, 2],
])("two calls, one of them with %s", async (_, options, requests) => {
  const { client, sent } = recording(supply("7"));
  const calls = [client.tokens.totalSupply(ADDRESS), client.tokens.totalSupply(ADDRESS, options)];
  expect(await Promise.all(calls)).toEqual([7n, 7n]);
  expect(sent).toHaveLength(requests);
});

test("calls about other things, or that submit something, are sent each", async () => {
  const other = `0x${"ff".repeat(20)}` as const;
  const reading = recording(supply("7"));
  await Promise.all([
    reading.client.tokens.totalSupply(ADDRESS),
    reading.client.tokens.totalSupply(other),
  ]);
  expect(reading.sent.filter((url) => url.includes(other))).toHaveLength(1);
  expect(reading.sent).toHaveLength(2);
  const verifying = recording(success({ data: "1" }));
  const sources = ["contract One {}", "contract Two {}"];
  await Promise.all(
    sources.map((contract_source) =>
      verifying.client.contracts.verify(ADDRESS, { ...submission, contract_source }),
    ),
  );
  expect(verifying.sent.map((body) => atob(JSON.parse(body).contract_source))).toEqual(sources);
});

/** Reads the first record, as a loop does. */
async function firstOf(records: AsyncIterable<unknown>) {
  for await (const record of records) return record;
}

test.each<[string, (client: ExplorerClient) => PromiseLike<unknown>]>([
  ["one result", ({ tokens }) => tokens.totalSupply(ADDRESS)],
  ["a balance", ({ accounts }) => accounts.balance(ADDRESS)],
  ["balances", ({ accounts }) => accounts.balances([ADDRESS])],
  ["a page", ({ accounts }) => accounts.transactions(ADDRESS)],
  ["a list", ({ accounts }) => accounts.transactions(ADDRESS).collect()],
  ["a loop", ({ accounts }) => firstOf(accounts.transactions(ADDRESS))],
  ["a watch", ({ accounts }) => firstOf(accounts.watch(ADDRESS))],
  [
    "a page without await",
    ({ accounts }) => new Promise((read, fail) => accounts.transactions(ADDRESS).then(read, fail)),
  ],
  ["invalid parameters", ({ accounts }) => accounts.transactions("0x1")],
])("the stack of an error names the functions that asked for %s", async (_, ask) => {
  const client = clientOf(await nobody(), { retry: 0 });
  async function showAccount() {
    await ask(client);
  }
  const { stack } = await thrown(showAccount());
  expect(stack).toMatch(/^(Batch|Connection|Parameter)Error: /);
  expect(stack).toContain("at showAccount");
});
