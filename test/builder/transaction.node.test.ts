// The same transactions on a builder and on a real node: both must produce the same.
import fc from "fast-check";
import { concat } from "ox/Hex";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildChain, type ChainBuilder, coins, gwei } from "../../mocks/builder/index.ts";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";
import { runs } from "../support/runs.ts";

const baseFee = 1_000_000_000;
const start = 1_704_067_200;
const maxFeePerGas = gwei(1_000);
const flags = `--chain-id 1717 --hardfork prague --no-mining --auto-impersonate --accounts 0 --block-base-fee-per-gas ${baseFee} --gas-limit 30000000 --timestamp ${start} --order fifo`;

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;
let node: Anvil;
let empty: unknown;

beforeAll(async () => {
  node = await startAnvil(flags.split(" "));
  empty = await node.ask("evm_snapshot");
});
afterAll(() => node.stop());

const accounts = 3;

/** A builder with the node's rules, and the same accounts on the node. */
async function begin(): Promise<{ builder: ChainBuilder; people: Address[] }> {
  await node.ask("evm_revert", empty);
  empty = await node.ask("evm_snapshot");
  const builder = buildChain({ blockReward: 0n, timestamp: start });
  const people = Array.from({ length: accounts }, () => builder.account({ balance: coins(100) }));
  for (const account of people) {
    await node.ask("anvil_setBalance", account, hex(coins(100)));
  }
  const miner = builder.chain.head.miner;
  await node.ask("anvil_setCoinbase", miner);
  // Going back does not bring the node's idea of the next base fee back.
  await node.ask("anvil_setNextBlockBaseFeePerGas", hex((baseFee * 7) / 8));
  return { builder, people };
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly gasUsed: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly status: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }[];
}

/**
 * Sends the pending transactions to the node, mines both, and returns the block as each reports it.
 */
async function mineBoth(builder: ChainBuilder) {
  for (const { hash: _, from, to, nonce, value, input, gasLimit } of builder.pending) {
    await node.ask("eth_sendTransaction", {
      from,
      ...(to === null ? {} : { to }),
      nonce: hex(nonce),
      value: hex(value),
      data: input,
      gas: hex(gasLimit),
      maxFeePerGas: hex(maxFeePerGas),
      maxPriorityFeePerGas: hex(gwei(1)),
    });
  }
  const block = builder.mine();
  await node.ask("evm_setNextBlockTimestamp", block.timestamp);
  await node.ask("evm_mine");
  const receipts = (await node.ask("eth_getBlockReceipts", hex(block.number))) as Receipt[];
  const real = (await node.ask("eth_getBlockByNumber", hex(block.number), false)) as {
    baseFeePerGas: Hex;
    gasUsed: Hex;
    timestamp: Hex;
  };
  return {
    built: {
      ...{ baseFeePerGas: block.baseFeePerGas, gasUsed: block.gasUsed, timestamp: block.timestamp },
      receipts: (builder.chain.blockInput(block.number)?.executions ?? []).map(
        ({ transaction: { gasUsed, cumulativeGasUsed, gasPrice, succeeded, created }, logs }) => ({
          ...{ gasUsed, cumulativeGasUsed, gasPrice, succeeded, created },
          logs: logs.map(({ address, topics, data, index }) => ({ address, topics, data, index })),
        }),
      ),
    },
    real: {
      ...{ baseFeePerGas: BigInt(real.baseFeePerGas), gasUsed: Number(real.gasUsed) },
      timestamp: Number(real.timestamp),
      receipts: receipts.map((receipt) => ({
        gasUsed: Number(receipt.gasUsed),
        cumulativeGasUsed: Number(receipt.cumulativeGasUsed),
        gasPrice: BigInt(receipt.effectiveGasPrice),
        succeeded: receipt.status === "0x1",
        created: receipt.contractAddress?.toLowerCase() ?? null,
        logs: receipt.logs.map(({ address, topics, data, logIndex }) => ({
          ...{ address, topics, data, index: Number(logIndex) },
        })),
      })),
    },
  };
}

/** Compares accounts on the builder and on the node. */
async function compareAccounts(builder: ChainBuilder, addresses: readonly Address[]) {
  for (const address of addresses) {
    const [balance, nonce, code] = await Promise.all([
      node.ask("eth_getBalance", address, "latest"),
      node.ask("eth_getTransactionCount", address, "latest"),
      node.ask("eth_getCode", address, "latest"),
    ]);
    expect({
      address,
      balance: builder.chain.balance(address),
      nonce: builder.nonce(address),
      code: builder.chain.code(address),
    }).toEqual({ address, balance: BigInt(String(balance)), nonce: Number(nonce), code });
  }
}

const person = fc.nat(accounts - 1);
const data = fc
  .uint8Array({ maxLength: 80 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
const sentence = fc.oneof(
  fc.record({
    does: fc.constant("transfer" as const),
    from: person,
    to: person,
    value: fc.bigInt(0n, coins(1)),
    data,
  }),
  fc.record({
    does: fc.constant("deploy" as const),
    from: person,
    value: fc.bigInt(0n, coins(1)),
    data,
  }),
);

test("any coin transfers and deployments cost, move and create the same as on a node", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sentence, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (blocks) => {
        const { builder, people } = await begin();
        const touched = new Set<Address>([...people, builder.chain.head.miner]);
        for (const sentences of blocks) {
          for (const { does, from, value, data, ...rest } of sentences) {
            const sender = people[from] ?? "0x";
            const gas = { maxFeePerGas };
            if (does === "transfer") {
              const to = people["to" in rest ? rest.to : 0] ?? "0x";
              builder.transfer(sender, to, value, { input: data, ...gas });
            } else {
              // Code of a 0xef prefix is refused by nodes (EIP-3541).
              touched.add(
                builder.deploy(sender, { code: concat("0x00", data), value }, gas).address,
              );
            }
          }
          const { built, real } = await mineBoth(builder);
          expect(built).toEqual(real);
        }
        await compareAccounts(builder, [...touched]);
      },
    ),
    { numRuns: runs(8) },
  );
});
