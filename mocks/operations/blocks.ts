// Blocks: the rewards of one block (B1).
import { type OperationHandler, ServiceError } from "./handler.ts";
import { blockReward } from "./rewards.ts";

export const B1: OperationHandler<"B1"> = (chain, { block_number }) => {
  const block = chain.block(Number(block_number));
  if (block === undefined)
    throw new ServiceError(
      404,
      `block_number: no block ${block_number}, the newest is ${chain.head.number}`,
    );
  return { data: blockReward(block) };
};
