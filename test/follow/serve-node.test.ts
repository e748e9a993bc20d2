// A live node behind the service: what is mined on the node, the client reads a moment later.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const BOB = "0x00000000000000000000000000000000000b0b00";

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil();
});
afterAll(() => node.stop());

test("serve --rpc answers from a node's chain and follows it", async () => {
  const service = spawn(process.execPath, [MAIN, "serve", "--rpc", node.url, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(service.stdout, "data");
    const baseUrl = /http:\S+/.exec(String(line))?.[0] ?? "";
    const explorer = new ExplorerClient({ baseUrl, apiKey: "any" });
    expect(await explorer.accounts.balance(BOB)).toBe(0n);

    const [from] = (await node.ask("eth_accounts")) as string[];
    const hash = await node.ask("eth_sendTransaction", { from, to: BOB, value: "0x5" });
    await expect.poll(() => explorer.accounts.balance(BOB), { timeout: 10_000 }).toBe(5n);
    const [received] = await explorer.accounts.transactions(BOB).collect();
    expect(received).toMatchObject({ transaction_hash: hash, sender: from, value: 5n });
  } finally {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  }
});
