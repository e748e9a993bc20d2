// Contracts: ABI and source of a verified contract, and the submission of a source (C1 to C3).

import { describe } from "../../src/models/issues.ts";
import type { ContractVerification } from "../chain/records.ts";
import { ServiceError } from "../message/api.ts";
import { decimal, lower, time } from "./format.ts";
import type { OperationHandler } from "./handler.ts";
import { abiOf } from "./verified-abi.ts";

/**
 * Returns the ABI of a verified contract. The error for any other contract has HTTP status 200
 * (S2).
 */
export const C1: OperationHandler<"C1"> = (chain, { contract_hash }) => {
  const contract = chain.verified(lower(contract_hash));
  if (contract === undefined) throw new ServiceError(200, "contract is not yet verified", {});
  return { data: abiOf(contract) };
};

/** Fields that are null in the record of an account without a verified source. */
const UNVERIFIED = {
  ...{ logo: null, compiler: null, libraries: null, verify_date: null, contract_name: null },
  ...{ runs_optimizer: null, optimization_enabled: null, contract_abi: null },
  ...{ contract_source: null, constructor_arguments: null, swam_source: null },
  ...{ verify_status: null, verify_message: null },
} as const;

/**
 * Returns a record for any address: its code ("0x" if it has none) and its verified source, if any
 * (S2).
 */
export const C2: OperationHandler<"C2"> = (chain, { contract_hash }) => {
  const address = lower(contract_hash);
  const contract = chain.verified(address);
  if (contract === undefined)
    return { data: { ...UNVERIFIED, address, contract_code: chain.code(address) } };
  return {
    data: {
      address: contract.address,
      logo: null,
      compiler: contract.compiler,
      libraries: JSON.stringify(contract.libraries),
      verify_date: time(contract.verifiedAt),
      contract_name: contract.contractName,
      runs_optimizer: decimal(contract.runs),
      optimization_enabled: contract.optimizationEnabled ? "1" : "0",
      contract_code: contract.code,
      contract_abi: abiOf(contract),
      contract_source: contract.source,
      constructor_arguments: contract.constructorArguments,
      swam_source: contract.swarmSource,
      verify_status: "1",
      verify_message: contract.message ?? null,
      ...proofOf(contract),
    },
  };
};

/**
 * Returns how much of a source is proven (S35). Returns no fields for a source that was loaded as
 * verified, because its proof is unknown.
 */
const proofOf = ({ level, uncovered = [] }: Pick<ContractVerification, "level" | "uncovered">) =>
  level === undefined ? {} : { verify_level: level, verify_uncovered: [...uncovered] };

/** Base64, with the line breaks that encoders write. */
const BASE64 = /^[\w+/\s-]*(?:=\s*){0,2}$/;

/**
 * Verifies a source. A rejected source still gets HTTP status 200 (S18), a missing verdict 429 or
 * 503 (S36).
 */
export const C3: OperationHandler<"C3"> = async (
  chain,
  { contract_hash, ...submission },
  { verify },
  request,
) => {
  if (verify === undefined)
    throw new ServiceError(
      501,
      "this service has no compiler: source code cannot be verified here",
    );
  if (!BASE64.test(submission.contract_source))
    throw new ServiceError(
      400,
      `contract_source: expected base64, received ${describe(submission.contract_source)}`,
    );
  const contract = lower(contract_hash);
  if (chain.code(contract) === "0x")
    throw new ServiceError(404, `contract_hash: no contract at ${contract_hash}`);
  const verdict = await verify(contract, submission, request);
  if (verdict.verified === null) {
    const { cause, message, retryAfter } = verdict;
    throw new ServiceError(
      cause === "submitter" ? 429 : 503,
      `${message}; nothing was recorded`,
      null,
      { "retry-after": `${retryAfter}` },
    );
  }
  if (!verdict.verified) throw new ServiceError(200, verdict.message, { data: "0" });
  return { data: "1", ...proofOf(verdict.contract), verify_message: verdict.message };
};
