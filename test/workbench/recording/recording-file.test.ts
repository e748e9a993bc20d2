// The file of a recording: what is in it when a disk fills, and its order.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RecordingFile, readRecording } from "../../../mocks/workbench/recording/recording-file.ts";
import { newFolder } from "./recorded.ts";

const call = (target: string, status = 200) => ({
  request: { method: "GET", target },
  response: { status, headers: {}, text: "" },
});

test("it is sorted when it is closed, versions in the order they came", () => {
  const folder = newFolder();
  const file = new RecordingFile(folder, expect.unreachable);
  for (const one of [call("/b"), call("/a"), call("/b", 404), call("/b", 404), call("/b")])
    file.add(one);
  file.close();
  const lines = readFileSync(join(folder, "requests.ndjson"), "utf8").trimEnd().split("\n");
  expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual([
    call("/a"),
    call("/b"),
    call("/b", 404),
    call("/b"),
  ]);
  const again = new RecordingFile(folder, expect.unreachable);
  again.add(call("/a"));
  again.add(call("/0"));
  again.close();
  expect(readRecording(folder).calls.map(({ request }) => request.target)).toEqual([
    ...["/0", "/a", "/b", "/b", "/b"],
  ]);
});

test("a recorder that is killed leaves an unsorted file, which is loaded, and goes on", async () => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  const fixture = fileURLToPath(new URL("killed.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, [fixture, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await ended;
  const targets = () => readRecording(folder).calls.map(({ request }) => request.target);
  expect(targets()).toEqual(["/v1/blocks/3", "/v1/blocks/2", "/v1/blocks/1"]);
  const file = new RecordingFile(folder, expect.unreachable);
  file.add(call("/v1/blocks/0"));
  file.close();
  expect(targets()).toEqual(["/v1/blocks/0", "/v1/blocks/1", "/v1/blocks/2", "/v1/blocks/3"]);
});

test("half a line of a recorder that died while it wrote is named, with what is there", () => {
  const folder = newFolder();
  const file = new RecordingFile(folder, expect.unreachable);
  file.add(call("/a"));
  file.close();
  appendFileSync(join(folder, "requests.ndjson"), '{"request":{"meth');
  expect(() => readRecording(folder)).toThrow(/requests\.ndjson:3: expected JSON, received /);
});

// A limit on the size of files stands for a disk that fills: a write ends in the middle of a line.
test.skipIf(process.platform === "win32")(
  "a disk that fills costs what follows, and no more",
  () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    const fixture = fileURLToPath(new URL("full-disk.fixture.ts", import.meta.url));
    const printed = execFileSync(
      "bash",
      ["-c", 'trap "" XFSZ; ulimit -f 8; exec "$0" "$1" "$2"', process.execPath, fixture, folder],
      { encoding: "utf8" },
    );
    const { statuses, warnings } = JSON.parse(printed);
    expect(statuses).toEqual([200]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /requests\.ndjson cannot be written, so further responses are not recorded: EFBIG/,
      ),
    ]);
    const { calls } = readRecording(folder);
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.length).toBeLessThan(60);
  },
);
