// An API of the service as data: its operations, who answers each, and what that reads of the state at the head. The dispatcher serves any.

import type { SpokenOperation } from "../../src/contract/dialect.ts";
import type {
  AnyOperation,
  OperationArguments,
  OperationResultsWire,
} from "../../src/contract/index.ts";
import type { HeadRead } from "../chain/live-chain.ts";
import type { ServiceRequest, ServiceResponse } from "./message.ts";

/** Operations by id. */
export type OperationTable<Id extends string = string> = { readonly [Key in Id]: AnyOperation };

/** Results that are JSON already, for handlers that write it faster than `JSON.stringify` does, or in another way. */
export class WrittenResults<Results> {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** The results themselves. */
  parse(): Results {
    return JSON.parse(this.json);
  }
}

/** Results, or their JSON where that costs less. */
type HandlerResults<Results> = Results | WrittenResults<Results>;

/**
 * Answers an operation; `services` is what it needs besides the chain. Throws a {@link ServiceError} for what is no success. It returns a
 * promise only where it waits.
 */
export type Handler<Op extends AnyOperation, Chain, Services> = (
  chain: Chain,
  input: OperationArguments<Op>,
  services: Services,
  request: ServiceRequest,
) => HandlerResults<OperationResultsWire<Op>> | Promise<HandlerResults<OperationResultsWire<Op>>>;

/** A handler for each operation; a missing or ill-typed one does not compile. */
export type HandlerTable<Table extends OperationTable, Chain, Services> = {
  readonly [Id in keyof Table]: Handler<Table[Id], Chain, Services>;
};

/** What an operation reads of the state at the head, the most important first. It may depend on what earlier reads returned to the chain. */
export type Reads<Op extends AnyOperation, Chain> = (
  chain: Chain,
  input: OperationArguments<Op>,
) => Iterable<HeadRead>;

/** What each operation reads of the state at the head; null if it reads blocks and verified sources alone. */
export type HeadReads<Table extends OperationTable, Chain> = {
  readonly [Id in keyof Table]: Reads<Table[Id], Chain> | null;
};

/** An API, as the dispatcher serves it. */
export interface Api<Id extends string, Chain, Services> {
  readonly operations: OperationTable<Id>;
  readonly handlers: {
    readonly [Key in Id]: (
      chain: Chain,
      input: never,
      services: Services,
      request: ServiceRequest,
    ) => unknown;
  };
  /** Left out where no operation reads it. */
  readonly headReads?: {
    readonly [Key in Id]: ((chain: Chain, input: never) => Iterable<HeadRead>) | null;
  };
  /** Parameters that the operation does not have: ignored and noted (S5), or refused as typing mistakes. */
  readonly unknownParameters: "ignored" | "refused";
  /** The values of all levels in the JSON of a body. */
  readonly maxValues: number;
  /** The operations whose answers may lack what is in traces. */
  readonly traced?: ReadonlySet<Id>;
  /** How long an answer waits for a node, in milliseconds: then it has what is known. Without it, it waits for all. */
  readonly patienceMs?: number;
  /** Where what was once at a path is now. */
  readonly formerly?: (path: string) => string | undefined;
  /** How the API says an operation in another dialect; the operations are that dialect's then. */
  readonly spoken?: (id: Id) => SpokenOperation | undefined;
  /** The response to an error in a form of the API's own; undefined for the envelope of S1. */
  readonly refusal?: (error: ServiceError) => ServiceResponse | undefined;
}

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
