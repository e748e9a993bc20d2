// A request as a curl command that gets the same answer.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createExplorer, loadDemo, serveExplorer } from "../../../mocks/node.ts";
import { curlOf } from "../../../mocks/page/code/request-code.ts";
import type { Entry, Exchange } from "../../../mocks/page/service/admin.ts";
import { exchange as exchangeRaw } from "../../support/raw-http.ts";

const account = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const mock = createExplorer({
  chain: await loadDemo({ verified: true }),
  apiKeys: ["right-key-1"],
});
const served = await serveExplorer(mock, { admin: true });
afterAll(() => served.close({ graceMs: 0 }));

const run = promisify(execFile);

async function newest(): Promise<{ entry: Entry; exchange: Exchange }> {
  const { journal } = mock;
  return (await served.admin.request("journalEntry", {
    number: journal.entries.at(-1)?.number ?? 0,
  })) as { entry: Entry; exchange: Exchange };
}

const JSON_TYPE = "content-type: application/json";
const RIGHT = "api-key: right-key-1";

/** A request as its lines come over a socket: its first line, headers and body. */
const raw: readonly (readonly [title: string, first: string, headers: string[], body?: string])[] =
  [
    ["a right one", "GET /v1/blocks/7", [RIGHT]],
    ["a refused parameter", `GET /v1/accounts/${account}/transactions?condition=form`, [RIGHT]],
    ["quotes and brackets", "GET /v1/blocks/1?x='$(id)'[1-3]{a,b}\\", [RIGHT]],
    ["a path with dots", "GET /v1/../v1/blocks/7", [RIGHT]],
    ["no operation", "DELETE /v1/nothing%zz", [RIGHT]],
    ["no key", "GET /v1/blocks/7", []],
    ["an empty key", "GET /v1/blocks/7", ["api-key:"]],
    ["the key in the query", "GET /v1/blocks/7?api-key=right-key-1", [RIGHT]],
    ["a body", "POST /v1/accounts/balance", [RIGHT, JSON_TYPE], `{"addresses":["${account}"]}`],
    ["a body that is no JSON", "POST /v1/accounts/balance", [RIGHT, JSON_TYPE], "@/etc/passwd '{"],
    ["a body of another type", "POST /v1/accounts/balance", [RIGHT, "content-type: x/y"], "a=b"],
    ["a body without a type", "POST /v1/accounts/balance", [RIGHT], "{}"],
    ["an HEAD", "HEAD /v1/blocks/7", [RIGHT]],
    ["a GET with a body", "GET /v1/blocks/7", [RIGHT, JSON_TYPE], "{}"],
    ["an unknown method", "PATCH /v1/blocks/7", [RIGHT, JSON_TYPE], "{}"],
    ["a large body", "POST /v1/accounts/balance", [RIGHT, JSON_TYPE], `["${"x".repeat(65_000)}"]`],
  ];

test.for(raw)("curl repeats status and bytes of %s", async ([, first, headers, body = ""]) => {
  const length = Buffer.byteLength(body);
  const lines = [
    `${first} HTTP/1.1`,
    `host: 127.0.0.1:${served.port}`,
    "connection: close",
    ...headers,
    ...(body === "" ? [] : [`content-length: ${length}`]),
  ];
  const received = await exchangeRaw(served.port, `${lines.join("\r\n")}\r\n\r\n${body}`);
  const [head = "", sent = ""] = received.split(/\r\n\r\n(.*)/s);
  const { entry, exchange } = await newest();
  const command = curlOf({ ...entry, ...exchange.request }, served.url);
  expect(command).not.toMatch(/right-key-1|wrong-key-22/);
  const running = run("bash", {
    env: { ...process.env, EXPLORER_API_KEY: "right-key-1" },
    maxBuffer: 10 ** 7,
  });
  // Pasted: no argument of a program is that long.
  running.child.stdin?.end(`${command} -s -o - -w '\\n%{http_code}'\n`);
  const { stdout } = await running;
  const [, again = "", status] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  if (!first.startsWith("HEAD")) expect(again).toBe(Buffer.from(sent, "latin1").toString());
  // The command made the same request.
  const { entry: second, exchange: other } = await newest();
  expect(second.number).toBe(entry.number + 1);
  expect({ ...second, number: 0, at: 0, duration: 0 }).toEqual({
    ...entry,
    number: 0,
    at: 0,
    duration: 0,
  });
  expect(other.request.body).toBe(exchange.request.body);
});

test("a body that is not kept in full becomes no command", async () => {
  const headers = { "api-key": "right-key-1", "content-type": "application/json" };
  const body = `["${"x".repeat(150_000)}"]`;
  await fetch(`${served.url}/v1/accounts/balance`, { method: "POST", headers, body });
  const { entry, exchange } = await newest();
  expect(exchange.request.missing).toBe(150_004 - 65_536);
  expect(curlOf({ ...entry, ...exchange.request }, served.url)).toBeUndefined();
});
