// A sample request of each operation, and a field of its response: tests of every operation take them from here.
import type { Address, Hash } from "../../mocks/chain/records.ts";
import type { OperationId, OperationInput, operations } from "../../src/index.ts";

/** The names that the samples use, on the chain of a test. */
export interface SampleNames {
  readonly account: Address;
  readonly miner: Address;
  /** An MRC20 token. */
  readonly token: Address;
  /** An MRC721 collection. */
  readonly collection: Address;
  readonly transaction: Hash;
  readonly block: bigint;
}

type Samples = {
  readonly [Id in OperationId]: readonly [
    input: OperationInput<(typeof operations)[Id]>,
    /** A field of the response that a client must not miss. */
    field: string,
  ];
};

export const samplesOf = ({
  account,
  miner,
  token,
  collection,
  transaction,
  block,
}: SampleNames): Samples => ({
  T1: [{ contract_hash: token }, "data"],
  T2: [{ contract_hash: token, address_hash: account }, "data.balance"],
  T3: [{ contract_hash: collection, address_hash: account }, "data"],
  T4: [{ contract_hash: token }, "data"],
  A1: [{ addresses: [account, miner] }, "data.*.balance"],
  A2: [{ address_hash: account }, "data.*.value"],
  A3: [{ address_hash: account }, "data"],
  A4: [{ address_hash: account }, "data.*.value"],
  A5: [{ address_hash: account }, "data"],
  A6: [{ address_hash: account }, "mrc_20"],
  A7: [{ address_hash: account }, "data.*.token_address"],
  A8: [{ address_hash: account }, "data"],
  A9: [{ contract_address: collection }, "data.*.token_id"],
  A10: [{ address_hash: miner }, "data.*.reward"],
  X1: [{ transaction_hash: transaction }, "data"],
  X2: [{ transaction_hash: transaction }, "data"],
  X3: [{ transaction_hash: transaction }, "data"],
  C1: [{ contract_hash: token }, "data.*.type"],
  C2: [{ contract_hash: token }, "data.address"],
  C3: [
    {
      contract_hash: token,
      contract_name: "Token",
      compiler: "v0.8.20",
      runs_optimizer: 200,
      optimization_enabled: 1,
      contract_source: btoa("contract Token {}"),
      constructor_arguments: "",
    },
    "data",
  ],
  B1: [{ block_number: block }, "data.miner"],
  L1: [{ address: token }, "data.*.data"],
});
