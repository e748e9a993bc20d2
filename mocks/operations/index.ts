// The API of the specification: the contract's operations, and who answers each.

import {
  type ConformanceError,
  type JudgedResponse,
  responseViolation,
} from "../../src/contract/conformance.ts";
import { checkedDialect } from "../../src/contract/define-dialect.ts";
import { type Dialect, speakerOf } from "../../src/contract/dialect.ts";
import { type DialectName, dialects } from "../../src/contract/dialects.ts";
import { isEnvelope, RESULTS } from "../../src/contract/envelope.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { jsonIn } from "../../src/models/json.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Api } from "../message/api.ts";
import { MAX_BODY_VALUES } from "../message/message.ts";
import { type RouteMatch, Router } from "../service/router.ts";
import * as accounts from "./accounts.ts";
import { B1 } from "./blocks.ts";
import * as contracts from "./contracts.ts";
import * as eventLogs from "./event-logs.ts";
import type { OperationHandlers, Services } from "./handler.ts";
import { headReads } from "./head-reads.ts";
import * as tokens from "./tokens.ts";
import * as transactions from "./transactions.ts";

/** The handlers by the number of their operation. */
export const operationHandlers: OperationHandlers = {
  ...tokens,
  ...accounts,
  ...transactions,
  ...contracts,
  B1,
  ...eventLogs,
};

/** A body of an explorer of a dialect, under the specification's names. */
function specified(text: string, read: ((json: unknown) => unknown) | undefined): string {
  const json = read && jsonIn(text);
  if (read === undefined || json === undefined) return text;
  const hasResults = isEnvelope(json) && RESULTS in json;
  return JSON.stringify(hasResults ? { ...json, [RESULTS]: read(json[RESULTS]) } : read(json));
}

/** The service in a dialect, and what transports ask of it. */
export class ServedOperations {
  readonly api: Api<OperationId, ChainReader, Services>;
  /** What the paths of operations begin with. */
  readonly prefix: string;
  readonly needsKey: boolean;
  readonly #router: Router<OperationId>;

  constructor(given: DialectName | Dialect = "metadium") {
    const dialect = typeof given === "string" ? dialects[given] : checkedDialect(given);
    this.api = dialect === dialects.metadium ? service : serviceIn(dialect);
    this.prefix = dialect.prefix;
    this.needsKey = dialect.key === "required";
    this.#router = new Router(this.api.operations);
  }

  /** The route of a request, by method and target (path and query), if it is for an operation. */
  match(method: string, target: string): RouteMatch<OperationId> | undefined {
    const [path = ""] = target.split("?", 1);
    return this.#router.match(method, path);
  }

  /** The operation that a request is for, if there is one. */
  operationOf(method: string, target: string): OperationId | undefined {
    return this.match(method, target)?.route.id;
  }

  /** How a response to an operation violates the contract, if it does. */
  violationIn(
    id: OperationId,
    target: string,
    { text, ...response }: JudgedResponse,
  ): ConformanceError | undefined {
    const read = this.api.spoken?.(id)?.fields?.read;
    return responseViolation(id, target, { ...response, text: specified(text, read) });
  }
}

/** The service in another dialect. */
function serviceIn(dialect: Dialect): Api<OperationId, ChainReader, Services> {
  const speak = speakerOf(dialect);
  const spoken = (id: OperationId) => speak(operations[id]);
  const ids = Object.keys(operations) as OperationId[];
  const theirs = ids.map((id) => [id, spoken(id)?.operation ?? operations[id]] as const);
  return {
    ...service,
    operations: Object.fromEntries(theirs) as typeof service.operations,
    spoken,
  };
}

/** `/v1`. */
export const service: Api<OperationId, ChainReader, Services> = {
  operations,
  handlers: operationHandlers,
  headReads,
  unknownParameters: "ignored",
  maxValues: MAX_BODY_VALUES,
  traced: new Set<OperationId>(["A3", "X3"]),
  // A public client of Metadium's testnet still asks there.
  formerly: (path) =>
    /^\/mrc-(20|721)\/[^/]+\/token-transfer$/.test(path)
      ? `a contract's transfers are in its event logs, GET ${operations.L1.path} (L1), an account's at GET ${operations.A4.path} (A4) and GET ${operations.A5.path} (A5)`
      : undefined,
};
