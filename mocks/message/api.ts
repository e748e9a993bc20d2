// The types of operations and their handlers, and what a handler produces: results, written JSON,
// or an error.
import type {
  AnyOperation,
  OperationArguments,
  OperationResultsWire,
} from "../../src/contract/index.ts";
import type { HeadRead } from "../chain/live-chain.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ServiceRequest } from "./message.ts";

/** Operations by id. */
export type OperationTable = Readonly<Record<string, AnyOperation>>;

/**
 * Maximum size of an answer, in characters of its texts. A client reads as much by default
 * (`maxResponseBytes`).
 */
export const MAX_ANSWER = 32 * 2 ** 20;

/** Returns the error for an answer that is too large, of which `fitting` records fit. */
export function answerTooLarge(fitting: number, advice = `limit=${fitting}`): ServiceError {
  const advised =
    fitting > 0 ? `ask for fewer records, such as ${advice}` : "one record alone exceeds it";
  return new ServiceError(400, `the answer: expected at most ${MAX_ANSWER} characters; ${advised}`);
}

/**
 * Results that are JSON already, for a handler that writes it in parts or with decimal strings for
 * bigints.
 */
export class WrittenResults<Results> {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  parse(): Results {
    return JSON.parse(this.json);
  }
}

type HandlerResults<Op extends AnyOperation> =
  | OperationResultsWire<Op>
  | WrittenResults<OperationResultsWire<Op>>;

/** Answers an operation from a chain. Throws a {@link ServiceError} for every failure. */
export type Handler<Op extends AnyOperation, Services> = (
  chain: ChainReader,
  input: OperationArguments<Op>,
  services: Services,
  request: ServiceRequest,
) => HandlerResults<Op> | Promise<HandlerResults<Op>>;

/** A handler for each operation. A missing or ill-typed handler does not compile. */
export type HandlerTable<Table extends OperationTable, Services> = {
  readonly [Id in keyof Table]: Handler<Table[Id], Services>;
};

/**
 * Lists the state at the head that an operation reads, the most important first. A later read may
 * depend on what earlier ones returned to the chain.
 */
export type Reads<Op extends AnyOperation, Chain = ChainReader> = (
  chain: Chain,
  input: OperationArguments<Op>,
) => Iterable<HeadRead>;

/** The reads of each operation; null if it reads only blocks and verified sources. */
export type HeadReads<Table extends OperationTable, Chain = ChainReader> = {
  readonly [Id in keyof Table]: Reads<Table[Id], Chain> | null;
};

/**
 * A response that is not a success: an HTTP status, and the message of the envelope. Business
 * failures (S2, S18) have HTTP status 200, as deployments send them.
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
