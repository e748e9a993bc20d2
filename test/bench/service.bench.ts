// What a request on a port costs the explorer, against plain node:http with the same bytes.
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { loadDemo } from "../../mocks/double/sources/ingest/load-chain.ts";
import { knownIn } from "../support/requests.ts";
import { measure, start, stop } from "./load.ts";

const chain = await loadDemo();
const { accounts, transactions } = knownIn(chain);
const busiest = accounts.reduce((most, address) => {
  const count = (of: typeof most) => chain.transactions(of, "all", {}).count;
  return count(address) > count(most) ? address : most;
});
const [token] = chain
  .tokens()
  .map(({ address }) => ({ address, ...chain.logs({ address, topics: [], operand: "and" }) }))
  .sort((one, other) => other.count - one.count);
const targets = {
  "trivial (B1)": "/v1/blocks/7",
  "a status (X1)": `/v1/transactions/${transactions[0]?.hash}/transaction-status`,
  "a page of 50 (A2)": `/v1/accounts/${busiest}/transactions?limit=50`,
  "a page of 50 logs (L1)": `/v1/event-logs?address=${token?.address}&limit=50`,
};

const program = fileURLToPath(new URL("served.ts", import.meta.url));
const servers = await Promise.all([
  start(program, "switch", ...Object.values(targets)),
  start(program, "explorer"),
]);
afterAll(async () => {
  await Promise.all(servers.map(stop));
});

test.each(Object.entries(targets))(
  "%s on a port, against node:http",
  async (name, target) => {
    const [plain = Number.NaN, ours = Number.NaN] = await measure(servers, target);
    const [reference, explorer] = [plain, ours].map((micros) => micros.toFixed(0));
    console.info(
      `${name}: node:http ${reference} µs of CPU a request, the explorer ${explorer}: ${(plain / ours).toFixed(2)}`,
    );
    expect(ours).toBeGreaterThan(0);
  },
  600_000,
);
