// Submits more sources than fit into the memory of this process, then reads the journal: prints how many entries it has.
import { createExplorer } from "../../mocks/explorer.ts";

const [submissions = 0, tenants = 1] = process.argv.slice(2).map(Number);
const mock = createExplorer({ tenant: "api-key" });
const address = `0x${"ab".repeat(20)}`;

for (let number = 0; number < submissions; number++) {
  const response = await mock.fetch(`${mock.baseUrl}/v1/contracts/${address}/verify`, {
    method: "POST",
    headers: { "api-key": `key ${number % tenants}`, "content-type": "application/json" },
    body: JSON.stringify({
      contract_name: "Flood",
      compiler: "0.8.20",
      runs_optimizer: 200,
      optimization_enabled: 1,
      // Below the limit of each parameter and above it.
      contract_source: `${number}`.padEnd(2 ** 20 - 10_000, "x"),
      constructor_arguments: `${number}`.padEnd(4000, "0"),
    }),
  });
  if (response.status !== 501) throw new Error(`expected 501, received ${await response.text()}`);
}

const kept = Array.from({ length: tenants }, (_, key) => mock.tenant(`key ${key}`).journal.count());
console.log(JSON.stringify(kept));
