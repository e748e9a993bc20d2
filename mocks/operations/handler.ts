// What answers an operation: a function of the chain and the checked input, with no notion of HTTP beyond a status.
import type {
  OperationArguments,
  OperationId,
  OperationResultsWire,
  Operations,
} from "../../src/contract/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address } from "../chain/records.ts";

/** What an operation is asked, checked and with defaults filled in. */
export type OperationArgumentsOf<Id extends OperationId> = OperationArguments<Operations[Id]>;
/** The results as they go over the wire. */
export type OperationResultsOf<Id extends OperationId> = OperationResultsWire<Operations[Id]>;

/** Submits a source for verification (C3): undefined if it is proven (and now recorded), else the reason why not. */
export type Verify = (
  contract: Address,
  submission: Omit<OperationArgumentsOf<"C3">, "contract_hash">,
) => Promise<string | undefined>;

/** Abilities that come from outside the chain; without one, the operation that needs it answers 501. */
export interface Services {
  readonly verify?: Verify | undefined;
}

/** Answers one operation from a chain. */
export type OperationHandler<Id extends OperationId> = (
  chain: ChainReader,
  asked: OperationArgumentsOf<Id>,
  services: Services,
) => OperationResultsOf<Id> | Promise<OperationResultsOf<Id>>;

/** One handler for each operation of the contract: a missing or ill-typed one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: OperationHandler<Id> };

/**
 * An answer that is not a success: the HTTP status, and a message in the envelope.
 * Business failures (S2, S18) have HTTP status 200, as deployments answer them.
 */
export class ServiceError extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly results: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    results: unknown = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.results = results;
    this.headers = headers;
  }
}
