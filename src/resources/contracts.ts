// The questions about contracts, and their verification: C1 to C3.

import { operations } from "../contract/index.ts";
import { VerificationError } from "../errors/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "../http/call.ts";
import { toResponsePromise } from "../http/response-promise.ts";
import type { VerifiedContract } from "../models/contract.ts";
import type { Address, Status } from "../models/primitives.ts";
import { type Abi, toAbi } from "./abi.ts";
import { callOperation } from "./call-operation.ts";
import { submissionInput, type VerificationSubmission } from "./submission.ts";

/** Questions about contracts, and their verification (C1 to C3). */
export class Contracts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The ABI of a verified contract (C1) in the form of viem: without the service's nulls, `payable` and `constant`, see {@link toAbi}. The entries
   * as the service sends them (specification 2.10) are those of `explorer.request("C1", { contract_hash })`. A {@link NotVerifiedError} if
   * the contract is not verified, or not there.
   *
   * @example
   * const abi = await explorer.contracts.abi(token);
   * const { eventName, args } = decodeEventLog({ abi, data: log.data, topics });
   */
  abi(contract: Address, options?: RequestOptions): AnswerPromise<Abi> {
    return callOperation(
      this.#call,
      operations.C1,
      { contract_hash: contract },
      options,
      async ({ data }) => {
        return toAbi(data);
      },
    );
  }

  /**
   * Source, ABI and compiler settings of a verified contract (C2); all but `address` may be null. A {@link NotVerifiedError} if the contract
   * is not verified, or not there.
   *
   * @example
   * const { contract_name, compiler } = await explorer.contracts.code(token);
   * contract_name; // "AuroraToken"
   */
  code(contract: Address, options?: RequestOptions): AnswerPromise<VerifiedContract> {
    return callOperation(
      this.#call,
      operations.C2,
      { contract_hash: contract },
      options,
      ({ data }) => data,
    );
  }

  /**
   * Submits the source of a contract for verification (C3) and answers "1" once it is verified; otherwise a {@link VerificationError}
   * whose `reason` says what differs, a {@link NotFoundError} if there is no contract. It is sent again only if surely nothing was sent before. The service compiles meanwhile: an attempt
   * may take 90 seconds, unless a `timeout` is given.
   *
   * @example
   * await explorer.contracts.verify(contract, {
   *   contract_name: "Market",
   *   compiler: "v0.8.20+commit.a1b79de6",
   *   runs_optimizer: 200,
   *   optimization_enabled: false,
   *   source: await readFile("Market.sol", "utf8"),
   * });
   */
  verify(
    contract: Address,
    submission: VerificationSubmission,
    options?: RequestOptions,
  ): AnswerPromise<Status> {
    const verify = async () => {
      const input = submissionInput(contract, submission);
      const {
        data: { data },
        response,
      } = await this.#call(operations.C3, input, options);
      if (data.trim() === "1") return { data, response };
      throw new VerificationError("The source was not accepted", {
        operation: "C3",
        attempts: 1,
        httpStatus: response.status,
        lines: [`Results: ${JSON.stringify(data.slice(0, 100))}`],
      });
    };
    return toResponsePromise(verify());
  }
}
