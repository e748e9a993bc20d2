// Operations on tokens: T1 to T4 (specification 4.1).
import { HolderInventory } from "../models/inventory.ts";
import { model } from "../models/model.ts";
import { address, amount, integer, orNull } from "../models/primitives.ts";
import { dataOf, operation } from "./operation.ts";

const parameters = { contract_hash: address };

export const T1 = /*#__PURE__*/ operation({
  id: "T1",
  name: "tokens.totalSupply",
  method: "GET",
  path: "/v1/tokens/{contract_hash}/total-supply",
  parameters,
  results: dataOf(model({ total_supply: orNull(amount) })),
});

export const T2 = /*#__PURE__*/ operation({
  id: "T2",
  name: "tokens.balance",
  method: "GET",
  path: "/v1/tokens/{contract_hash}/balance/{address_hash}",
  parameters: { ...parameters, address_hash: address },
  results: dataOf(model({ balance: amount })),
});

export const T3 = /*#__PURE__*/ operation({
  id: "T3",
  name: "tokens.inventory",
  method: "GET",
  path: "/v1/tokens/{contract_hash}/inventory",
  parameters,
  query: { address_hash: address },
  results: HolderInventory,
});

export const T4 = /*#__PURE__*/ operation({
  id: "T4",
  name: "tokens.holderCount",
  method: "GET",
  path: "/v1/tokens/{contract_hash}/holder-count",
  parameters,
  results: dataOf(model({ holder_count: orNull(integer) })),
});
