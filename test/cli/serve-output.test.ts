// What `serve` says on standard error: commands that have an answer on its chain, and with `--log` each request.
import { describe, expect, test } from "vitest";
import { logLine } from "../../mocks/cli/serve-output.ts";
import { createExplorer, type JournalEntry } from "../../mocks/index.ts";
import { runCli } from "./run-cli.ts";
import { serving } from "./serve-demo.ts";

/** Runs `serve` until it has printed its commands and `run` ends. */
const servingCommands = (
  options: string,
  run: (url: string, printed: string) => Promise<void> = async () => {},
  env: Readonly<Record<string, string>> = {},
  isTerminal = false,
) =>
  serving(
    options,
    env,
    async (url, printed) => {
      await expect.poll(printed).toContain("blocks get latest");
      await run(url, printed());
    },
    isTerminal,
  );

const commandsIn = (text: string) =>
  [...text.matchAll(/^ {4}(?:npx )?mrc-explorer (.+)$/gm)].map(([, command = ""]) => command);

test.each([
  ["--verified", 5],
  ["--generate 400", 4],
] as const)("serve %s names commands that have an answer", async (words, count) => {
  await servingCommands(words, async (url, err) => {
    const commands = commandsIn(err);
    expect(commands).toHaveLength(count);
    const [, base, key] = /export EXPLORER_BASE_URL=(\S+) EXPLORER_API_KEY=(\S+)/.exec(err) ?? [];
    expect([base, key]).toEqual([url, "any"]);
    const env = { EXPLORER_BASE_URL: url, EXPLORER_API_KEY: "any" };
    for (const command of commands) {
      const { code, out } = await runCli(`${command} --format ndjson`.split(" "), { env });
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(out, command).not.toBe("");
    }
  });
});

test("the commands are run as the server was", async () => {
  const { err } = await servingCommands("--generate 20", undefined, {
    npm_command: "exec",
  });
  expect(err).toContain("    npx mrc-explorer blocks get latest");
});

test("keys that are listed are not printed", async () => {
  const { err, out } = await servingCommands(
    "--generate 20 --api-key sesame-open --log",
    async (url) => {
      for (const key of ["sesame-open", "wrong-key"])
        await fetch(`${url}/v1/blocks/1?api-key=${key}`, { headers: { "api-key": key } });
    },
  );
  expect(out + err).not.toMatch(/sesame|wrong-key/);
  expect(err).toContain("EXPLORER_API_KEY=…");
});

describe("--log", () => {
  test("prints time, method, path and query, operation, status and milliseconds", async () => {
    const { err } = await servingCommands("--generate 20 --log", async (url) => {
      const headers = { "api-key": "any-key" };
      await fetch(`${url}/v1/blocks/1?limit=5&apikey=any-key`, { headers });
      await fetch(`${url}/v1/nothing`, { headers });
    });
    const lines = err.split("\n").filter((line) => /^\d{4}-/.test(line));
    expect(lines.map((line) => line.replace(/^\S+Z /, "").replace(/ \d+ ms$/, " ms"))).toEqual([
      "GET /v1/blocks/1?limit=5&apikey=[api-key] blocks.get (B1) 200 ms",
      "GET /v1/nothing no operation 404 ms",
    ]);
  });

  test("names the faults that applied, and an answer that is never sent", async () => {
    const lines: string[] = [];
    const entries: JournalEntry[] = [];
    const mock = createExplorer({
      onRequest(entry, request) {
        entries.push(entry);
        lines.push(logLine(entry, request));
      },
    });
    mock.faults.add({ fault: "status", status: 503, times: 1 });
    mock.faults.add({ fault: "reset", operation: "T1" });
    const headers = { "api-key": "k" };
    await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, { headers });
    await mock
      .fetch(`${mock.baseUrl}/v1/tokens/0x${"1".repeat(40)}/total-supply`, { headers })
      .catch(() => {});
    expect(lines[0]).toMatch(/ blocks\.get \(B1\) 503 \d+ ms faults: status$/);
    expect(lines[1]).toMatch(/ tokens\.totalSupply \(T1\) no response \d+ ms faults: .*reset$/);
    expect(entries).toEqual(mock.journal.entries);
  });
});

test("a generated chain shows its progress on a terminal", async () => {
  const { err } = await servingCommands("--generate 400", undefined, {}, true);
  expect(err.startsWith("\r\u001b[K20 of 400 records, ")).toBe(true);
});

test("a signal ends the generation of a chain", async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 100);
  const words = ["serve", "--port", "0", "--generate", "50000"];
  const { code, out } = await runCli(words, { env: {}, signal: stopping.signal });
  expect({ code, out }).toEqual({ code: 130, out: "" });
});

test("--mine adds blocks with transactions", async () => {
  await servingCommands("--generate 20 --mine 1", async (url) => {
    const headers = { "api-key": "key" };
    const rewards = async () => {
      const response = await fetch(`${url}/v1/blocks/2`, { headers });
      return response.status === 200 ? BigInt((await response.json()).results.data.fees) : 0n;
    };
    await expect.poll(rewards).toBeGreaterThan(0n);
  });
});
