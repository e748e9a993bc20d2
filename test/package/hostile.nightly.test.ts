import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { responsesTo } from "../support/raw-http.ts";
import { type Consumer, createConsumer, served } from "./consumer.ts";

const PATIENCE = 600_000;
const KEY = "s3cret-key-of-alice";
const _SECRET = "what is nobody's business";
const SCRIPT = "<script>navigator.serviceWorker.register('/v1/blocks/1')</script>";

let project: Consumer;
beforeAll(() => {
  project = createConsumer();
}, PATIENCE);
afterAll(() => project?.remove());

/** A folder in the project that does not exist yet. */
const newPath = () => join(mkdtempSync(join(project.folder, "folder-")), "new");

/** A server of somebody else. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks with bytes: no client sends such paths. */
const ask = async (url: string, target: string, more = "") => {
  const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\napi-key: ${KEY}\r\n${more}\r\n`;
  const [response] = await responsesTo(Number(new URL(url).port), head);
  return response;
};

/** What a script of the response would run in, and headers that would give it more. */
const asData = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
};

async function expectData(url: string, target: string): Promise<void> {
  const response = await ask(url, target);
  expect(response).toMatchObject({ status: 200, body: SCRIPT, headers: asData });
  expect(response?.headers).not.toHaveProperty("service-worker-allowed");
  expect(response?.headers).not.toHaveProperty("set-cookie");
  for (const kind of ["document", "iframe", "serviceworker", "script", "object"])
    expect(await ask(url, target, `sec-fetch-dest: ${kind}\r\n`)).toMatchObject({ status: 403 });
}

test("a hostile upstream runs nothing, gets no other path, fills no memory and no recording with the key", {
  timeout: PATIENCE,
}, async () => {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
  const targets: string[] = [];
  const upstream = await listening(({ url = "", headers }, response) => {
    targets.push(url);
    if (url.endsWith("/2")) response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    else if (url.endsWith("/3"))
      response.end(Buffer.from(`me:${headers["api-key"]}`).toString("base64"));
    else
      response
        .writeHead(200, {
          ...{ "content-type": "text/html", "service-worker-allowed": "/", "set-cookie": "a=1" },
          ...{ trailer: "x-later", "transfer-encoding": "chunked" },
        })
        .end(SCRIPT);
  });
  const record = newPath();
  await served(project, ["--upstream", `${upstream}/base`, "--record", record], async (url) => {
    await expectData(url, "/v1/blocks/1");
    expect(await ask(url, "/v1/blocks/2")).toMatchObject({
      status: 502,
      body: expect.stringContaining("its response has more than 67108864 bytes"),
    });
    expect(await ask(url, "/v1/blocks/3")).toMatchObject({ status: 200 });
    for (const [target, status] of [
      ...[["/v1/blocks/%2e%2e", 400] as const, ["/v1/../admin", 404] as const],
      ...[["/admin/keys", 404] as const, ["/z/verify", 404] as const],
    ])
      expect([target, (await ask(url, target))?.status]).toEqual([target, status]);
  });
  expect(targets.filter((target) => !/^\/base\/v1\/blocks\/[123]$/.test(target))).toEqual([]);
  const recorded = readFileSync(join(record, "requests.ndjson"), "utf8");
  expect(recorded).toContain("/v1/blocks/3");
  expect(recorded).not.toContain(KEY);
  expect(recorded).not.toContain(btoa(KEY).slice(4, 20));
  expect(recorded).not.toContain(Buffer.from(`me:${KEY}`).toString("base64").slice(8, 20));
});

/** A recording as somebody may send it. */
function recording(lines: readonly unknown[], more = ""): string {
  const folder = newPath();
  mkdirSync(folder);
  const all = [{ recording: "mrc-explorer", version: 1 }, ...lines];
  const file = `${all.map((line) => JSON.stringify(line)).join("\n")}\n${more}`;
  writeFileSync(join(folder, "requests.ndjson"), file);
  return folder;
}

test("a hostile recording is data, and no more is unzipped of it than the limit", {
  timeout: PATIENCE,
}, async () => {
  const page = {
    request: { method: "GET", target: "/v1/blocks/1" },
    response: {
      status: 200,
      headers: { "content-type": "text/html", "service-worker-allowed": "/", "set-cookie": "a=1" },
      text: SCRIPT,
    },
  };
  // Its last line is of a program that died.
  const folder = recording([page], '{"request":{"method":"GET","tar');
  await served(project, ["--replay", folder], (url) => expectData(url, "/v1/blocks/1"));
  rmSync(join(folder, "requests.ndjson"));
  const bomb = Buffer.concat(Array(6).fill(gzipSync(Buffer.alloc(100 * 2 ** 20))));
  writeFileSync(join(folder, "requests.ndjson.gz"), bomb);
  const ran = project.bin("mrc-explorer", ["serve", "--port", "0", "--replay", folder]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("requests.ndjson.gz") });
});

test("recorders that write one recording at once keep whatever was answered, once, also if one is killed", {
  timeout: PATIENCE,
}, async () => {
  const upstream = await listening((_, response) =>
    response.setHeader("content-type", "application/json").end("{}"),
  );
  const record = newPath();
  const options = ["--upstream", upstream, "--record", record];
  const answered: string[] = [];
  const recorder = (from: number) =>
    served(project, options, async (url, service) => {
      for (let block = from; block < from + 40; block++) {
        const target = `/v1/blocks/${block}`;
        expect(await ask(url, target)).toMatchObject({ status: 200 });
        answered.push(target);
        if (from === 3000 && block === 3020) return void service.kill("SIGKILL");
      }
    });
  await Promise.all([1000, 2000, 3000].map(recorder));
  expect(answered).toHaveLength(101);
  const lines = readFileSync(join(record, "requests.ndjson"), "utf8").split("\n");
  for (const target of answered)
    expect([target, lines.filter((line) => line.includes(`"${target}"`)).length]).toEqual([
      target,
      1,
    ]);
  await served(project, ["--replay", record], async (url) => {
    for (const target of answered) expect((await ask(url, target))?.status).toBe(200);
  });
});
