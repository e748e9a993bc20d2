// Descriptions of the admin API for its OpenAPI document.
import type { AdminOperationId, AdminOperations } from "./operations.ts";

/** The name of a parameter of any operation. */
type ParameterName = {
  [Id in AdminOperationId]: keyof AdminOperations[Id]["input"]["shape"] & string;
}[AdminOperationId];

/** One line per operation. A missing line does not compile. */
export const adminSummaries: Readonly<Record<AdminOperationId, string>> = {
  reset:
    "Restore the initial chain and faults, and clear the journal; without an api-key, drop all tenants too",
  snapshot: "Save the chain and the faults; the 100 snapshots used last are kept",
  restore: "Restore a snapshot, any number of times",
  mine: "Mine empty blocks while other requests are served; `recipe` builds blocks with transactions",
  reorganise: "Replace the last blocks by as many others",
  recipe:
    "Build what a recipe describes, all or nothing: accounts, tokens, calls, blocks, verified contracts. With `chain` it starts a new chain, otherwise it continues the chain",
  rewind: "Remove the last blocks; the first one stays",
  faults: "The active faults, and how often each was applied",
  addFaults: "Add a fault or a list of faults; all of them, or none",
  clearFaults: "Remove all faults",
  removeFault: "Remove one fault",
  journal: "The requests received, or what changed in the journal since a revision",
  journalEntry:
    "One request with headers and body, its response, and the response without the faults that applied",
  nodeAccounts: "The accounts that the followed node sends transactions for",
  nodeCall: "Call a contract on the followed node, at the head or at a block",
  nodeSend:
    "Send a transaction from an account of the followed node; responds once the chain has it",
  node: "The followed node's version, and whether it has the controls of anvil and Hardhat",
  nodeMine: "Have the followed node mine blocks, the first of them with the given timestamp",
  nodeSnapshot: "Have the followed node save its state",
  nodeRevert: "Have the followed node return to a snapshot, which then no longer exists",
  nodeImpersonate: "Have the followed node send transactions for an account without its key",
  clearJournal: "Clear the journal",
  countRequests: "The number of requests received, of an operation with these parameters if given",
  expect:
    "The requests of an operation with these parameters; 409 and the requests received instead, if there are none or another number than expected",
};

/** One line per parameter. */
export const adminParameters: Readonly<Record<ParameterName, string>> = {
  snapshot: "The snapshot to restore.",
  blocks: "Number of blocks.",
  miner: "The miner of the blocks.",
  recipe: "The recipe.",
  drop: "Transactions to leave out of the new blocks: their hashes, or all.",
  faults: "A fault, or a list of faults.",
  id: "The id of the fault.",
  to: "The contract that is called.",
  data: "The call's selector and arguments.",
  from: "The account that calls; for a transaction, one of the node's accounts.",
  value: "Coins in the smallest unit.",
  block: "The block whose state is read; the head if it is left out.",
  timestamp: "The time of the first block, in seconds since 1970.",
  account: "The account to send for.",
  number: "The number of the request in the journal.",
  containing:
    "Only requests whose response contains this text, such as a transaction's hash, among those kept in full.",
  operation:
    "The operation, by its number or by the client's method: `A2`, `accounts.transactions`.",
  parameters: "Parameters of the requests; those left out match anything.",
  times: "The exact number of requests, 0 for none; at least one if it is left out.",
  after: "Returns the changes after this revision.",
  limit:
    "Maximum number of entries: the newest, or with `after` the earliest changes. Without both, all are returned.",
};
