// The executable as a process of its own: pipes, and signals.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
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

test.runIf("enableCompileCache" in module)(
  "keeps compiled code in the user's own folder",
  async () => {
    const folder = temporaryFolder("cache", onTestFinished);
    const { NODE_COMPILE_CACHE: _, ...others } = process.env;
    const env = { ...others, XDG_CACHE_HOME: folder };
    const child = spawn(process.execPath, [main, "--version"], { env, stdio: "ignore" });
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
    expect(readdirSync(join(folder, "mrc-explorer"))).not.toEqual([]);
  },
);

test("waits for a slow reader without a warning", async () => {
  const env = { ...process.env, EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const words = ["eventLogs", "list", AURORA, "--all", "--limit", "5", "-f", "ndjson"];
  const child = spawn(process.execPath, [main, ...words], { env });
  let [err, lines] = ["", 0];
  child.stderr.on("data", (text) => {
    err += text;
  });
  child.stdout.on("data", (text) => {
    lines += `${text}`.split("\n").length - 1;
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 20);
  });
  await new Promise((resolve) => child.once("close", resolve));
  expect([err, lines]).toEqual(["", 249]);
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

test.each(["SIGTERM", "SIGINT"] as const)(
  "serve ends with code 0 on %s while a tool's submission compiles",
  async (signal) => {
    const folder = temporaryFolder("compilers", onTestFinished);
    const compiler = "v0.8.29+commit.7893614a";
    writeFileSync(join(folder, `soljson-${compiler}.js`), "for (;;);");
    const words = ["serve", "--port", "0", "--no-verified", "--solc", folder];
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...process.env, HOME: folder },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    const note = (text: unknown) => {
      printed += text;
    };
    child.stdout.on("data", note);
    child.stderr.on("data", note);
    const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    await expect.poll(address, { timeout: 20_000 }).toBeDefined();
    const body = new URLSearchParams({
      ...{ module: "contract", action: "verifysourcecode", apikey: "k", contractaddress: AURORA },
      ...{ sourceCode: "contract A {}", contractname: "A", compilerversion: compiler },
    });
    const submitted = await fetch(`${address()}/etherscan/api`, { method: "POST", body });
    expect(await submitted.json()).toMatchObject({ status: "1" });
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(printed).not.toContain("unsettled");
  },
  30_000,
);
