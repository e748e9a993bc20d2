// What tools ask of Etherscan, as operations: each `action` of a `module` has a path of its own below `/etherscan`.
import * as z from "zod/mini";
import type { OperationId } from "../../src/contract/index.ts";
import { operation } from "../../src/contract/operation.ts";
import { between } from "../../src/contract/parameters.ts";
import { model } from "../../src/models/model.ts";
import { address, hash, text } from "../../src/models/primitives.ts";

/** Etherscan's envelope: `status` "1" and `message` "OK", or "0" and why not in `result`. */
const Answer = model({ status: text, message: text, result: z.unknown() });

const optional = z.optional(text);

/** Of one module and action; the specification has neither. */
const shared = { enveloped: false, results: Answer } as const;
const read = { ...shared, method: "GET", parameters: {} } as const;
const write = { ...shared, method: "POST", parameters: {}, safe: false } as const;

/** A page: `page` from 1, `offset` records each. */
const paging = {
  page: z._default(between(1, 1_000_000), 1),
  offset: z._default(between(1, 10_000), 1000),
};

const topic = z.optional(hash);
/** How two topics are joined. */
const operand = z.optional(z.enum(["and", "or"]));

/** The libraries of a single file. */
const libraries = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [
    [`libraryname${index + 1}`, optional],
    [`libraryaddress${index + 1}`, optional],
  ]).flat(),
) as Record<`library${"name" | "address"}${number}`, typeof optional>;

export const etherscanOperations = {
  getabi: operation({
    ...read,
    id: "getabi",
    name: "contract.getabi",
    path: "/etherscan/contract/getabi",
    query: { address },
  }),
  getsourcecode: operation({
    ...read,
    id: "getsourcecode",
    name: "contract.getsourcecode",
    path: "/etherscan/contract/getsourcecode",
    query: { address },
  }),
  getcontractcreation: operation({
    ...read,
    id: "getcontractcreation",
    name: "contract.getcontractcreation",
    path: "/etherscan/contract/getcontractcreation",
    query: { contractaddresses: text },
  }),
  verifysourcecode: operation({
    ...write,
    id: "verifysourcecode",
    name: "contract.verifysourcecode",
    path: "/etherscan/contract/verifysourcecode",
    body: {
      contractaddress: address,
      sourceCode: text,
      contractname: text,
      compilerversion: text,
      codeformat: optional,
      // Etherscan's spelling, and that of tools which send both.
      constructorArguements: optional,
      constructorArguments: optional,
      optimizationUsed: optional,
      runs: optional,
      evmversion: optional,
      ...libraries,
    },
  }),
  checkverifystatus: operation({
    ...read,
    id: "checkverifystatus",
    name: "contract.checkverifystatus",
    path: "/etherscan/contract/checkverifystatus",
    query: { guid: text },
  }),
  verifyproxycontract: operation({
    ...write,
    id: "verifyproxycontract",
    name: "contract.verifyproxycontract",
    path: "/etherscan/contract/verifyproxycontract",
    body: { address, expectedimplementation: z.optional(address) },
  }),
  checkproxyverification: operation({
    ...read,
    id: "checkproxyverification",
    name: "contract.checkproxyverification",
    path: "/etherscan/contract/checkproxyverification",
    query: { guid: text },
  }),
  getLogs: operation({
    ...read,
    id: "getLogs",
    name: "logs.getLogs",
    path: "/etherscan/logs/getLogs",
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
  txlist: operation({
    ...read,
    id: "txlist",
    name: "account.txlist",
    path: "/etherscan/account/txlist",
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

/** The operation of the specification that each stands for: faults of that one strike it. */
export const standsFor: { readonly [Action in EtherscanAction]: OperationId } = {
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
