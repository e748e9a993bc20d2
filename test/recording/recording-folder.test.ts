// The folder of a recording: a file for each request, many writers, writers that are killed, versions, and a disk that fills.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createReplay } from "../../mocks/recording/create-replay.ts";
import { RecordingFolder, readRecording } from "../../mocks/recording/recording-folder.ts";
import { createExplorerApi } from "../../mocks/service/explorer-api.ts";
import { temporaryFolder } from "../support/project.ts";
import { runs } from "../support/runs.ts";

const fixture = (name: string) => fileURLToPath(new URL(`${name}.fixture.ts`, import.meta.url));
const api = createExplorerApi();

const call = (target: string, text = "") => ({
  request: { method: "GET", target, keyless: true as const },
  response: { status: 200, headers: {}, text },
});
const versionsIn = (folder: string, target: string) =>
  readRecording(folder, api, expect.unreachable).find({ method: "GET", target }).versions;

/** The text that a replay answers. */
async function replayed(folder: string, target: string, init: RequestInit = {}) {
  const { fetch, baseUrl } = createReplay(folder, { onWarning: () => {} });
  const response = await fetch(`${baseUrl}${target}`, init);
  return { status: response.status, text: await response.text() };
}

test("processes and threads record at once, and some are killed: whatever was answered is there, once", async () => {
  const folder = temporaryFolder("recording", onTestFinished);
  const count = runs(40);
  const answered = await Promise.all(
    [0, 1].map(async (index) => {
      // Each asks for `count` blocks of its own, and its thread for as many.
      const blocks = [`${2 * count * index}`, `${count}`];
      const child = spawn(process.execPath, [fixture("recorder"), folder, ...blocks], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = once(child, "close");
      let printed = "";
      for await (const text of child.stdout) {
        printed += text;
        // One dies at any moment.
        if (index < 1 && printed.split("\n").length > count / 2) child.kill("SIGKILL");
      }
      await closed;
      return printed.split("\n").slice(0, -1);
    }),
  );
  expect(answered.slice(1).map(({ length }) => length)).toEqual([2 * count]);
  for (const target of answered.flat())
    expect([target, versionsIn(folder, target).length]).toEqual([target, 1]);
});

test("each request has a file that says what changed, with the versions in the order they came", async () => {
  const folder = temporaryFolder("recording", onTestFinished);
  const recorder = new RecordingFolder(folder, api, expect.unreachable);
  for (const text of ["a", "a", "b", "b", "a"]) recorder.add(call("/v1/blocks/1", text));
  // Another process is answered alike.
  new RecordingFolder(folder, api, expect.unreachable).add(call("/v1/blocks/1", "a"));
  recorder.add(call("/v1/event-logs?address=0xab&limit=5"));
  const names = readdirSync(folder).sort();
  expect(names).toEqual([
    expect.stringMatching(/^blocks\.get_1\.[0-9a-f]{8}\.json$/),
    expect.stringMatching(/^eventLogs\.list_address=0xab_limit=5\.[0-9a-f]{8}\.json$/),
  ]);
  expect(readFileSync(join(folder, names[0] ?? ""), "utf8")).toBe(
    `${JSON.stringify(
      {
        request: { method: "GET", target: "/v1/blocks/1", keyless: true },
        responses: ["a", "b", "a"].map((text) => ({ status: 200, headers: {}, text })),
      },
      null,
      2,
    )}\n`,
  );
});

describe("a replay compares requests by operation and parameters", () => {
  const A = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  const UPPER = `0x${A.slice(2).toUpperCase()}`;
  const list = `/v1/accounts/${A}/transactions`;
  const post = (body: string) => ({
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });

  test.each<[string, string, string, RequestInit?, RequestInit?]>([
    ["the order of parameters", `${list}?limit=5&offset=1`, `${list}?offset=1&limit=5`],
    ["the case of an address", `${list}?limit=5`, `/v1/accounts/${UPPER}/transactions?limit=5`],
    ["defaults", `${list}?limit=50&offset=0&condition=all`, list],
    ["encoding", `${list}?condition=from`, `${list}?condition=%66rom`],
    [
      "spaces and case in a body",
      "/v1/accounts/balance",
      "/v1/accounts/balance",
      post(`{"addresses":["${A}"]}`),
      post(`{ "addresses": [ "${UPPER}" ] }`),
    ],
    ["the order of unknown parameters", `${list}?a=1&b=2`, `${list}?b=2&a=1`],
    [
      "a topic's case",
      `/v1/event-logs?address=${A}&topic_0=0x${"AB".repeat(32)}`,
      `/v1/event-logs?topic_0=0x${"ab".repeat(32)}&address=${A}`,
    ],
  ])("whatever %s", async (_, recorded, asked, written = {}, init = {}) => {
    const folder = temporaryFolder("recording", onTestFinished);
    const body = typeof written.body === "string" ? { body: written.body } : {};
    const { request, response } = call(recorded, "yes");
    new RecordingFolder(folder, api, expect.unreachable).add({
      request: { ...request, method: written.method ?? "GET", ...body },
      response,
    });
    expect(await replayed(folder, asked, init)).toEqual({ status: 200, text: "yes" });
  });

  test.each([
    [`${list}?limit=5`, `${list}?limit=6`],
    [`${list}?condition=from`, `${list}?condition=to`],
    ["/v1/blocks/7", "/v1/blocks/8"],
    [`${list}?a=1`, `${list}?a=2`],
    [`${list}?limit=none`, `${list}?limit=many`],
  ])("%s is not %s", async (recorded, asked) => {
    const folder = temporaryFolder("recording", onTestFinished);
    new RecordingFolder(folder, api, expect.unreachable).add(call(recorded));
    expect((await replayed(folder, asked)).status).toBe(501);
  });
});

test("a file may be written by hand, with a byte order mark, and not in UTF-16", async () => {
  const folder = temporaryFolder("recording", onTestFinished);
  const record = {
    request: { method: "GET", target: "/v1/blocks/7", keyless: true },
    responses: [{ status: 200, json: { status: "200" } }],
  };
  const file = join(folder, "block.json");
  writeFileSync(file, `\ufeff${JSON.stringify(record)}`);
  expect((await replayed(folder, "/v1/blocks/7")).text).toBe('{"status":"200"}');
  writeFileSync(file, Buffer.from(`\ufeff${JSON.stringify(record)}`, "utf16le"));
  expect(() => createReplay(folder)).toThrow(/block\.json: .*it is UTF-16; save it as UTF-8/);
});

test.each(["empty", "nowhere/at/all"])("a folder that is %s says how to record", (name) => {
  const folder = name === "empty" ? temporaryFolder("recording", onTestFinished) : name;
  expect(() => createReplay(folder)).toThrow(
    /expected a recording, found none\. What to do: .*createProxy.*--record.*MRC_RECORD=1/,
  );
});

// A limit on the size of files stands for a disk that fills.
test.skipIf(process.platform === "win32")(
  "a disk that fills costs what follows, and no more",
  () => {
    const folder = temporaryFolder("recording", onTestFinished);
    const printed = execFileSync(
      "bash",
      [
        "-c",
        'trap "" XFSZ; ulimit -f 8; exec "$0" "$1" "$2"',
        ...[process.execPath, fixture("full-disk"), folder],
      ],
      { encoding: "utf8" },
    );
    const { statuses, warnings } = JSON.parse(printed);
    expect(statuses).toEqual([200]);
    expect(warnings.filter((warning: string) => !warning.startsWith("the api-key"))).toEqual([
      expect.stringMatching(
        /\.json cannot be written, so further responses are not recorded: EFBIG/,
      ),
    ]);
    const has = (block: number) => versionsIn(folder, `/v1/blocks/${block}`).length;
    expect([has(0), has(10), has(59)]).toEqual([1, 1, 0]);
    expect(readdirSync(folder).every((name) => name.endsWith(".json"))).toBe(true);
  },
);
