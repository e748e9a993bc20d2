// What is found at our own service, at a node, and at an explorer in Python.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { RpcNode } from "../../../mocks/follow/rpc/node.ts";
import { createExplorer, loadDemo } from "../../../mocks/node.ts";
import { Asker } from "../../../src/cli/compare/ask.ts";
import { operations } from "../../../src/contract/index.ts";
import { resolveSettings } from "../../../src/settings.ts";
import { FakeNode } from "../../support/fake-node.ts";
import { comparisonOf, shownBy } from "./compared.ts";
import { departing, deviations } from "./deviations.ts";

const chain = await loadDemo({ verified: true });
const mockOfDemo = () => createExplorer({ chain });

const hasPython = spawnSync("python3", ["--version"]).status === 0;

const sumOf = (found: Awaited<ReturnType<typeof comparisonOf>>) =>
  found.operations.reduce((sum, { asked }) => sum + asked, 0);

test("an exclusive endBlock is named", async () => {
  const mock = mockOfDemo();
  const deviation = deviations["an exclusive endBlock"] ?? { shows: [] };
  const found = await comparisonOf(mock.baseUrl, departing(mock, deviation));
  expect(shownBy(found)).toEqual([...deviation.shows]);
});

test("sends no more requests than it may, and says that it ended early", async () => {
  const mock = mockOfDemo();
  const { isCut, requests } = await comparisonOf(mock.baseUrl, mock.fetch, { requests: 100 });
  expect([isCut, requests, mock.journal.entries.length]).toEqual([true, 100, 100]);
});

test("waits as long as an explorer that is rate limited asks, and says so", async () => {
  const mock = mockOfDemo();
  mock.faults.add({ fault: "rate-limit", retryAfter: 1, nth: 9 });
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  await comparisonOf(mock.baseUrl, mock.fetch, { say, requests: 20 });
  expect(said).toEqual(["waiting 1 s, as the explorer asks (429)"]);
});

test("asks no faster than its rate, and again what broke on the way", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const times: number[] = [];
  const began = performance.now();
  const fetch = async () => {
    times.push(performance.now() - began);
    if (times.length === 1) throw new TypeError("fetch failed");
    return new Response("{}", { status: times.length === 2 ? 502 : 200 });
  };
  const settings = resolveSettings({ baseUrl: "https://explorer.test", apiKey: "key", fetch });
  const rate = { requests: 2, perMs: 1000 };
  const { signal } = new AbortController();
  const asker = new Asker(settings, { rate, budget: 9, signal, say: () => {} });
  const asked = asker.ask({ operation: operations.B1, raw: { block_number: 1 } });
  await vi.advanceTimersByTimeAsync(1000);
  expect([(await asked).status, times]).toEqual([200, [0, 500, 1000]]);
});

test("an operation that fails is named with status and request, and one without a subject with the option", async () => {
  const mock = mockOfDemo();
  mock.faults.add({ operation: "A9", fault: "status", status: 500 });
  const nobody = deviations["nobody with tokens of both kinds"] ?? { shows: [] };
  const { differences } = await comparisonOf(mock.baseUrl, departing(mock, nobody));
  expect(differences.map(({ operation, received }) => `${operation}: ${received}`)).toEqual([
    expect.stringMatching(/^A8: nothing to ask about was found: pass --address$/),
    expect.stringMatching(/^A9: 500 \(GET \/v1\/accounts\/0x\w+\/tokens\/inventory\)$/),
  ]);
});

describe("beside a node", () => {
  const beside = (node: FakeNode) => ({ node: new RpcNode(node.url, { fetch: node.fetch }) });

  test("our own service answers over 200 questions as specified or decided, with the node's values", async () => {
    const mock = mockOfDemo();
    const node = new FakeNode();
    const found = await comparisonOf(mock.baseUrl, mock.fetch, beside(node));
    expect(found.differences).toEqual([]);
    expect(sumOf(found)).toBeGreaterThan(200);
    const { decisions } = found.operations.find(({ operation }) => operation === "A2") ?? {};
    expect(decisions).toContain("node");
    expect(node.asked.get("eth_getTransactionReceipt")).toBeGreaterThan(20);
  });

  test("a value that is not the node's is named with both", async () => {
    const mock = mockOfDemo();
    const { differences } = await comparisonOf(
      mock.baseUrl,
      departing(mock, {
        shows: [],
        answer: ({ id, json }) => {
          if (id === "A2" && Array.isArray(json?.results?.data))
            for (const record of json.results.data) if ("gas_used" in record) record.gas_used = "7";
        },
      }),
      beside(new FakeNode()),
    );
    expect(differences.map(({ operation, rule, field }) => [operation, rule, field])).toEqual([
      ["A2", "node", "gas_used"],
    ]);
    expect(differences[0]?.received).toMatch(/^7, the node has \d+$/);
  });

  test("a node of another chain differs in every value, and in what it does not have", async () => {
    const mock = mockOfDemo();
    const node = new FakeNode();
    const error = { code: -32602, message: "block height is 0" };
    node.faults.call = ({ method }) => {
      if (method === "eth_chainId") return undefined;
      if (method === "eth_getBalance") return { error };
      return { result: method === "eth_call" ? "0x" : null };
    };
    const { differences } = await comparisonOf(mock.baseUrl, mock.fetch, beside(node));
    expect(
      differences.map(({ operation, field, received }) => `${operation} ${field}: ${received}`),
    ).toEqual([
      "B1 record: none",
      "A10 record: none",
      "A2 record: none",
      "L1 record: none",
      "A1 values: the node returned an error for eth_getBalance: block height is 0 (-32602)",
      expect.stringMatching(/^T1 total_supply: \d+, the node has 0x$/),
      expect.stringMatching(/^T2 balance: \d+, the node has 0x$/),
    ]);
  });

  test("a node that cannot be reached is said before anything is asked", async () => {
    const mock = mockOfDemo();
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    const node = new RpcNode("http://127.0.0.1:8545", { fetch, retries: 0 });
    await expect(comparisonOf(mock.baseUrl, mock.fetch, { node })).rejects.toThrow(
      "cannot reach the node at http://127.0.0.1:8545",
    );
    expect(mock.journal.entries).toEqual([]);
  });
});

test.skipIf(!hasPython)(
  "an explorer in Python, which shares no code with us, differs in nothing",
  async () => {
    const script = fileURLToPath(new URL("foreign_explorer.py", import.meta.url));
    const child = spawn("python3", [script], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill());
    const [port] = await once(child.stdout, "data");
    const found = await comparisonOf(`http://127.0.0.1:${String(port).trim()}`, fetch);
    expect(found.differences).toEqual([]);
    expect(sumOf(found)).toBeGreaterThan(200);
  },
);

describe("a mock in the dialect of WEMIX's explorer", () => {
  const mock = createExplorer({ chain, dialect: "wemix" });

  test("differs in nothing from that dialect", async () => {
    const found = await comparisonOf(mock.baseUrl, mock.fetch, { dialect: "wemix" });
    expect(found.differences).toEqual([]);
    expect(sumOf(found)).toBeGreaterThan(200);
  });

  test("is named where it is compared with another", async () => {
    await expect(comparisonOf(mock.baseUrl, mock.fetch)).rejects.toThrow(
      "this explorer answers in the dialect wemix: pass --dialect wemix",
    );
  });
});
