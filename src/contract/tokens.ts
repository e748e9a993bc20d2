// Operations on tokens: T1 to T4 (specification 4.1).
import { HolderInventory } from "../models/inventory.ts";
import { model } from "../models/model.ts";
import { address, amount, integer, orNull } from "../models/primitives.ts";
import { dataOf, operation } from "./operation.ts";
import { paths } from "./paths.ts";

const parameters = { contract_hash: address };

export const tokens = {
  T1: operation({
    id: "T1",
    name: "tokens.totalSupply",
    path: paths.T1,
    parameters,
    results: dataOf(model({ total_supply: orNull(amount) })),
  }),
  T2: operation({
    id: "T2",
    name: "tokens.balance",
    path: paths.T2,
    parameters: { ...parameters, address_hash: address },
    results: dataOf(model({ balance: amount })),
  }),
  T3: operation({
    id: "T3",
    name: "tokens.inventory",
    path: paths.T3,
    parameters,
    query: { address_hash: address },
    results: HolderInventory,
  }),
  T4: operation({
    id: "T4",
    name: "tokens.holderCount",
    path: paths.T4,
    parameters,
    results: dataOf(model({ holder_count: orNull(integer) })),
  }),
};
