// The executable as a process of its own: pipes, and signals.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { AURORA, KEY, linesOf, serveDemo } from "./serve-demo.ts";

const main = fileURLToPath(new URL("../../mocks/cli/main.ts", import.meta.url));
const demo = serveDemo();

test("ends quietly when the reader of its output has seen enough", async () => {
  const env = { ...process.env, EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const child = spawn(
    process.execPath,
    [main, ..."eventLogs list".split(" "), AURORA, "--all", "--limit", "10", "--format", "ndjson"],
    { env },
  );
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test.runIf(existsSync("/dev/full"))("reports a full disk, and never a stack", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [main, "--help"], { stdio: ["ignore", full, "pipe"] });
  let err = "";
  child.stderr?.on("data", (text) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  closeSync(full);
  expect({ code, err }).toEqual({
    code: 1,
    err: "error: standard output has no space left on its disk (ENOSPC)\n",
  });
});

test("serves a generated chain, one line when ready, until ^C, which a response that waits for an hour does not hold up", async () => {
  const child = spawn(process.execPath, [
    main,
    ..."serve --generate 100 --port 0 --api-key one --api-key two --admin-token 0123456789".split(
      " ",
    ),
  ]);
  let out = "";
  const url: string = await new Promise((resolve) =>
    child.stdout.on("data", (text) => {
      out += text;
      const [, address] = /(http\S+)\n/.exec(out) ?? [];
      if (address !== undefined) resolve(address);
    }),
  );
  const status = async (key: string) =>
    (await fetch(`${url}/v1/blocks/1`, { headers: { "api-key": key } })).status;
  expect([await status("one"), await status("two"), await status("three")]).toEqual([
    200, 200, 401,
  ]);
  const headers = { "admin-token": "0123456789", "content-type": "application/json" };
  const body = JSON.stringify({ fault: "latency", ms: 3_600_000 });
  await fetch(`${url}/admin/faults`, { method: "POST", headers, body });
  void status("one").catch(() => {});
  const requests = async () =>
    (await (await fetch(`${url}/admin/journal`, { headers })).json()).entries.length;
  await expect.poll(requests).toBe(4);
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  expect(linesOf(out)).toHaveLength(1);
});
