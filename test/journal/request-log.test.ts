// The journal's memory is bounded: the newest requests, and long parameters as length and hash.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createExplorer, serviceOf } from "../../mocks/explorer.ts";
import { JOURNAL_ENTRIES, RequestLog, TENANT_ENTRIES } from "../../mocks/journal/request-log.ts";
import { requestOf } from "../support/requests.ts";

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

const arrival = (target: string) => ({ method: "GET", target, operation: undefined, at: 0 });

test("the newest are kept, with the beginning of a long target; one that was forgotten may end", () => {
  const log = new RequestLog(3);
  const [first] = ["/1", "/2", "/3", "/4", `/${"5".repeat(5000)}`].map((target) =>
    log.open(arrival(target)),
  );
  if (first) log.close(first, { status: 200, message: undefined, duration: 1 });
  expect(log.entries.map(({ number, target }) => [number, target.length])).toEqual([
    [3, 2],
    [4, 2],
    [5, 2000],
  ]);
  expect(log.changes({ after: 0, limit: 10 })).toMatchObject({ first: 3, revision: 6 });
});

test("of a tenant fewer are kept", async () => {
  const mock = createExplorer({ tenant: "api-key" });
  const tenant = mock.tenant("k");
  for (let count = 0; count <= JOURNAL_ENTRIES; count++)
    for (const { requests } of [mock, tenant].map((one) => serviceOf(one)))
      requests.open(arrival("/"));
  expect([mock.journal.count(), tenant.journal.count()]).toEqual([JOURNAL_ENTRIES, TENANT_ENTRIES]);
});
