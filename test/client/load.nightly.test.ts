// Thousands of calls at once against a service that breaks one request in five and refuses those that come too fast: every call has the right result.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer, type Explorer } from "../../mocks/index.ts";
import { loadDemo, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { type Address, ExplorerClient } from "../../src/index.ts";

const CALLS = 3000;
const miner = "0x103380c024c9cc66d05ecfeef5c7e771d5584c5e";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

let mock: Explorer;
let served: ServedExplorer;
beforeAll(async () => {
  mock = createExplorer({ chain: await loadDemo(), seed: 7 });
  served = await serveExplorer(mock);
});
afterAll(() => served.close({ graceMs: 0 }));

test(`${CALLS} calls, 21 % of the requests broken, 429 above 800 a second: none lost, none wrong`, async () => {
  const calm = new ExplorerClient({ baseUrl: served.url, apiKey: "load" });
  const holders: Address[] = [];
  for await (const { sender, receiver } of calm.accounts.mrc20Transfers(miner))
    holders.push(sender, ...(receiver ? [receiver] : []));
  for await (const { sender } of calm.accounts.transactions(
    "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  ))
    holders.push(sender);
  const addresses = [...new Set(holders)];
  const truth = new Map<Address, bigint>();
  for (const address of addresses) truth.set(address, await calm.tokens.balance(token, address));

  mock.faults.add({ fault: "status", status: 503, probability: 0.08 });
  mock.faults.add({ fault: "reset", probability: 0.05 });
  mock.faults.add({ fault: "truncated", probability: 0.05 });
  mock.faults.add({ fault: "status", status: 500, probability: 0.05 });
  mock.faults.add({ fault: "token-bucket", requests: 100, perMs: 125 });
  let retries = 0;
  const patient = new ExplorerClient({
    baseUrl: served.url,
    apiKey: "load",
    concurrency: 50,
    dedupe: false,
    retry: { limit: 50, delay: () => 2 },
    hooks: { onRetry: () => retries++ },
  });
  const answers = await Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      const address = addresses[index % addresses.length] ?? miner;
      return (await patient.tokens.balance(token, address)) === truth.get(address);
    }),
  );
  expect(answers.filter(Boolean)).toHaveLength(CALLS);
  expect(retries).toBeGreaterThan(CALLS * 0.15);
  console.info(`${CALLS} calls, ${retries} retries`);
});
