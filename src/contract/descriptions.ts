// What the parameters and the groups of operations are about, in words: for documents and the command line, not for the client's bundle.
import { type AnyOperation, type Operations, operations } from "./index.ts";

/** The name of a parameter of any operation. */
export type ParameterName = {
  [Id in keyof Operations]: keyof Operations[Id]["input"]["shape"] & string;
}[keyof Operations];

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

/** The operations in the order of the specification; a module's own order is that of the alphabet (A1, A10, A2). */
export const operationsInOrder: readonly AnyOperation[] = (
  Object.values(operations) as AnyOperation[]
).sort((one, other) => place(one) - place(other));

function place({ id, resource }: AnyOperation): number {
  return Object.keys(resourceDescriptions).indexOf(resource) * 100 + Number(id.slice(1));
}
