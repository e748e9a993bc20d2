// What is found at our own service and at an explorer in Python.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createExplorer, loadDemo } from "../../../mocks/node.ts";
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

test("waits as long as an explorer that is rate limited asks, and says so", async () => {
  const mock = mockOfDemo();
  mock.faults.add({ fault: "rate-limit", retryAfter: 1, nth: 9 });
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  await comparisonOf(mock.baseUrl, mock.fetch, { say });
  expect(said).toEqual(["waiting 1 s, as the explorer asks (429)"]);
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

test("our own service answers over 200 questions as specified or decided", async () => {
  const mock = mockOfDemo();
  const found = await comparisonOf(mock.baseUrl, mock.fetch);
  expect(found.differences).toEqual([]);
  expect(sumOf(found)).toBeGreaterThan(200);
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
