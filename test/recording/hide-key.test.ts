// What of a key is left out of a recording: every form of it, and nothing of the data.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createProxy } from "../../mocks/recording/create-replay.ts";
import { createHideKeys } from "../../mocks/recording/hide-key.ts";
import { json, serve } from "../http/server.ts";
import { temporaryFolder } from "../support/project.ts";

test.each([
  ...["apikey", "api-key", "X-API-Key", "key", "apikey[]"],
  ...["a%70ikey", "api%2Dkey", "api%6Bey", "apike%79", "%6b%65%79", "apikey%20", "apikey%5B%5D"],
])(
  "a key that is only in the query as %s is neither recorded, also where the response repeats it, nor in the journal",
  async (name) => {
    const key = "QUERYKEY-ijkl_mnop77";
    const results = { data: null, next: `/v1/blocks/1?${name}=${key}&offset=10` };
    const server = await serve((_, response) =>
      json(response, { status: "200", message: "success", results }, 200, { "x-self": key }),
    );
    const folder = temporaryFolder("recording", onTestFinished);
    const proxy = createProxy(server.url, { record: folder });
    await (await proxy.fetch(`${proxy.baseUrl}/v1/blocks/1?${name}=${key}`)).text();
    const [file = ""] = readdirSync(folder);
    const recorded = `${file} ${readFileSync(join(folder, file), "utf8")}`;
    expect(recorded).toContain("x-self");
    const targets = proxy.journal.entries.map(({ target }) => target);
    expect([recorded, ...targets].join()).not.toContain(key);
  },
);

test("a key that the explorer repeats is in no header's name of a recording, and in no journal", async () => {
  const key = "header-key-77";
  const results = { data: { [key]: 1, block_number: key } };
  const server = await serve((_, response) =>
    json(response, { status: "400", message: `${key} ${btoa(key)}`.repeat(99), results }, 400, {
      [`x-${key}`]: "1",
    }),
  );
  const folder = temporaryFolder("recording", onTestFinished);
  const proxy = createProxy(server.url, { record: folder });
  const response = await proxy.fetch(`${proxy.baseUrl}/v1/blocks/1`, {
    headers: { "api-key": key },
  });
  expect(response.headers.get(`x-${key}`)).toBe("1");
  const [file = ""] = readdirSync(folder);
  const [{ message, notes } = { message: "", notes: [] }] = proxy.journal.entries;
  expect(message).toMatch(/^\[api-key\] \[api-key\]/);
  expect(message?.length).toBeLessThanOrEqual(2000);
  const texts = [readFileSync(join(folder, file), "utf8"), message, ...notes].join();
  expect(texts).not.toMatch(/header-key-77|aGVhZGVy/);
});

test.each(["ab".repeat(20), "12345678", "0xAbCdEf12", "short"])(
  "of a key that could be data, %s, only what is exactly the key is hidden",
  (key) => {
    const hide = createHideKeys([key]);
    const body = `{"miner":"0x${key}","hash":"0x00${key}ff","number":${key}1,"name":"a${key}"}`;
    expect(hide("body", body)).toBe(body);
    expect(hide("body", `{"key":"${key}"}`)).toBe('{"key":"[api-key]"}');
    expect(hide("target", `/v1/blocks/${key}`)).toBe(`/v1/blocks/${key}`);
    expect(hide("target", `/v1/blocks/1?a=${key}&b=1`)).toBe("/v1/blocks/1?a=[api-key]&b=1");
    expect(hide("header", `Bearer ${key}`)).toBe("Bearer [api-key]");
    expect(hide("header", `x${key}`)).toBe(`x${key}`);
  },
);
