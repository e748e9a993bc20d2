// The journal's memory is bounded: long parameters as length and hash, and a budget of bytes that tenants share.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import { Journal } from "../../../mocks/double/journal/journal.ts";
import { JournalBudget } from "../../../mocks/double/journal/journal-budget.ts";
import { requestOf } from "../../support/requests.ts";

const address = `0x${"ab".repeat(20)}`;
const submission = {
  contract_name: "Flood",
  compiler: "0.8.20",
  runs_optimizer: 200,
  optimization_enabled: 1,
  contract_source: "x".repeat(100_000),
  constructor_arguments: "",
  libraries: [{ name: "Lib", address }],
};

test("submissions of 1 MiB without end fit into 64 MB", async () => {
  const fixture = fileURLToPath(new URL("../../support/flood.fixture.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--max-old-space-size=64",
    fixture,
    ...["120", "3"],
  ]);
  expect(JSON.parse(stdout)).toEqual([40, 40, 40]);
});

test("a long parameter is kept as length and hash, and found by its value", async () => {
  const mock = createExplorer();
  const sent = requestOf("C3", { contract_hash: address, ...submission });
  await mock.fetch(`${mock.baseUrl}${sent.target}`, sent);
  const { contract_source } = submission;
  const sha256 = `0x${createHash("sha256").update(contract_source).digest("hex")}`;
  expect(mock.journal.entries[0]?.input).toEqual({
    contract_hash: address,
    ...submission,
    contract_source: { length: 100_000, sha256 },
  });
  expect(mock.journal.count("contracts.verify", { contract_source })).toBe(1);
  expect(mock.journal.count("contracts.verify", { contract_source: `${contract_source}x` })).toBe(
    0,
  );
  expect(() => mock.journal.expect("C3", { contract_source: "y".repeat(5000) })).toThrow(
    /expected \{"length":5000,"sha256":"0x\w{64}"\}, received \{"length":100000,"sha256":"0x/,
  );
});

const arrive = (journal: Journal, target: string) =>
  journal.open({ method: "GET", target, operation: undefined, at: 0 });
const outcome = { status: 200, message: undefined, duration: 1 };

test("journals that share a budget stay within it; the largest forgets its oldest requests", () => {
  const budget = new JournalBudget(100_000);
  const [busy, idle] = [new Journal({ budget }), new Journal({ budget })];
  arrive(idle, "/idle");
  for (let number = 0; number < 1000; number++) {
    const entry = arrive(busy, "/".padEnd(1000, "x"));
    busy.close(entry, outcome);
    expect(busy.bytes + idle.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(idle.count()).toBe(1);
  expect(busy.count()).toBeGreaterThan(5);
  expect(busy.entries.at(-1)?.number).toBe(1000);
  expect(busy.entries.map(({ number }) => number)).toEqual(
    Array.from({ length: busy.count() }, (_, index) => 1001 - busy.count() + index),
  );
});

test("requests that are forgotten while they are pending cost nothing when they end", () => {
  const journal = new Journal({ budget: new JournalBudget(10_000) });
  const entries = Array.from({ length: 100 }, () => arrive(journal, "/"));
  const { bytes } = journal;
  entries[0] && journal.close(entries[0], { ...outcome, message: "x".repeat(4000) });
  expect(journal.bytes).toBe(bytes);
  journal.clear();
  arrive(journal, "/");
  const { bytes: one } = journal;
  for (const entry of entries) journal.close(entry, outcome);
  expect(journal.bytes).toBe(one);
});

test("a journal that leaves a budget gives its bytes back", () => {
  const budget = new JournalBudget(10_000);
  const [left, kept] = [new Journal({ budget }), new Journal({ budget })];
  for (let number = 0; number < 6; number++) arrive(kept, "/");
  for (let number = 0; number < 8; number++) arrive(left, "/");
  left.leaveBudget();
  for (let number = 0; number < 8; number++) arrive(left, "/");
  for (let number = 0; number < 8; number++) arrive(kept, "/");
  expect([left.count(), kept.count()]).toEqual([16, 14]);
});
