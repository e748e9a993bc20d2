// What of a key is left out of a recording: every form of it, and nothing of the data.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createProxy } from "../../mocks/recording/create-replay.ts";
import { createHideKeys } from "../../mocks/recording/hide-key.ts";
import { json, serve } from "../http/server.ts";
import { temporaryFolder } from "../support/project.ts";

test.each(["apikey", "api-key", "a%70ikey", "api%2Dkey", "X-API-Key", "key"])(
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
