// The operations of Etherscan's API: each `action` of a `module` has a path of its own below
// `/etherscan`.
import * as z from "zod/mini";
import type { OperationId } from "../../src/contract/index.ts";
import { operationsOf } from "../../src/contract/operation.ts";
import { model } from "../../src/models/model.ts";
import { address, between, hash, text } from "../../src/models/primitives.ts";

/** Etherscan's envelope. If it fails, `status` is "0" and `result` holds the reason. */
const EtherscanResults = model({ status: text, message: text, result: z.unknown() });

const optional = z.optional(text);

/** Definitions by module. The specification has no numbers for these operations. */
const contract = operationsOf("contract", { enveloped: false });
const logs = operationsOf("logs", { enveloped: false });
const account = operationsOf("account", { enveloped: false });

const write = { method: "POST", safe: false } as const;

/** `page` counts from 1, and `offset` is the number of records of a page. */
const paging = {
  page: z._default(between(1, 1_000_000), 1),
  offset: z._default(between(1, 10_000), 1000),
};

const topic = z.optional(hash);
/** How two topics are joined. */
const operand = z.optional(z.enum(["and", "or"]));

/** Parameters for the libraries of a source in a single file. */
const libraries = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [
    [`libraryname${index + 1}`, optional],
    [`libraryaddress${index + 1}`, optional],
  ]).flat(),
) as Record<`library${"name" | "address"}${number}`, typeof optional>;

export const etherscanOperations = {
  getabi: contract("getabi", "/etherscan/contract/getabi", EtherscanResults, {
    query: { address },
  }),
  getsourcecode: contract("getsourcecode", "/etherscan/contract/getsourcecode", EtherscanResults, {
    query: { address },
  }),
  getcontractcreation: contract(
    "getcontractcreation",
    "/etherscan/contract/getcontractcreation",
    EtherscanResults,
    { query: { contractaddresses: text } },
  ),
  verifysourcecode: contract(
    "verifysourcecode",
    "/etherscan/contract/verifysourcecode",
    EtherscanResults,
    {
      ...write,
      body: {
        contractaddress: address,
        sourceCode: text,
        contractname: text,
        compilerversion: text,
        codeformat: optional,
        // The first name has Etherscan's spelling mistake. Some tools send both.
        constructorArguements: optional,
        constructorArguments: optional,
        optimizationUsed: optional,
        runs: optional,
        evmversion: optional,
        ...libraries,
      },
    },
  ),
  checkverifystatus: contract(
    "checkverifystatus",
    "/etherscan/contract/checkverifystatus",
    EtherscanResults,
    { query: { guid: text } },
  ),
  verifyproxycontract: contract(
    "verifyproxycontract",
    "/etherscan/contract/verifyproxycontract",
    EtherscanResults,
    { ...write, body: { address, expectedimplementation: z.optional(address) } },
  ),
  checkproxyverification: contract(
    "checkproxyverification",
    "/etherscan/contract/checkproxyverification",
    EtherscanResults,
    { query: { guid: text } },
  ),
  getLogs: logs("getLogs", "/etherscan/logs/getLogs", EtherscanResults, {
    query: {
      address,
      fromBlock: optional,
      toBlock: optional,
      ...{ topic0: topic, topic1: topic, topic2: topic, topic3: topic },
      ...{ topic0_1_opr: operand, topic0_2_opr: operand, topic0_3_opr: operand },
      ...{ topic1_2_opr: operand, topic1_3_opr: operand, topic2_3_opr: operand },
      ...paging,
    },
  }),
  txlist: account("txlist", "/etherscan/account/txlist", EtherscanResults, {
    query: {
      address,
      startblock: optional,
      endblock: optional,
      sort: z._default(z.enum(["asc", "desc"]), "asc"),
      ...paging,
    },
  }),
} as const;

export type EtherscanAction = keyof typeof etherscanOperations;

/** Maps each action to an operation of the specification, whose faults also apply to the action. */
export const operationOfAction: { readonly [Action in EtherscanAction]: OperationId } = {
  getabi: "C1",
  getsourcecode: "C2",
  getcontractcreation: "A2",
  verifysourcecode: "C3",
  checkverifystatus: "C3",
  verifyproxycontract: "C3",
  checkproxyverification: "C3",
  getLogs: "L1",
  txlist: "A2",
};
