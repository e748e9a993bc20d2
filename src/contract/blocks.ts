// The operation on blocks: B1 (specification 4.5).
import { BlockReward } from "../models/block.ts";
import { blockNumber } from "../models/primitives.ts";
import { dataOf, operation } from "./operation.ts";
import { paths } from "./paths.ts";

export const blocks = {
  B1: operation({
    id: "B1",
    name: "blocks.get",
    path: paths.B1,
    parameters: { block_number: blockNumber },
    results: dataOf(BlockReward),
    finality: "block",
  }),
};
