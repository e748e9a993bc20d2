// The file of a recording: many writers, writers that are killed, versions, and a disk that fills.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createReplay } from "../../mocks/recording/create-replay.ts";
import { RecordingFile, readRecording } from "../../mocks/recording/recording-file.ts";
import { temporaryFolder } from "../support/project.ts";
import { runs } from "../support/runs.ts";

const NAME = "requests.ndjson";
const fixture = (name: string) => fileURLToPath(new URL(`${name}.fixture.ts`, import.meta.url));

const call = (target: string, text = "") => ({
  request: { method: "GET", target, keyless: true as const },
  response: { status: 200, headers: {}, text },
});

/** The texts that a replay answers, as often as it is asked. */
async function replayed(folder: string, target: string, times: number): Promise<string[]> {
  const { fetch, baseUrl } = createReplay(folder, { onWarning: () => {} });
  const texts: string[] = [];
  for (let count = 0; count < times; count++)
    texts.push(await (await fetch(`${baseUrl}${target}`)).text());
  return texts;
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
  const warnings: string[] = [];
  const { recording } = readRecording(folder, (warning) => warnings.push(warning));
  for (const warning of warnings) expect(warning).toContain("skipped half a line");
  const lines = readFileSync(join(folder, NAME), "utf8").split("\n");
  for (const target of answered.flat()) {
    const written = lines.filter((line) => line.includes(`"${target}"`));
    const read = recording.versions({ method: "GET", target });
    expect([target, written.length, read.length]).toEqual([target, 1, 1]);
  }
});

test.each([
  ["at the end", ""],
  ["before another's line", `${JSON.stringify(call("/v1/blocks/2", "two"))}\n`],
])(
  "half a line of a recorder that died while it wrote, %s, is skipped with a warning",
  (_, after) => {
    const folder = temporaryFolder("recording", onTestFinished);
    new RecordingFile(folder, expect.unreachable).add(call("/v1/blocks/1", "one"));
    appendFileSync(join(folder, NAME), `{"request":{"method":"GET","target":"/v1/bl${after}`);
    const warnings: string[] = [];
    const { recording } = readRecording(folder, (warning) => warnings.push(warning));
    expect(warnings).toEqual([expect.stringMatching(/requests\.ndjson:3: skipped half a line/)]);
    expect(recording.versions(call("/v1/blocks/1").request)).toHaveLength(1);
    expect(recording.versions(call("/v1/blocks/2").request)).toHaveLength(after ? 1 : 0);
  },
);

test("versions are replayed in the order they came; one that comes again costs a short line", async () => {
  const folder = temporaryFolder("recording", onTestFinished);
  const [a, b] = ["a".repeat(100_000), "b".repeat(100_000)];
  const file = new RecordingFile(folder, expect.unreachable);
  const target = "/v1/blocks/1";
  for (const text of [a, a, b, b, a, b]) file.add(call(target, text));
  // Another process is answered alike.
  new RecordingFile(folder, expect.unreachable).add(call(target, b));
  expect(statSync(join(folder, NAME)).size).toBeLessThan(301_500);
  expect((await replayed(folder, target, 5)).map((text) => text[0]).join("")).toBe("ababb");
});

// A limit on the size of files stands for a disk that fills: a write ends in the middle of a line.
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
        /requests\.ndjson cannot be written, so further responses are not recorded: EFBIG/,
      ),
    ]);
    const { recording } = readRecording(folder, () => {});
    const has = (block: number) =>
      recording.versions({ method: "GET", target: `/v1/blocks/${block}` }).length;
    expect([has(0), has(10), has(59)]).toEqual([1, 1, 0]);
  },
);
