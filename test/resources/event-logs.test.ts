// Which topics the methods on event logs send.
import { expect, test } from "vitest";
import { ADDRESS, clientOf, HASH, json, serve, success, unsent } from "../http/server.ts";

test("an address as a topic is padded to 32 bytes, and other topics are sent as they are", async () => {
  const server = await serve((_, response) => json(response, success({ count: "0", data: [] })));
  const query = { address: ADDRESS, topic_1: ADDRESS, topic_2: HASH } as const;
  await clientOf(server).eventLogs.list(query);
  const sent = new URL(server.asked[0]?.url ?? "", server.url).searchParams;
  expect([sent.get("topic_1"), sent.get("topic_2")]).toEqual([
    `0x${"0".repeat(24)}${ADDRESS.slice(2)}`,
    HASH,
  ]);
});

test("a topic that is neither a hash nor an address is refused, and the error names both", async () => {
  const { eventLogs } = clientOf({ url: "" }, unsent);
  const logs = eventLogs.list({ address: ADDRESS, topic_1: "bob" as never });
  await expect(logs.collect()).rejects.toThrow(
    'topic_1: expected a 32-byte hash, or an address, received "bob"',
  );
});
