// What `dump` and `serve` say about a faulty node: one line with what is wrong, and what to do.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../mocks/cli/run.ts";
import { followOptions, nodeOptions, showProgress } from "../../mocks/cli/serve-node.ts";
import { startFollowing } from "../../mocks/follow/follow-node.ts";
import type { ProcessIO } from "../../src/cli/process-io.ts";
import { nobody, serve } from "../http/server.ts";
import { FakeNode } from "../support/fake-node.ts";

let folder: string;
const stop = { now: () => {} };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mrc-dump-"));
});
afterEach(() => {
  stop.now();
  rmSync(folder, { recursive: true, force: true });
});

/** An output of the command. */
const outputTo = (sink: (text: string) => void) => ({
  write: (text: string) => {
    sink(text);
    return true;
  },
  once: () => {},
});

const ignored = outputTo(() => {});
const io: ProcessIO = {
  ...{ stdout: ignored, stderr: ignored, stdin: Readable.from([]), env: {}, version: "0" },
  signal: new AbortController().signal,
};

const several = <Item>(count: number, item: Item): Item[] =>
  Array.from({ length: count }, () => item);

const dump = ({ url }: { readonly url: string }) =>
  started("dump", "--rpc", url, "--once", join(folder, "chain"));

/** Runs a command; `errors` returns what it has written to standard error. */
function started(...words: string[]) {
  const ending = new AbortController();
  stop.now = () => ending.abort();
  const printed: string[] = [];
  const errors: string[] = [];
  const code = run(words, {
    ...io,
    stdout: outputTo((text) => printed.push(text)),
    stderr: outputTo((text) => errors.push(text)),
    signal: ending.signal,
  });
  return { errors: () => errors.join(""), code, printed };
}

test("names a node that cannot be reached, and waits for it", async () => {
  const { errors, code } = dump(await nobody());
  await expect
    .poll(errors)
    .toMatch(/^waiting for the node: cannot reach the node at .*ECONNREFUSED/m);
  stop.now();
  await code;
});

test("ends with the reason after HTTP 403", async () => {
  const { errors, code } = dump(await serve((_, response) => response.writeHead(403).end()));
  expect(await code).toBe(1);
  expect(errors()).toMatch(/refused access \(HTTP 403\). What to do: check the key/);
});

test("records a chain, and says how much it has", async () => {
  const node = new FakeNode();
  node.head = 20;
  const served = await serve(async ({ body }, response) => {
    const answer = await node.fetch(node.url, { method: "POST", body });
    response.writeHead(answer.status).end(await answer.text());
  });
  const { code, printed } = dump(served);
  expect(await code).toBe(0);
  expect(printed.join("")).toMatch(/has 21 blocks up to 20/);
});

test("does not succeed if a signal ends it before the node's head, and says so", async () => {
  let asked = (_: unknown) => {};
  const isAsked = new Promise((resolve) => {
    asked = resolve;
  });
  const { code, errors, printed } = dump(await serve((request) => asked(request)));
  await isAsked;
  stop.now();
  expect(await code).toBe(130);
  expect(errors()).toMatch(/^Stopped before the node's head; the next run continues/m);
  expect(printed).toEqual([]);
});

test("without a terminal, a long catch-up prints a line after 2 s and every 10 s; on one, a single line changes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const silent: typeof fetch = (_, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const follower = startFollowing("http://node.test", { fetch: silent });
  try {
    for (const isTTY of [false, true]) {
      const written: string[] = [];
      const stderr = { ...outputTo((text) => written.push(text)), isTTY };
      let end = () => {};
      const work = new Promise<void>((resolve) => {
        end = resolve;
      });
      const showing = showProgress(follower, work, { ...io, stderr });
      const after = async (ms: number) => {
        await vi.advanceTimersByTimeAsync(ms);
        return written.splice(0);
      };
      const line = expect.stringMatching(/^waiting for the node: .*\n$/);
      const change = expect.stringContaining("\r\x1b[Kwaiting for the node: ");
      expect(await after(1999)).toEqual(isTTY ? several(10, change) : []);
      expect(await after(1)).toEqual(isTTY ? [change] : [line]);
      expect(await after(7999)).toEqual(isTTY ? several(39, change) : []);
      expect(await after(1)).toEqual(isTTY ? [change] : [line]);
      expect(await after(20_000)).toEqual(isTTY ? several(100, change) : [line, line]);
      end();
      await showing;
      expect(await after(60_000)).toEqual(isTTY ? ["\r\x1b[K"] : []);
    }
  } finally {
    await follower.close();
  }
});

test("passes every option to the follower under its own name, except headers and artifacts", () => {
  const given = Object.fromEntries(nodeOptions.map((option) => [option.attributeName(), option]));
  const { header, artifacts: _, ...passed } = given;
  expect(header?.parseArg?.("b=2=3", { a: "1" })).toEqual({ a: "1", b: "2=3" });
  expect(() => header?.parseArg?.("=2", {})).toThrow("expected name=value");
  const { stderr } = process;
  expect(followOptions({ ...given, artifacts: [] }, { stderr })).toEqual({
    ...passed,
    headers: header,
    onError: expect.any(Function),
  });
});
