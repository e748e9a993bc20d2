// What the parameters and the groups of operations are about, in words: for documents and the command line, not for the client's bundle.
import { type AnyOperation, type OperationId, type Operations, operations } from "./index.ts";

/** The name of a parameter of any operation. */
export type ParameterName = {
  [Id in keyof Operations]: keyof Operations[Id]["input"]["shape"] & string;
}[keyof Operations];

/** What each operation answers, in a line. */
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
  X1: "Whether contract execution had an error",
  X2: "Receipt status, for transactions after the Byzantium fork",
  X3: "Internal transactions of a transaction",
  C1: "ABI of a verified contract",
  C2: "Source and settings of a verified contract",
  C3: "Submit source code for verification",
  B1: "Block and uncle rewards of a block",
  L1: "Event logs of a contract, by block range and topics",
};

/** What each parameter asks for; the compiler misses the one that is not described. */
export const parameterDescriptions: Readonly<Record<ParameterName, string>> = {
  limit: "Maximum number of records returned.",
  offset: "Index of the first record returned.",
  startBlock: "First block of the range, included.",
  endBlock: "Last block of the range, included.",
  input: "Whether entries carry their call data.",
  simple: "Whether entries come in their simple form.",
  condition: "Which role the address plays.",
  address_hash: "Address of the account.",
  contract_hash: "Address of the contract.",
  contract_address: "Address of the contract.",
  token_address: "Keeps only the entries of this collection.",
  transaction_hash: "Hash of the transaction.",
  block_number: "Number of the block.",
  addresses: "Addresses whose balance is asked for.",
  address: "Address of the emitting contract.",
  type: "Whether one topic filters (single) or all given ones (conbine; spelled so).",
  operand: "How the given topics are joined.",
  topic_0: "Filter on the first topic.",
  topic_1: "Filter on the second topic.",
  topic_2: "Filter on the third topic.",
  topic_3: "Filter on the fourth topic.",
  contract_name: "Name of the contract.",
  compiler: "Solidity compiler version.",
  runs_optimizer: "Number of optimizer runs.",
  optimization_enabled: "1 means enabled; any other number means not enabled.",
  contract_source: "Solidity source, base64 encoded.",
  constructor_arguments: "Constructor arguments in hexadecimal; may be empty.",
  evm_version: "EVM version used when compiling.",
  libraries: "Libraries used by the contract: their names and addresses.",
};

/** What the operations of a resource answer. */
export const resourceDescriptions: Readonly<Record<string, string>> = {
  tokens: "Fungible (MRC20) and non-fungible (MRC721) tokens.",
  accounts: "Balances, transactions, transfers and holdings of an address.",
  transactions: "Status and internal transactions of one transaction.",
  contracts: "Verified contracts, and the verification of source code.",
  blocks: "Reward data of a block.",
  eventLogs: "Logs that contracts emitted.",
};

/** What an operation of the contract answers, in a line. */
export const summaryOf = ({ id }: AnyOperation): string => summaries[id as OperationId];

/** The operations in the order of the specification; a module's own order is that of the alphabet (A1, A10, A2). */
export const operationsInOrder: readonly AnyOperation[] = (
  Object.values(operations) as AnyOperation[]
).sort((one, other) => place(one) - place(other));

function place({ id, resource }: AnyOperation): number {
  return Object.keys(resourceDescriptions).indexOf(resource) * 100 + Number(id.slice(1));
}
