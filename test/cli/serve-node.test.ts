// What `dump` says of a node that is not as it should be: one line with what is wrong, and what to do.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { followOptions, nodeOptions } from "../../src/cli/serve-node.ts";
import { FakeNode } from "../support/fake-node.ts";

let folder: string;
let server: Server | undefined;
const stop = { now: () => {} };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mrc-dump-"));
});
afterEach(() => {
  stop.now();
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A node of the demo chain, on a port. */
const nodeOn = (node: FakeNode): RequestListener => {
  return async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const answer = await node.fetch(node.url, { method: "POST", body });
    response.writeHead(answer.status).end(await answer.text());
  };
};

/** Runs the command; `line` resolves with the first line on standard error. */
function dump(url: string) {
  const ending = new AbortController();
  stop.now = () => ending.abort();
  const printed: string[] = [];
  let told = (_: string) => {};
  const line = new Promise<string>((resolve) => {
    told = resolve;
  });
  const output = (sink: (text: string) => void) => ({
    write: (text: string) => {
      sink(text);
      return true;
    },
    once: () => {},
  });
  const code = run(["dump", "--rpc", url, "--once", join(folder, "chain")], {
    stdout: output((text) => printed.push(text)),
    stderr: output(told),
    stdin: Readable.from([]),
    env: {},
    version: "0",
    signal: ending.signal,
  });
  return { line, code, printed };
}

test("a node that cannot be reached is named in the first line, and waited for", async () => {
  const url = await serve(() => {});
  server?.close();
  server?.closeAllConnections();
  const { line, code } = dump(url);
  expect(await line).toMatch(/^waiting for the node: cannot reach the node at .*ECONNREFUSED/);
  stop.now();
  await code;
});

test("an HTML page is named, with what to do", async () => {
  const { line } = dump(await serve((_, response) => response.end("<html>")));
  expect(await line).toMatch(/received HTTP 200 with an HTML page. What to do: check that the URL/);
});

test("a rate limit is named while it lasts", async () => {
  const node = new FakeNode();
  let requests = 0;
  const listen = nodeOn(node);
  const { line } = dump(
    await serve((request, response) => {
      requests += 1;
      if (requests < 4) listen(request, response);
      else response.writeHead(429).end();
    }),
  );
  expect(await line).toMatch(/of 92.*allows no more requests for now \(HTTP 429\)/);
});

test("HTTP 403 ends the command with the reason", async () => {
  const { line, code } = dump(await serve((_, response) => response.writeHead(403).end()));
  expect(await line).toMatch(/refused access \(HTTP 403\). What to do: check the key/);
  expect(await code).toBe(1);
});

test("a node without traces ends the command with what to do", async () => {
  const methods = ["trace_block", "debug_traceBlockByNumber", "debug_traceTransaction"];
  const { line, code } = dump(await serve(nodeOn(new FakeNode(methods))));
  expect(await line).toMatch(/supports none of trace_block.*--traces none/);
  expect(await code).toBe(1);
});

test("a node that comes up to the mark is recorded, and that is said", async () => {
  const { code, printed } = dump(await serve(nodeOn(new FakeNode())));
  expect(await code).toBe(0);
  expect(printed.join("")).toMatch(/has 93 blocks up to 92/);
});

test("every option reaches the follower under its own name, but for those that mean another", () => {
  const given = Object.fromEntries(nodeOptions.map((option) => [option.attributeName(), option]));
  const { header, artifacts: _, ...passed } = given;
  const { stderr } = process;
  expect(followOptions({ ...given, artifacts: [] }, { stderr })).toEqual({
    ...passed,
    headers: header,
    onError: expect.any(Function),
  });
});
