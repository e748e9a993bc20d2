// Responses of explorers of this family that were published and differ from our own, in their forms with made-up values.
import { expect, test } from "vitest";
import { type Dialect, dialects, type ExplorerClient } from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, json, serve } from "./server.ts";

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

/** WEMIX's begin with an id: eight digits of the block, four of the transaction, five of the event. */
const numbered = (block: number, transaction: number, index: number, type: "3" | null = "3") => ({
  id: `${block}${`${transaction}`.padStart(4, "0")}${`${index}`.padStart(5, "0")}`,
  ...event,
  ...{ transaction_index: `${transaction}`, log_index: `${index}`, address_type: type },
  ...{ topics_count: "3", topic_1: `0x${"0".repeat(64)}`, topic_2: HASH },
  ...(type === null && { data: "0x", method: "0xabababab" }),
});

const { metadium, wemix } = dialects;

test.each<[string, Dialect, unknown, (client: ExplorerClient) => PromiseLike<unknown>, unknown]>([
  [
    "Metadium's event logs, with their total as count",
    metadium,
    success([event], "71"),
    ({ eventLogs }) => eventLogs.list({ address: ADDRESS }),
    { count: 71, data: [{ log_index: 2, timestamp: new Date("2019-04-10T05:29:25Z") }] },
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
])("%s", async (_, dialect, body, ask, expected) => {
  const { url } = await serve((_asked, response) => json(response, body));
  const answer = await Promise.resolve(ask(clientOf({ url }, { retry: 0, dialect }))).catch(
    (error: unknown) => error,
  );
  if (typeof expected === "object") expect(answer).toMatchObject(Object(expected));
  else expect(answer).toBe(expected);
});
