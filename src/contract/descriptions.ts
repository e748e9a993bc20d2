// Descriptions of operations, parameters and resources for the documentation and the command line.
// Not part of the client's bundle.
import { type AnyOperation, type OperationId, type Operations, operations } from "./index.ts";

/** The name of a parameter of any operation. */
export type ParameterName = {
  [Id in keyof Operations]: keyof Operations[Id]["input"]["shape"] & string;
}[keyof Operations];

export const summaries: Readonly<Record<OperationId, string>> = {
  T1: "Total supply of a token",
  T2: "Token balance of an account",
  T3: "MRC721 tokens of a holder in one collection",
  T4: "Number of holders of a token",
  A1: "Native-coin balances of 1 to 20 addresses",
  A2: "Normal transactions of an address",
  A3: "Internal transactions of an address",
  A4: "MRC20 transfer events of an address",
  A5: "MRC721 transfer events of an address",
  A6: "MRC20 and MRC721 tokens of an account, with balances",
  A7: "MRC20 tokens of an account",
  A8: "MRC721 tokens of an account",
  A9: "MRC721 inventory of a contract",
  A10: "Blocks created by a miner",
  X1: "Whether contract execution had an error: 1 = success, 0 = error",
  X2: "Receipt status: 1 = succeeded, 0 = failed; for transactions after the Byzantium fork",
  X3: "Internal transactions of a transaction",
  C1: "ABI of a verified contract",
  C2: "Source and settings of a verified contract",
  C3: "Submit source code for verification",
  B1: "Block and uncle rewards of a block",
  L1: "Event logs of a contract, by block range and topics",
};

/** Describes every parameter: the type refuses a missing description. */
export const parameterDescriptions: Readonly<Record<ParameterName, string>> = {
  limit: "Maximum number of records returned.",
  offset: "Number of records to skip.",
  startBlock: "First block of the range, inclusive.",
  endBlock: "Last block of the range, inclusive.",
  input: "Whether to include the call data of each entry.",
  simple: "Whether to return entries in their simple form.",
  condition:
    "Role of the address: sender (from), receiver (to), created contract (contract), or any (all).",
  address_hash: "Address of the account.",
  contract_hash: "Address of the contract.",
  contract_address: "Address of the contract.",
  token_address: "Returns only the entries of this collection.",
  transaction_hash: "Hash of the transaction.",
  block_number: "Number of the block.",
  addresses: "Addresses to return the balance of.",
  address: "Address of the contract that emitted the logs.",
  type: "Whether to filter by one topic (single) or by all topics of the query (conbine, as the specification spells it).",
  operand: "How to combine the topics of the query.",
  topic_0: "Filter on the first topic.",
  topic_1: "Filter on the second topic.",
  topic_2: "Filter on the third topic.",
  topic_3: "Filter on the fourth topic.",
  contract_name: "Name of the contract.",
  compiler: "Solidity compiler version.",
  runs_optimizer: "Number of optimizer runs.",
  optimization_enabled: "1 enables the optimizer; any other number disables it.",
  contract_source: "Solidity source, base64-encoded.",
  constructor_arguments: "Constructor arguments in hexadecimal; may be empty.",
  evm_version: "EVM version to compile for.",
  libraries: "Names and addresses of the libraries the contract uses.",
};

export const resourceDescriptions: Readonly<Record<string, string>> = {
  tokens: "Fungible (MRC20) and non-fungible (MRC721) tokens.",
  accounts: "Balances, transactions, transfers and holdings of an address.",
  transactions: "Status and internal transactions of one transaction.",
  contracts: "ABI and source of verified contracts, and source verification.",
  blocks: "Rewards of a block.",
  eventLogs: "Logs emitted by contracts.",
};

export const summaryOf = ({ id }: AnyOperation): string => summaries[id as OperationId];

/** The operations in the order of the specification. */
export const operationsInOrder: readonly AnyOperation[] = Object.values(operations);
