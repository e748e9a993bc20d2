// Whatever is asked of a served explorer, it answers others meanwhile: no turn of its loop takes 50 ms of CPU.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Sent } from "../support/requests.ts";
import type { Crowd } from "./crowd.fixture.ts";
import {
  adminInputsFor,
  agent,
  type Input,
  inputsFor,
  longSubmission,
  statusAt,
  textsFor,
} from "./inputs.ts";
import type { Known, Measured, Wanted } from "./served.fixture.ts";

const fixture = fileURLToPath(new URL("served.fixture.ts", import.meta.url));
/** A larger chain takes longer to be made than all else here; no turn depends on its length. */
const { MRC_STALL_TRANSACTIONS: transactions = "20000" } = process.env;
const server: ChildProcess = fork(fixture, [transactions], { execArgv: ["--expose-gc"] });
afterAll(() => server.kill("SIGKILL"));

const received = async <Value>(): Promise<Value> => (await once(server, "message"))[0];
const known = await received<Known>();

/** What the server has used since this was asked last. */
async function measure(wanted: Wanted = "time"): Promise<Measured> {
  server.send(wanted);
  return received<Measured>();
}

afterAll(() => agent.destroy());

const statusOf = (sent: Sent) => statusAt(known.port, sent);

/** Sends a request many times at once, from a process that nobody measures; resolves with the statuses. */
async function crowd(sent: Sent, count: number): Promise<readonly number[]> {
  const senders = fork(fileURLToPath(new URL("crowd.fixture.ts", import.meta.url)));
  senders.send({ port: known.port, sent, count } satisfies Crowd);
  return (await once(senders, "message"))[0];
}

/** Sends all but the last at once, and then the last. */
async function send(requests: readonly Sent[]): Promise<void> {
  const statuses = await Promise.all(requests.slice(0, -1).map(statusOf));
  for (const last of requests.slice(-1)) statuses.push(await statusOf(last));
  for (const status of statuses) expect([200, 202, 400, 404, 409, 413, 501]).toContain(status);
}

/** The bar of the project, in milliseconds of CPU. */
const MAX_TURN = 50;

/** The same in yardsticks of 20 ms, for a machine that is slow or whose caches others use. */
const MAX_YARDSTICKS = MAX_TURN / 20;

/** The first compiles code, and the collector may strike in any: what takes long takes long each time. */
const TRIES = 12;

/** The longest turn in milliseconds while requests are answered, unless some try stays within the bar; `/health` is asked meanwhile. */
async function tooLongTurn(requestsOf: () => readonly Sent[]): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES; count++) {
    await measure();
    let isDone = false;
    const asking = send(requestsOf()).finally(() => {
      isDone = true;
    });
    const health: Sent = { method: "GET", target: "/health", headers: {} };
    while (!isDone) {
      expect(await statusOf(health)).toBe(200);
      await setTimeout(5);
    }
    await asking;
    const { longest } = await measure();
    // Where the machine is quick enough, it need not be measured.
    if (longest <= MAX_TURN) return undefined;
    if (longest <= MAX_YARDSTICKS * (await measure("yardstick")).yardstick) return undefined;
    least = Math.min(least, longest);
  }
  return least;
}

async function expectShortTurns(inputs: readonly Input[]): Promise<void> {
  const slow: string[] = [];
  for (const { name, requests } of inputs) {
    const longest = await tooLongTurn(() => requests);
    if (longest !== undefined) slow.push(`${name}: ${longest.toFixed(0)} ms`);
  }
  expect(slow).toEqual([]);
}

const admin = adminInputsFor(known);

const { memory } = await measure("memory");
const PATIENCE = 600_000;

/** Milliseconds of CPU that the server's main thread has used. */
const threadMs = (): number =>
  Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, "utf8").split(" ")[0]) /
  1e6;

describe.skipIf(process.platform !== "linux")("/health waits for nobody: 50 ms of CPU", () => {
  const page = `/v1/accounts/${known.accounts[0]}/transactions?limit=1000`;
  const read: Sent = { method: "GET", target: page, headers: { "api-key": "k" } };

  test.each([
    ["300 pages of 1,000 rows", read, 300],
    ["100 submissions of 1.3 MB", longSubmission(known), 100],
  ])("beside %s", { timeout: PATIENCE }, async (_, sent, count) => {
    const { yardstick } = await measure("yardstick");
    let isDone = false;
    const answered = crowd(sent, count).finally(() => {
      isDone = true;
    });
    const waited: number[] = [];
    while (!isDone) {
      const before = threadMs();
      expect(await statusOf({ method: "GET", target: "/health", headers: {} })).toBe(200);
      waited.push(threadMs() - before);
      await setTimeout(5);
    }
    // Bodies that are too many at once, or too slow, are refused.
    for (const status of await answered) expect([200, 408, 501, 503]).toContain(status);
    expect(waited.length).toBeGreaterThan(3);
    const sorted = waited.sort((one, other) => one - other);
    // What the collector does may strike in any.
    expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(
      Math.max(MAX_TURN, MAX_YARDSTICKS * yardstick),
    );
  });
});

describe("no turn of the loop is long", { timeout: PATIENCE }, () => {
  test("for requests of every operation, view and tool", () => expectShortTurns(inputsFor(known)));
  test("for hostile texts", () => expectShortTurns(textsFor(known)));
  test("for actions with the token", () => expectShortTurns(admin));

  test("for connections that pipeline requests and read nothing", async () => {
    const target = `/v1/accounts/${known.accounts[0]}/transactions?limit=1000`;
    const text = `GET ${target} HTTP/1.1\r\nhost: localhost\r\napi-key: k\r\n\r\n`;
    const flood = text.repeat(Math.floor(65_536 / text.length));
    const sockets = Array.from({ length: 8 }, () => connect(known.port, "127.0.0.1").pause());
    for (const socket of sockets) socket.on("error", () => {}).write(flood);
    expect(await tooLongTurn(() => [])).toBeUndefined();
    for (const socket of sockets) socket.destroy();
  });
});

test("memory is bounded: what all of this leaves behind is small", {
  timeout: PATIENCE,
}, async () => {
  // Without an api-key, it ends all tenants.
  const headers = { "admin-token": known.token };
  await send([{ method: "POST", target: "/admin/reset", headers }]);
  // The journals' 32 MiB, and indexes that searches and filters make.
  expect((await measure("memory")).memory - memory).toBeLessThan(128);
});

test("SIGTERM ends it whatever it does", { timeout: PATIENCE }, async () => {
  const ignored = (sent: Sent) => void statusOf(sent).catch(() => {});
  const headers = { "admin-token": known.token, "api-key": "late" };
  const late = { fault: "latency", ms: 3_600_000 };
  const json = { ...headers, "content-type": "application/json" };
  await send([
    { method: "POST", target: "/admin/faults", headers: json, body: JSON.stringify(late) },
  ]);
  ignored({ method: "GET", target: "/v1/blocks/7", headers });
  for (const { requests } of [...admin.slice(0, 5), ...textsFor(known).slice(0, 10)])
    requests.forEach(ignored);
  const unread = connect(known.port, "127.0.0.1")
    .pause()
    .on("error", () => {});
  unread.write(
    "GET /inspect/overview HTTP/1.1\r\nhost: localhost\r\napi-key: k\r\n\r\n".repeat(1000),
  );
  expect(await statusOf({ method: "GET", target: "/health", headers: {} })).toBe(200);
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  expect(await received<number>()).toBeLessThan(1000);
  expect(await ended).toEqual([0, null]);
  unread.destroy();
});
