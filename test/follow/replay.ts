// Replays the demo chain's blocks on a node of one's own, signed transaction by signed transaction, hash for hash.
import { serializeTransaction } from "viem";
import type { Hex } from "../../mocks/chain/records.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import type { TestNode } from "../support/test-node.ts";

type RawAuthorization = Readonly<
  Record<"address" | "chainId" | "nonce" | "r" | "s" | "yParity", Hex>
>;

type RawTransaction = Readonly<
  Record<"type" | "nonce" | "gas" | "value" | "input" | "r" | "s", Hex>
> &
  Readonly<
    Partial<
      Record<
        "to" | "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas" | "v" | "yParity" | "chainId",
        Hex
      >
    >
  > & {
    readonly authorizationList?: readonly RawAuthorization[];
    readonly accessList?: { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];
  };

interface RawBlock {
  readonly hash: string;
  readonly miner: string;
  readonly timestamp: string;
  readonly baseFeePerGas: string;
  readonly transactions: readonly RawTransaction[];
}

function authorization({ address, chainId, nonce, r, s, yParity }: RawAuthorization) {
  return {
    address,
    chainId: Number(chainId),
    nonce: Number(nonce),
    r,
    s,
    yParity: Number(yParity),
  };
}

function signed(of: RawTransaction): Hex {
  const common = {
    nonce: Number(of.nonce),
    gas: BigInt(of.gas),
    value: BigInt(of.value),
    data: of.input,
    to: of.to ?? null,
  };
  const { r, s } = of;
  const yParity = Number(of.yParity ?? 0);
  const chainId = Number(of.chainId ?? 0);
  const accessList = of.accessList ?? [];
  switch (of.type) {
    case "0x0": {
      const legacy = { ...common, type: "legacy", gasPrice: BigInt(of.gasPrice ?? 0) } as const;
      const replayProtected = BigInt(of.v ?? 0) > 28n ? { ...legacy, chainId: 1717 } : legacy;
      return serializeTransaction(replayProtected, { r, s, v: BigInt(of.v ?? 0) });
    }
    case "0x1": {
      const gasPrice = BigInt(of.gasPrice ?? 0);
      return serializeTransaction(
        { ...common, type: "eip2930", chainId, accessList, gasPrice },
        { r, s, yParity },
      );
    }
    case "0x2":
    case "0x4": {
      const maxFeePerGas = BigInt(of.maxFeePerGas ?? 0);
      const maxPriorityFeePerGas = BigInt(of.maxPriorityFeePerGas ?? 0);
      const fields = { ...common, chainId, accessList, maxFeePerGas, maxPriorityFeePerGas };
      return of.type === "0x2"
        ? serializeTransaction({ ...fields, type: "eip1559" }, { r, s, yParity })
        : serializeTransaction(
            {
              ...fields,
              type: "eip7702",
              authorizationList: (of.authorizationList ?? []).map(authorization),
            },
            { r, s, yParity },
          );
    }
    default:
      throw new Error(`the demo chain has a transaction of type ${of.type}, which is not replayed`);
  }
}

/** Mines the demo chain's blocks from `first` to `last` on the node, whose head is the block before. */
export async function replayDemo(node: TestNode, first: number, last: number): Promise<void> {
  const blocks = readRecords(DEMO, "blocks").slice(first, last + 1) as unknown as {
    block: RawBlock;
  }[];
  for (const { block } of blocks) {
    await node.ask("hardhat_setCoinbase", block.miner);
    await node.ask("hardhat_setNextBlockBaseFeePerGas", block.baseFeePerGas);
    await node.ask("evm_setNextBlockTimestamp", Number(block.timestamp));
    for (const transaction of block.transactions)
      await node.ask("eth_sendRawTransaction", signed(transaction));
    await node.ask("evm_mine");
  }
}
