// Explorers that pass requests on to a real one and record it, and explorers that answer from what was recorded.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  buildChain,
  createExplorer,
  createProxy,
  createReplay,
  type Explorer,
  loadDemo,
  type ReplayOptions,
  serveExplorer,
} from "../mocks/node.ts";
import { defineDialect, dialects, ExplorerClient } from "../src/index.ts";
import type { Address } from "../src/models/primitives.ts";
import { temporaryFolder } from "./support/project.ts";

const ALICE: Address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const KEY = "s3cret-key-of-alice";

const demo = await loadDemo({ verified: true });

const clientOf = ({ baseUrl, fetch }: Explorer, apiKey = KEY) =>
  new ExplorerClient({ baseUrl, fetch, apiKey, retry: 0 });

/** A real explorer on a port, and a proxy that records it. */
async function recorded(explorer?: Explorer) {
  const real = explorer ?? createExplorer({ chain: demo });
  const served = await serveExplorer(real);
  onTestFinished(() => served.close());
  const folder = temporaryFolder("recording", onTestFinished);
  const proxy = createProxy(served.url, { record: folder });
  const files = () => readdirSync(folder).map((name) => join(folder, name));
  const text = () =>
    files()
      .map((file) => readFileSync(file, "utf8"))
      .join("");
  return { real, served, folder, proxy, text, files };
}

const replayOf = (folder: string, options: ReplayOptions = {}) =>
  createReplay(folder, {
    onWarning: (message) => {
      throw new Error(message);
    },
    ...options,
  });

test("an answer that changed is replayed in its versions; reset begins again", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: 10n ** 18n });
  const { proxy, folder, text } = await recorded(createExplorer({ chain: builder }));
  const count = async (explorer: Explorer) =>
    (await clientOf(explorer).accounts.transactions(alice, { limit: 5 })).count;
  const send = () => {
    builder.transfer(alice, alice, 1n);
    builder.mine();
  };
  const seen = [await count(proxy), await count(proxy)];
  send();
  seen.push(await count(proxy));
  expect(seen).toEqual([0, 0, 1]);
  // The same answer is recorded once.
  expect(JSON.parse(text()).responses).toHaveLength(2);
  const replay = replayOf(folder);
  expect([await count(replay), await count(replay), await count(replay)]).toEqual([0, 1, 1]);
  replay.reset();
  expect(await count(replay)).toBe(0);
});

test("the content type and a missing key make another request", async () => {
  const real = createExplorer({ chain: demo, apiKeys: [KEY] });
  const { proxy, folder } = await recorded(real);
  const body = JSON.stringify({ addresses: [ALICE] });
  const requests: RequestInit[] = [
    { method: "POST", body, headers: { "api-key": KEY, "content-type": "application/json" } },
    { method: "POST", body, headers: { "api-key": KEY, "content-type": "text/plain" } },
    { method: "POST", body, headers: { "content-type": "application/json" } },
  ];
  const statuses = (explorer: Explorer) =>
    Promise.all(
      requests.map(async (init) => {
        const url = `${explorer.baseUrl}/v1/accounts/balance`;
        return (await explorer.fetch(url, init)).status;
      }),
    );
  expect(await statuses(proxy)).toEqual([200, 415, 401]);
  expect(await statuses(replayOf(folder))).toEqual([200, 415, 401]);
});

test.each([401, 403])("a %i of a key is not recorded, but one of no key is", async (status) => {
  const folder = temporaryFolder("recording", onTestFinished);
  const refusal = { status: `${status}`, message: "no", results: null };
  const proxy = createProxy("https://real.example", {
    record: folder,
    fetch: async () => Response.json(refusal, { status }),
  });
  const ask = async (explorer: Explorer, headers: HeadersInit) =>
    (await explorer.fetch(`${explorer.baseUrl}/v1/blocks/7`, { headers })).status;
  expect(await ask(proxy, { "api-key": "wrong" })).toBe(status);
  expect(readdirSync(folder)).toEqual([]);
  expect(await ask(proxy, {})).toBe(status);
  const replay = replayOf(folder);
  expect(await ask(replay, {})).toBe(status);
  expect(replay.journal.entries).toMatchObject([{ status, message: "no" }]);
});

test("a request that is not recorded is a 501 that names the nearest", async () => {
  const { proxy, folder } = await recorded();
  await clientOf(proxy).blocks.get(7n);
  await clientOf(proxy).blocks.get(80n);
  const replay = replayOf(folder);
  await expect(clientOf(replay).blocks.get(81n)).rejects.toThrow(
    "not recorded: GET /v1/blocks/81; the nearest recorded request is GET /v1/blocks/80",
  );
  expect(replay.journal.entries.map(({ operation, status }) => [operation, status])).toEqual([
    ["B1", 501],
  ]);
});

test("recordMissing asks the explorer for it, and records it, also into an empty folder", async () => {
  const { folder, served, text } = await recorded();
  const counted = vi.fn(fetch);
  const replay = replayOf(folder, { upstream: served.url, recordMissing: true, fetch: counted });
  for (const again of [() => replay, () => replay, () => replayOf(folder)])
    expect((await clientOf(again()).blocks.get(8n)).block_number).toBe(8n);
  expect(text()).toContain("/v1/blocks/8");
  expect(counted).toHaveBeenCalledOnce();
});

test("what violates the contract is in the journal, and reported when it is replayed", async () => {
  const { proxy, real, folder, files, text } = await recorded();
  real.faults.add({ fault: "field", path: "data.reward", value: "much", nth: 1 });
  const ask = ({ baseUrl, fetch }: Explorer) =>
    fetch(`${baseUrl}/v1/blocks/7?x=1`, { headers: { "api-key": KEY } });
  await ask(proxy);
  const problem =
    'response of blocks.get (B1) violates the contract: results.data.reward: expected a non-negative integer in decimal digits, received "much"';
  expect(proxy.journal.entries[0]?.notes).toEqual(["ignored the parameter x", problem]);
  const warnings: string[] = [];
  const options = { onWarning: (message: string) => warnings.push(message) };
  // It was so when it was recorded.
  await ask(replayOf(folder, options));
  const [file = ""] = files();
  writeFileSync(file, text().replace(/,\n +"violation": .*/, ""));
  const replay = replayOf(folder, options);
  for (let count = 0; count < 2; count++) await ask(replay);
  expect(warnings).toEqual([`${file}: ${problem}; record it again, or expect errors`]);
});

test("an explorer that differs in names is recorded and replayed in its dialect", async () => {
  const dialect = defineDialect({
    name: "own",
    extends: dialects.wemix,
    prefix: "/api/ext/v1",
    operations: { B1: { path: "/v1/block/{block_number}" } },
  });
  const served = await serveExplorer(createExplorer({ chain: demo, dialect }));
  onTestFinished(() => served.close());
  const folder = temporaryFolder("recording", onTestFinished);
  const proxy = createProxy(served.url, { record: folder, dialect });
  const read = async ({ baseUrl, fetch }: Explorer) => {
    const explorer = new ExplorerClient({ baseUrl, fetch, apiKey: KEY, dialect, retry: 0 });
    const transfers = await explorer.accounts.mrc20Transfers(ALICE, { startBlock: 1 }).collect();
    const [{ token_address = ALICE } = {}] = transfers;
    const inventory = await explorer.tokens.inventory(token_address, ALICE);
    return { transfers, inventory, block: await explorer.blocks.get(7) };
  };
  const expected = await read(proxy);
  expect(expected.transfers.length).toBeGreaterThan(0);
  expect(proxy.journal.entries.map(({ operation }) => operation)).toContain("T3");
  expect(proxy.journal.entries.flatMap(({ notes }) => notes)).toEqual([]);
  expect(await read(replayOf(folder, { dialect }))).toEqual(expected);
});

test("a status that no Response has is shown on a port, and explained in memory", async () => {
  const server = createServer((_, response) => response.writeHead(999).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const proxy = createProxy(`http://127.0.0.1:${port}`);
  await expect(clientOf(proxy).blocks.get(7n)).rejects.toThrow("the explorer's status 999");
  const served = await serveExplorer(proxy);
  onTestFinished(() => served.close());
  const response = await fetch(`${served.url}/v1/blocks/7`, { headers: { "api-key": KEY } });
  expect(response.status).toBe(999);
});

test("faults of results leave a response alone that is not JSON", async () => {
  const mock = createProxy("https://real.example", { fetch: async () => new Response("<h1>") });
  mock.faults.add({ fault: "field", path: "data", value: 1 });
  const ask = async () =>
    (await mock.fetch(`${mock.baseUrl}/v1/blocks/7`, { headers: { "api-key": KEY } })).text();
  expect(await ask()).toBe("<h1>");
  mock.faults.add({ fault: "response", body: (results) => ({ results }), checked: false });
  expect(JSON.parse(await ask())).toMatchObject({ results: { results: {} } });
});

test("bytes that are no text are recorded without the api-key", async () => {
  const folder = temporaryFolder("recording", onTestFinished);
  const proxy = createProxy("https://explorer.example", {
    record: folder,
    onWarning: () => {},
    fetch: async () => new Response(Buffer.from(`caf\xe9 ${KEY} \xff`, "latin1")),
  });
  const headers = { "api-key": KEY };
  await proxy.fetch(`${proxy.baseUrl}/v1/blocks/7`, { headers });
  const replay = createReplay(folder, { onWarning: () => {} });
  const response = await replay.fetch(`${replay.baseUrl}/v1/blocks/7`, { headers });
  expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toBe(
    "caf\xe9 [api-key] \xff",
  );
});

test("no api-key is recorded, wherever it was", async () => {
  const headers = { "x-key": `${KEY} other-secret`, "set-cookie": "a=session-9f2b" };
  const echo: typeof fetch = async (_, init) => {
    const results = `bad key ${new Headers(init?.headers).get("api-key")}`;
    return Response.json({ status: "200", message: "success", results }, { headers });
  };
  const folder = temporaryFolder("recording", onTestFinished);
  const warnings: string[] = [];
  const options = { record: folder, fetch: echo, onWarning: (one: string) => warnings.push(one) };
  const proxy = createProxy("https://explorer.example", options);
  const init = (body: string) => ({ method: "POST", body, headers: { "api-key": KEY } });
  const url = `${proxy.baseUrl}/v1/accounts/balance?apikey=other-secret`;
  await proxy.fetch(url, init(JSON.stringify({ addresses: [KEY] })));
  const text = readdirSync(folder)
    .map((name) => `${name} ${readFileSync(join(folder, name), "utf8")}`)
    .join("");
  expect(text.match(/\[api-key\]/g)?.length).toBeGreaterThanOrEqual(4);
  expect(text).toContain('"violation": "');
  expect(text).not.toContain(KEY);
  expect(text).not.toMatch(/other-secret|session-9f2b/);
  expect(warnings).toEqual([]);
  const weak = { headers: { "api-key": "1234567" } };
  for (const block of [1, 2]) await proxy.fetch(`${proxy.baseUrl}/v1/blocks/${block}`, weak);
  expect(warnings).toEqual([expect.stringMatching(/^the api-key has fewer than 8 characters/)]);
});

test("an explorer that does not respond is a 502, which is not recorded", async () => {
  const { proxy, served, text } = await recorded();
  await served.close();
  await expect(clientOf(proxy).blocks.get(7n)).rejects.toThrow(
    `the explorer at ${served.url} did not respond: connect ECONNREFUSED`,
  );
  expect(text()).toBe("");
});

describe("a recording of the former form is read, and names file and line of what it cannot read", () => {
  const header = '{"recording":"mrc-explorer","version":1}';
  const call =
    '{"request":{"method":"GET","target":"/v1/blocks/7"},"response":{"status":200,"headers":{},"text":""}}';
  const written = async (text: string | Buffer, name = "requests.ndjson") => {
    const folder = temporaryFolder("recording", onTestFinished);
    createProxy("https://explorer.example", { record: folder });
    writeFileSync(join(folder, name), text);
    return folder;
  };

  const holding = (...lines: string[]) => `${[header, ...lines].join("\n")}\n`;
  const changed = (from: string, to: string) => holding(call.replace(from, to));
  const split = '{"x-a":"b\\r\\nset-cookie: a=b"},';

  test("versions that came again are short lines", async () => {
    const versions = ["a", "b"].map((text) => call.replace('"text":""', `"text":"${text}"`));
    const { response } = JSON.parse(versions[0] ?? "");
    const again = createHash("sha256").update(JSON.stringify(response)).digest("base64url");
    const short = call.replace(/"response".*/, `"again":"${again}"}`);
    const folder = await written(holding(...versions, short));
    const replay = createReplay(folder, { onWarning: () => {} });
    const texts: string[] = [];
    for (let count = 0; count < 4; count++)
      texts.push(
        await (
          await replay.fetch(`${replay.baseUrl}/v1/blocks/7`, { headers: { "api-key": "k" } })
        ).text(),
      );
    expect(texts).toEqual(["a", "b", "a", "a"]);
  });

  test.each([
    ["no JSON", holding(call, "hello"), ':3: expected JSON, received "hello"'],
    ["a foreign line", holding('{"a":1}'), ":2: request: expected an object, received nothing"],
    ["a status that is none", changed("200", '"x"'), ":2: response.status: expected a number"],
    ...[0, 101, 1000].map((status) => [
      ...[`the status ${status}`, changed("200", `${status}`)],
      ":2: response.status: expected a number of at",
    ]),
    [
      "a header that would be two",
      changed("{},", split),
      ":2: response.headers.x-a: expected the v",
    ],
    [
      "a strange header",
      changed("{},", '{"x a:":"b"},'),
      ":2: response.headers.x a:: expected the n",
    ],
    ["no body", changed(',"text":""', ""), ":2: response: expected json, text or base64"],
    ["another version", `${header.replace("1", "2")}\n`, ":1: expected a recording of version 1"],
    ["another file", '{"block":{}}\n', ":1: expected a recording of version 1"],
    ["nothing", "", ":1: expected a recording of version 1"],
  ])("%s", async (_, text, problem) => {
    const folder = await written(text);
    expect(() => createReplay(folder)).toThrow(`requests.ndjson${problem}`);
  });

  test("a zipped recording is read, a cut one is named", async () => {
    const zipped = gzipSync(`${header}\n${call}\n`);
    const folder = temporaryFolder("recording", onTestFinished);
    createProxy("https://explorer.example", { record: folder });
    const file = join(folder, "requests.ndjson.gz");
    writeFileSync(file, zipped);
    const replay = createReplay(folder, { onWarning: () => {} });
    const response = await replay.fetch(`${replay.baseUrl}/v1/blocks/7`, {
      headers: { "api-key": "k" },
    });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    writeFileSync(file, zipped.subarray(0, 30));
    expect(() => createReplay(folder)).toThrow(
      /requests\.ndjson\.gz: expected a gzip that is whole/,
    );
  });
});
