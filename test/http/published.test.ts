// The eight responses of explorers of this family that were published, in their forms with made-up values: each is read, or refused for what it is.
import { expect, test } from "vitest";
import type { ExplorerClient } from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, json, serve } from "./server.ts";

const success = (data: unknown, count?: string) => ({
  ...{ status: "200", message: "success" },
  results: count === undefined ? { data } : { count, data },
});

/** An event of Metadium's documentation. */
const event = {
  ...{ timestamp: "2019-04-10T05:29:25Z", address: ADDRESS, data: "0x07", method: "0xddf252ad" },
  ...{ transaction_hash: HASH, log_name: null, log_abi: null, address_type: null },
  ...{ address_extra: null, transaction_index: "0", log_index: "2", topics_count: "1" },
  ...{ topic_0: HASH, topic_1: null, topic_2: null, topic_3: null },
};
/** WEMIX's have an id first: block, transaction and event. */
const numbered = { id: "12345678000000002", ...event, address_type: "3" };

const text = JSON.stringify(success([event], "71"));

test.each<[string, unknown, (explorer: ExplorerClient) => PromiseLike<unknown>, unknown]>([
  [
    "event logs, with their total as count",
    success([event], "71"),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { count: 71, data: [{ log_index: 2, timestamp: new Date("2019-04-10T05:29:25Z") }] },
  ],
  [
    "event logs with an id, of an address of type 3",
    success([numbered], "1"),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { data: [{ id: numbered.id, address_type: "3", topics_count: 1 }] },
  ],
  [
    "a balance",
    success([{ address: ADDRESS, balance: "90071992547409930" }]),
    ({ accounts }) => accounts.balance(ADDRESS),
    90_071_992_547_409_930n,
  ],
  [
    "a supply",
    success({ total_supply: "1000000000000000000000000000" }),
    ({ tokens }) => tokens.totalSupply(ADDRESS),
    10n ** 27n,
  ],
  [
    "the status of a transaction, as text",
    success({ status: "1" }),
    ({ transactions }) => transactions.status(HASH),
    "1",
  ],
  [
    "the status of a failed one, with a description",
    success({ status: "0", description: "execution reverted" }),
    ({ transactions }) => transactions.status(HASH),
    "0",
  ],
  [
    "the ABI of a contract that is not verified",
    { status: "200", message: "contract is not yet verified", results: {} },
    ({ contracts }) => contracts.abi(ADDRESS),
    { code: "NOT_VERIFIED" },
  ],
  [
    "a response that was cut",
    text.slice(0, text.length / 2),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { code: "RESPONSE_VALIDATION" },
  ],
])("%s", async (_, body, ask, expected) => {
  const { url } = await serve((_asked, response) =>
    json(response, typeof body === "string" ? body : JSON.stringify(body)),
  );
  const answer = await Promise.resolve(ask(clientOf({ url }, { retry: 0 }))).catch(
    (error: unknown) => error,
  );
  if (typeof expected === "object") expect(answer).toMatchObject(Object(expected));
  else expect(answer).toBe(expected);
});
