// What an operation's handler is: a function of the chain and the checked parameters that knows no HTTP beyond a status.
import type {
  OperationArguments,
  OperationId,
  OperationResultsWire,
  Operations,
} from "../../src/contract/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address } from "../chain/records.ts";
import type { ServiceRequest } from "../message.ts";
import type { InputSubmission, Submission, Verdict } from "../verification/port.ts";
import type { WrittenResults } from "./written-results.ts";

/** The parameters of an operation, checked and with defaults filled in. */
export type OperationArgumentsOf<Id extends OperationId> = OperationArguments<Operations[Id]>;
/** The results as JSON. */
export type OperationResultsOf<Id extends OperationId> = OperationResultsWire<Operations[Id]>;

/** Verifies a source, and records it unless a better proof is recorded; `request` is for whose turn it is, and until when they wait. */
export type Verify = (
  contract: Address,
  submission: Submission | InputSubmission,
  request: Pick<ServiceRequest, "headers" | "signal">,
) => Promise<Verdict>;

/** What handlers need beside the chain; an operation without its service responds 501. */
export interface Services {
  readonly verify?: Verify | undefined;
}

/** Results, or their JSON where that costs less. */
type Answer<Results> = Results | WrittenResults<Results>;

/** Computes the results of one operation from a chain; `request` is for who asks, and until when. */
export type OperationHandler<Id extends OperationId> = (
  chain: ChainReader,
  parameters: OperationArgumentsOf<Id>,
  services: Services,
  request: ServiceRequest,
) => Answer<OperationResultsOf<Id>> | Promise<Answer<OperationResultsOf<Id>>>;

/** One handler for each operation of the contract; a missing or ill-typed one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: OperationHandler<Id> };

/**
 * A response that is not a success: an HTTP status, and the message of the envelope. Business failures (S2, S18) have HTTP status 200, as
 * deployments send them.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
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
