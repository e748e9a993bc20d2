// The methods on contracts and their verification: C1 to C3.

import { type OperationResults, type Operations, operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { VerificationError } from "../errors/index.ts";
import { excerpt, loadRedaction, redactionOf } from "../errors/redact.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import { pickResult, toResultPromise } from "../http/result-promise.ts";
import type { Verification, VerifiedContract } from "../models/contract.ts";
import type { Address } from "../models/primitives.ts";
import type { Abi } from "./abi.ts";
import type { VerificationSubmission } from "./submission.ts";

/** Contracts: ABI, source, verification (C1 to C3). */
export class Contracts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the ABI of a verified contract (C1) in the form that viem accepts, without the
   * service's nulls, `payable` and `constant`: see {@link toAbi}. For the entries as the service
   * sends them, call `explorer.request("C1", { contract_hash })`. Rejects with a {@link
   * NotVerifiedError} if the contract is not verified, or does not exist.
   *
   * @example
   * const abi = await explorer.contracts.abi(token);
   * const { eventName, args } = decodeEventLog({ abi, data: log.data, topics });
   */
  abi(contract: Address, options?: RequestOptions): ResultPromise<Abi> {
    const results = this.#call(operations.C1, { contract_hash: contract }, options);
    return pickResult(
      results, // Loaded on first use, like the code of `verify`, because most programs need neither.
      async ({ data }) => (await loadCode(() => import("./abi.ts"))).toAbi(data),
    );
  }

  /**
   * Returns the source, ABI and compiler settings of a verified contract (C2). Every field except
   * `address` may be null. Rejects with a {@link NotVerifiedError} if the contract is not
   * verified, or does not exist.
   *
   * @example
   * const { contract_name, compiler } = await explorer.contracts.code(token);
   * contract_name; // "AuroraToken"
   */
  code(contract: Address, options?: RequestOptions): ResultPromise<VerifiedContract> {
    const results = this.#call(operations.C2, { contract_hash: contract }, options);
    return pickResult(results, ({ data }) => data);
  }

  /**
   * Submits the source of a contract for verification (C3), and resolves once the contract is
   * verified: `data` is "1", and the server of this package adds how much is proven
   * (`verify_level`). Rejects with a {@link VerificationError} whose `reason` says what differs, or
   * with a {@link NotFoundError} if the contract does not exist. Retries only if the connection was
   * never established, or if the service asks for it (429 or 503 with `Retry-After`), because in
   * both cases the service has recorded nothing. `timeout` defaults to 90 seconds, because the
   * service compiles the source.
   *
   * @example
   * const { verify_level } = await explorer.contracts.verify(contract, {
   *   contract_name: "Market",
   *   compiler: "v0.8.20+commit.a1b79de6",
   *   runs_optimizer: 200,
   *   optimization_enabled: false,
   *   source: await readFile("Market.sol", "utf8"),
   * });
   * verify_level; // "exact", "partial", or undefined if the server does not say
   */
  verify(
    contract: Address,
    submission: VerificationSubmission,
    options?: RequestOptions,
  ): ResultPromise<Verification> {
    const verify = async () => {
      const { submissionInput } = await loadCode(() => import("./submission.ts"));
      const input = submissionInput(contract, submission);
      const { data, response } = await this.#call(operations.C3, input, options);
      return { data: await verified(data, response), response };
    };
    return toResultPromise(verify());
  }
}

/** Returns the results of C3. Throws a {@link VerificationError} if their status is not "1". */
export async function verified(
  results: OperationResults<Operations["C3"]>,
  response: Response,
): Promise<Verification> {
  // With lenient validation, the status may be any value.
  const data = String(results.data).trim();
  if (data === "1") return { ...results, data };
  await loadRedaction();
  throw new VerificationError("Verification failed", {
    operation: operations.C3.id,
    operationName: operations.C3.name,
    attempts: 1,
    httpStatus: response.status,
    lines: [`Results: ${JSON.stringify(excerpt(data, redactionOf.get(response) ?? String, 100))}`],
  });
}
