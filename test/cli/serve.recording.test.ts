// `serve --upstream`, `--record` and `--replay`: a real explorer passed on, recorded and replayed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { json, serve } from "../http/server.ts";
import { temporaryFolder } from "../support/project.ts";
import { ALICE, KEY, serveDemo, serving } from "./serve-demo.ts";

const demo = serveDemo();
const folder = temporaryFolder("serve-recording");
const calls = join(folder, "calls");

const ask = async (url: string, path: string, key = KEY) => {
  const response = await fetch(`${url}${path}`, { headers: { "api-key": key } });
  return [response.status, response.headers.get("content-type"), await response.text()];
};

const paths = [`/v1/accounts/${ALICE}/transactions?limit=3`, "/v1/blocks/7", "/v1/blocks/9999"];

/** The files of a recording. */
const textsIn = (recording: string) =>
  readdirSync(recording).map((name) => readFileSync(join(recording, name), "utf8"));

test("records what passes, and replays it byte for byte without the explorer", async () => {
  const seen: unknown[] = [];
  const { err } = await serving(`--upstream ${demo.url} --record ${calls}`, {}, async (url) => {
    for (const path of paths) {
      const passed = await ask(url, path);
      expect(passed).toEqual(await ask(demo.url, path));
      seen.push(passed);
    }
    // The real explorer's own answer to a wrong key.
    expect((await ask(url, "/v1/blocks/8", "wrong"))[0]).toBe(401);
  });
  expect(err).toContain("warning: the api-key has fewer than 8 characters");
  const texts = textsIn(calls);
  expect(texts.join("")).not.toContain(KEY);
  const targets = texts.map((text) => JSON.parse(text).request.target);
  expect(targets.sort()).toEqual([...paths].sort());
  const asked = demo.mock.journal.entries.length;
  await serving(`--replay ${calls}`, {}, async (url) => {
    for (const [index, path] of paths.entries())
      expect(await ask(url, path, "any")).toEqual(seen[index]);
    const [status, , body] = await ask(url, "/v1/blocks/6");
    expect([status, JSON.parse(String(body)).message]).toEqual([
      501,
      "not recorded: GET /v1/blocks/6; the nearest recorded request is GET /v1/blocks/7",
    ]);
    expect(packageFile("docs/recording.md").read()).toContain(`\n${body}\n`);
  });
  expect(demo.mock.journal.entries).toHaveLength(asked);
  const missing = `--replay ${calls} --upstream ${demo.url} --record-missing`;
  await serving(missing, {}, async (url) => expect((await ask(url, "/v1/blocks/6"))[0]).toBe(200));
  await serving(`--replay ${calls}`, {}, async (url) =>
    expect((await ask(url, "/v1/blocks/6"))[0]).toBe(200),
  );
});

test("ends while it records, and whatever was answered is in the recording", async () => {
  const record = join(folder, "ended");
  // It keeps for ever who asks for the last block.
  const { url: upstream } = await serve(({ url }, response) => {
    if (!url.endsWith("/9999")) json(response, {});
  });
  const answered: string[] = [];
  let asking: Promise<unknown> = Promise.resolve();
  await serving(`--upstream ${upstream} --record ${record}`, {}, async (url) => {
    const asker = async (from: number) => {
      for (let block = from; ; block++) {
        await ask(url, `/v1/blocks/${block}`);
        answered.push(`/v1/blocks/${block}`);
      }
    };
    asking = Promise.allSettled([1000, 2000, 3000, 9999].map((from) => asker(from)));
    await expect.poll(() => answered.length).toBeGreaterThan(40);
  });
  await asking;
  const recorded = textsIn(record).map((text) => JSON.parse(text).request.target);
  expect(recorded).toEqual(expect.arrayContaining(answered));
  expect(recorded).not.toContain("/v1/blocks/9999");
});

test.each([
  ["--record calls", "--record needs --upstream: the explorer to record"],
  ["--record-missing", "--record-missing needs --replay and --upstream"],
  [
    "--replay calls --upstream http://explorer.test",
    "--replay sends no requests: add --record-missing, or leave out --upstream",
  ],
  ["--upstream explorer.test", "expected the URL of an explorer, such as https://explorer.example"],
  ["--upstream http://explorer.test --generate 5", "cannot be used with option '--generate <n>'"],
])("%s is refused", async (options, problem) => {
  const { code, err } = await demo.cli(`serve ${options}`);
  expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
});
