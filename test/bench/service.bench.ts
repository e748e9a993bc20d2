// What a request on a port costs the explorer, against plain node:http with the same bytes.
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { loadDemo } from "../../mocks/ingest/load-chain.ts";
import { measure, start, stop } from "./load.ts";

const chain = await loadDemo();
const busiest = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const { hash } = chain.transactions(busiest, "all", {}).at(0);
const targets = {
  "trivial (B1)": "/v1/blocks/7",
  "a status (X1)": `/v1/transactions/${hash}/transaction-status`,
  "a page of 50 (A2)": `/v1/accounts/${busiest}/transactions?limit=50`,
  "a page of 50 logs (L1)": `/v1/event-logs?address=${token}&limit=50`,
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
