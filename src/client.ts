// ExplorerClient: the operations of the contract as methods, grouped by resource.
import {
  type AnyOperation,
  type OperationInput,
  type OperationResults,
  operations,
} from "./contract/index.ts";
import {
  type Methods,
  type OperationReference,
  operationIdOf,
  operationKeys,
  type ReferencedOperation,
} from "./contract/operation-names.ts";
import { ParameterError } from "./errors/index.ts";
import type { Call, RequestOptions, ResultPromise } from "./http/call.ts";
import type { RateLimiter } from "./http/rate-limiter.ts";
import { toResultPromise } from "./http/result-promise.ts";
import { createTransport } from "./http/transport.ts";
import { Accounts } from "./resources/accounts.ts";
import { Blocks } from "./resources/blocks.ts";
import { Contracts } from "./resources/contracts.ts";
import { EventLogs } from "./resources/event-logs.ts";
import { Tokens } from "./resources/tokens.ts";
import { Transactions } from "./resources/transactions.ts";
import { derivedOptions, type ExplorerClientOptions, resolveSettings } from "./settings.ts";

/** Whether a value has the properties of an operation that a call reads. */
function isDefinition(value: unknown): value is AnyOperation {
  const { path, places, input, results } = Object(value);
  return (
    typeof path === "string" &&
    [input, results].every((schema) => "_zod" in Object(schema)) &&
    ["path", "query", "body"].every((place) => Array.isArray(Object(places)[place]))
  );
}

/** Finds an operation by method name or number, or returns the caller's own definition. */
function findOperation(reference: OperationReference): AnyOperation {
  const id = typeof reference === "string" ? operationIdOf(reference) : undefined;
  if (id) return operations[id];
  if (isDefinition(reference)) return reference;
  const expected = `one of ${operationKeys.join(", ")}, or the definition of an operation`;
  throw new ParameterError("Invalid parameters for request", [
    { path: ["operation"], expected, received: reference },
  ]);
}

/**
 * A client of one MRC block-explorer service.
 *
 * Every method checks its parameters, respects the rate limit, retries transient failures,
 * validates the response and returns decoded values: `bigint` for amounts, gas, block numbers and
 * token ids, `number` for counts and indexes, `Date` for times. Every result has `.withResponse()`.
 *
 * Every method rejects with an {@link ExplorerError}: {@link ParameterError} for invalid
 * parameters, before a request is sent; {@link ConnectionError} or {@link TimeoutError} without a
 * response; {@link AuthenticationError}, {@link InvalidRequestError}, {@link RateLimitError},
 * {@link ServerError} or another {@link ApiError} for an error response; {@link
 * ResponseValidationError} for a response that does not match the specification. When aborted, it
 * rejects with the signal's own reason. The docs of each method name only further errors.
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
  readonly #options: ExplorerClientOptions;
  readonly #limiter: RateLimiter;

  /**
   * Creates a client. This sends no request, and a client need not be closed.
   *
   * @throws {@link ParameterError} that names every invalid option, and a missing URL or API key
   * @example
   * const explorer = new ExplorerClient({ baseUrl: "https://explorer.example.com", apiKey: process.env.EXPLORER_API_KEY });
   */
  constructor(options: ExplorerClientOptions = {}) {
    const settings = resolveSettings(options);
    const call = createTransport(settings);
    this.#call = call;
    this.#baseUrl = settings.baseUrl.href;
    this.#options = { ...options };
    this.#limiter = settings.limiter;
    this.tokens = new Tokens(call);
    this.accounts = new Accounts(call, settings.validation);
    this.transactions = new Transactions(call);
    this.contracts = new Contracts(call);
    this.blocks = new Blocks(call);
    this.eventLogs = new EventLogs(call);
  }

  /**
   * Calls any operation and returns its decoded results as received, for cases that the methods do
   * not cover. Name the operation by its method, by its number in the API documentation, or by its
   * definition: one of {@link operations}, or your own definition.
   *
   * It rejects like the operation's method; an error response is always an {@link ApiError}.
   *
   * @example
   * const { data } = await explorer.request("A2", { address_hash: address, limit: 1 });
   *
   * @example
   * const { data } = await explorer.request(operations.T4, { contract_hash: token });
   */
  request<const Reference extends OperationReference>(
    operation: Reference,
    input: OperationInput<ReferencedOperation<Reference>>,
    options?: RequestOptions,
  ): ResultPromise<OperationResults<ReferencedOperation<Reference>>>;
  request(
    operation: OperationReference,
    input: OperationInput<AnyOperation>,
    options?: RequestOptions,
  ): ResultPromise<OperationResults<AnyOperation>> {
    const call = async () => {
      return this.#call(findOperation(operation), input, options);
    };
    return toResultPromise(call());
  }

  /**
   * Returns a client with the same options, except for the options that you pass. It shares this
   * client's rate limiter unless you set `baseUrl`, `apiKey`, `concurrency` or `rateLimit`. An
   * option that is `undefined` gets its default.
   *
   * @throws {@link ParameterError} if an option is invalid
   * @example
   * const patient = explorer.withOptions({ timeout: 60_000, retry: 5 });
   * const transactions = await patient.accounts.transactions(address).collect();
   */
  withOptions(options: ExplorerClientOptions): ExplorerClient {
    return new ExplorerClient(derivedOptions(this.#options, options, this.#limiter));
  }

  /** Returns the client as JSON, without its API key. */
  toJSON(): { readonly baseUrl: string } {
    return { baseUrl: this.#baseUrl };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `ExplorerClient { baseUrl: ${JSON.stringify(this.#baseUrl)} }`;
  }
}
