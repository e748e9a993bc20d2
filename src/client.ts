// ExplorerClient: the operations of the contract as methods, grouped by resource.
import {
  type AnyOperation,
  type OperationId,
  type OperationInput,
  type OperationResults,
  type Operations,
  operations,
} from "./contract/index.ts";
import { ParameterError } from "./errors/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "./http/call.ts";
import { toResponsePromise } from "./http/response-promise.ts";
import { createTransport } from "./http/transport.ts";
import { Accounts } from "./resources/accounts.ts";
import { Blocks } from "./resources/blocks.ts";
import { Contracts } from "./resources/contracts.ts";
import { EventLogs } from "./resources/event-logs.ts";
import { Tokens } from "./resources/tokens.ts";
import { Transactions } from "./resources/transactions.ts";
import { type ExplorerClientOptions, resolveSettings } from "./settings.ts";

/** The definition that is meant; only a program without types can name one that there is not. */
function operationOf(asked: OperationId | AnyOperation): AnyOperation {
  if (typeof asked !== "string") return asked;
  if (Object.hasOwn(operations, asked)) return operations[asked];
  const expected = `one of ${Object.keys(operations).join(", ")}`;
  throw new ParameterError("Nothing was sent", [
    { path: ["operation"], expected, received: asked },
  ]);
}

type OperationName = Operations[keyof Operations]["name"];

/** A method for every operation of the contract, where its name says. */
type Methods = {
  readonly [Resource in OperationName extends `${infer R}.${string}` ? R : never]: {
    readonly [Name in OperationName as Name extends `${Resource}.${infer Action}`
      ? Action
      : never]: (...args: never[]) => unknown;
  };
};

/**
 * A client of one MRC block-explorer service.
 *
 * Every method checks its parameters before anything is sent, waits its turn, retries what may pass, checks the answer and gives
 * decoded values: `bigint` for amounts, gas, block numbers and token ids, `number` for counts and indexes, `Date` for times. Every result
 * has `.withResponse()`.
 *
 * Every method rejects with an {@link ExplorerError}: {@link ParameterError} before anything is sent; {@link ConnectionError} or
 * {@link TimeoutError} if no answer came; {@link AuthenticationError}, {@link InvalidRequestError}, {@link RateLimitError},
 * {@link ServerError} or another {@link ApiError} if the service refused; {@link ResponseValidationError} if its answer is not as specified.
 * Aborted, it rejects with the signal's own reason. A method names only what it adds to these.
 *
 * @example
 * const explorer = new ExplorerClient({ baseUrl: "https://explorer.example.com", apiKey: process.env.EXPLORER_API_KEY });
 * const balance = await explorer.accounts.balance("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
 */
export class ExplorerClient implements Methods {
  /** Tokens: T1 to T4. */
  readonly tokens: Tokens;
  /** Accounts: A1 to A10. */
  readonly accounts: Accounts;
  /** Transactions: X1 to X3. */
  readonly transactions: Transactions;
  /** Contracts: C1 to C3. */
  readonly contracts: Contracts;
  /** Blocks: B1. */
  readonly blocks: Blocks;
  /** Event logs: L1. */
  readonly eventLogs: EventLogs;
  readonly #call: Call;
  readonly #baseUrl: string;

  /** @throws {@link ParameterError} where an option cannot work, or the address or the key is missing. Nothing is sent. */
  constructor(options: ExplorerClientOptions = {}) {
    const settings = resolveSettings(options);
    const call = createTransport(settings);
    this.#call = call;
    this.#baseUrl = settings.baseUrl.href;
    this.tokens = new Tokens(call);
    this.accounts = new Accounts(call);
    this.transactions = new Transactions(call);
    this.contracts = new Contracts(call);
    this.blocks = new Blocks(call);
    this.eventLogs = new EventLogs(call);
  }

  /**
   * Asks any operation of the contract, by its number in the specification, and gives its results as they stand in the answer,
   * decoded: the way to what the methods leave out. It rejects as the method of the operation does; an answer that is no success is
   * always an {@link ApiError}.
   *
   * @example
   * const { count, data } = await explorer.request("A2", { address_hash: address, limit: 1 });
   */
  request<Id extends OperationId>(
    operation: Id,
    input: OperationInput<Operations[Id]>,
    options?: RequestOptions,
  ): AnswerPromise<OperationResults<Operations[Id]>>;
  /**
   * Asks an operation by its definition: one of {@link operations}, or one of your own of the same form.
   *
   * @example
   * const { data } = await explorer.request(operations.T4, { contract_hash: token });
   */
  request<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options?: RequestOptions,
  ): AnswerPromise<OperationResults<Op>>;
  request(
    asked: OperationId | AnyOperation,
    input: OperationInput<AnyOperation>,
    options?: RequestOptions,
  ): AnswerPromise<OperationResults<AnyOperation>> {
    const ask = async () => this.#call(operationOf(asked), input, options);
    return toResponsePromise(ask());
  }

  /** What may be printed of a client: not its key. */
  toJSON(): { readonly baseUrl: string } {
    return { baseUrl: this.#baseUrl };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `ExplorerClient { baseUrl: ${JSON.stringify(this.#baseUrl)} }`;
  }
}
