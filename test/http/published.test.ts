// The eight responses of explorers of this family that were published, in their forms with made-up values: each is read, or refused for what it is.
import { expect, test } from "vitest";
import { type Dialect, dialects, type ExplorerClient } from "../../src/index.ts";
import { ADDRESS, addressOf, clientOf, HASH, json, serve } from "./server.ts";

const success = (data: unknown, count?: string) => ({
  ...{ status: "200", message: "success" },
  results: count === undefined ? { data } : { count, data },
});

/** An event of Metadium's documentation. */
const event = {
  ...{ timestamp: "2019-04-10T05:29:25Z", address: ADDRESS, data: `0x${"07".repeat(480)}` },
  ...{ method: "0xddf252ad", transaction_hash: HASH, log_name: null, log_abi: null },
  ...{ address_type: null, address_extra: null, transaction_index: "0", log_index: "2" },
  ...{ topics_count: "1", topic_0: HASH, topic_1: null, topic_2: null, topic_3: null },
};
const cut = JSON.stringify(success([event], "71")).slice(0, -40);

/** WEMIX's begin with an id: eight digits of the block, four of the transaction, five of the event. */
const numbered = (block: number, transaction: number, index: number, type: "3" | null = "3") => ({
  id: `${block}${`${transaction}`.padStart(4, "0")}${`${index}`.padStart(5, "0")}`,
  ...event,
  ...{ transaction_index: `${transaction}`, log_index: `${index}`, address_type: type },
  ...{ topics_count: "3", topic_1: `0x${"0".repeat(64)}`, topic_2: HASH },
  ...(type === null && { data: "0x", method: "0xabababab" }),
});

const accounts = ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", addressOf(7)] as const;
const { metadium, wemix } = dialects;

test.each<[string, Dialect, unknown, (client: ExplorerClient) => PromiseLike<unknown>, unknown]>([
  [
    "Metadium's balances, in the order of the request and in lower case",
    metadium,
    success([
      { address: accounts[0].toLowerCase(), balance: "90000023751520000000000000" },
      { address: accounts[1], balance: "90000010000000000000000000" },
    ]),
    ({ accounts: one }) => one.balances(accounts),
    [{ balance: 90_000_023_751_520_000_000_000_000n }, { balance: 9_000_001n * 10n ** 19n }],
  ],
  [
    "Metadium's supply of a token",
    metadium,
    success({ total_supply: "900000000000000000000000000" }),
    ({ tokens }) => tokens.totalSupply(ADDRESS),
    9n * 10n ** 26n,
  ],
  [
    "Metadium's status of a transaction, as text",
    metadium,
    success({ status: "1" }),
    ({ transactions }) => transactions.status(HASH),
    "1",
  ],
  [
    "Metadium's event logs, with their total as count",
    metadium,
    success([event], "71"),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { count: 71, data: [{ log_index: 2, timestamp: new Date("2019-04-10T05:29:25Z") }] },
  ],
  [
    "the same that were cut",
    metadium,
    cut,
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { code: "RESPONSE_VALIDATION" },
  ],
  [
    "WEMIX's event logs with ids, newest first, some of an address of type 3",
    wemix,
    success(
      [
        ...[numbered(12345744, 16, 70), numbered(12345696, 13, 159)],
        ...[numbered(12288648, 40, 171), numbered(12288648, 40, 170, null)],
      ],
      "4",
    ),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    {
      count: 4,
      data: [
        { id: "12345744001600070", address_type: "3", log_index: 70, topics_count: 3 },
        { id: "12345696001300159", transaction_index: 13 },
        { id: "12288648004000171", log_index: 171 },
        { id: "12288648004000170", log_index: 170, address_type: null, data: "0x" },
      ],
    },
  ],
  [
    "WEMIX's status of a failed transaction, with a description",
    wemix,
    success({ status: "0", description: "execution reverted" }),
    ({ transactions }) => transactions.status(HASH),
    "0",
  ],
  [
    "WEMIX's ABI of a contract that is not verified",
    wemix,
    { status: "200", message: "contract is not yet verified", results: {} },
    ({ contracts }) => contracts.abi(ADDRESS),
    { code: "NOT_VERIFIED" },
  ],
])("%s", async (_, dialect, body, ask, expected) => {
  const { url } = await serve((_asked, response) =>
    json(response, typeof body === "string" ? body : JSON.stringify(body)),
  );
  const answer = await Promise.resolve(ask(clientOf({ url }, { retry: 0, dialect }))).catch(
    (error: unknown) => error,
  );
  if (typeof expected === "object") expect(answer).toMatchObject(Object(expected));
  else expect(answer).toBe(expected);
});
