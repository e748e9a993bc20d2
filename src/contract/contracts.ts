// Operations on contracts: C1 to C3 (specification 4.4).
import * as z from "zod/mini";
import { abi, Verification, VerifiedContract } from "../models/contract.ts";
import { list } from "../models/model.ts";
import { address, text, wholeNumber } from "../models/primitives.ts";
import { dataOf, operation } from "./operation.ts";
import { paths } from "./paths.ts";

const parameters = { contract_hash: address };

export const contracts = {
  C1: operation({
    id: "C1",
    name: "contracts.abi",
    path: paths.C1,
    parameters,
    results: dataOf(abi()),
    finality: "verified",
    failure: "not-verified",
  }),
  C2: operation({
    id: "C2",
    name: "contracts.code",
    path: paths.C2,
    parameters,
    results: dataOf(VerifiedContract),
    finality: "verified",
    failure: "not-verified",
  }),
  C3: operation({
    id: "C3",
    name: "contracts.verify",
    method: "POST",
    path: paths.C3,
    parameters,
    body: {
      contract_name: text,
      compiler: text,
      runs_optimizer: wholeNumber(),
      optimization_enabled: wholeNumber("an integer: 1 for on, 0 for off"),
      contract_source: text,
      constructor_arguments: text,
      evm_version: z.optional(text),
      libraries: z.optional(list(z.object({ name: text, address }))),
    },
    results: Verification,
    safe: false,
    // The service compiles the source, which takes long.
    timeout: 90_000,
    failure: "verdict",
  }),
};
