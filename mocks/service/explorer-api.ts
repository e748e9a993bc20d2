// The API of the specification, in the dialect of an explorer.
import { resultsViolation } from "../../src/contract/conformance.ts";
import { defineDialect } from "../../src/contract/define-dialect.ts";
import { type Dialect, translatorOf } from "../../src/contract/dialect.ts";
import { type DialectName, dialectNames, dialects } from "../../src/contract/dialects.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";
import { describe } from "../../src/models/issues.ts";
import { didYouMean } from "../../src/models/suggest.ts";
import { ServiceError } from "../message/api.ts";
import { MAX_BODY_VALUES } from "../message/message.ts";
import * as accounts from "../operations/accounts.ts";
import { B1 } from "../operations/blocks.ts";
import * as contracts from "../operations/contracts.ts";
import * as eventLogs from "../operations/event-logs.ts";
import type { OperationHandlers } from "../operations/handler.ts";
import { headReads } from "../operations/head-reads.ts";
import * as tokens from "../operations/tokens.ts";
import * as transactions from "../operations/transactions.ts";
import { pathOf, Router } from "./router.ts";
import type { Api, ExplorerApi } from "./service.ts";

/** The handlers of the specification's operations. */
export const operationHandlers: OperationHandlers = {
  ...tokens,
  ...accounts,
  ...transactions,
  ...contracts,
  B1,
  ...eventLogs,
};

const MISSING_KEY = "api-key: the header is missing";

function dialectOf(nameOrDialect: DialectName | Dialect): Dialect {
  if (typeof nameOrDialect !== "string") return defineDialect(nameOrDialect);
  if (Object.hasOwn(dialects, nameOrDialect)) return dialects[nameOrDialect];
  throw new TypeError(
    `dialect: expected ${dialectNames.join(", ")} or a dialect from defineDialect, received ${describe(nameOrDialect)}${didYouMean(nameOrDialect, dialectNames)}`,
  );
}

/** Creates the API of an explorer. Throws if the dialect is invalid. */
export function createExplorerApi(nameOrDialect: DialectName | Dialect = "metadium"): ExplorerApi {
  const dialect = dialectOf(nameOrDialect);
  const translate = dialect === dialects.metadium ? undefined : translatorOf(dialect);
  const inDialect = translate && ((id: string) => translate(operations[id as OperationId]));
  const operationsInDialect = Object.entries(operations).map(([id, operation]) => [
    id,
    inDialect?.(id)?.operation ?? operation,
  ]);
  return {
    prefix: dialect.prefix,
    router: new Router(Object.fromEntries(operationsInDialect)),
    handlers: operationHandlers,
    headReads,
    inDialect,
    unknownParameters: "ignored",
    maxValues: MAX_BODY_VALUES,
    serviceFor(service, request) {
      const needsKey = dialect.key === "required" || service.keysListed || service.hasTenants;
      return service.serviceFor(request, needsKey && !service.source ? MISSING_KEY : undefined);
    },
    listed: (id, target) => ({ operation: id as OperationId | undefined, target }),
    faultsOf: (id) => id as OperationId,
    usesSource: true,
    violationOf: (id, results, { simple }) =>
      resultsViolation(id as OperationId, results, simple === true),
    traced: new Set<OperationId>(["A3", "X3"]),
  };
}

/**
 * The API of the specification for an observer: no fault applies, no journal lists its requests,
 * and nothing can be submitted.
 */
export const createObserverApi = ({ serviceFor }: ExplorerApi): Api => {
  const { listed, faultsOf, usesSource, violationOf, handlers, ...api } = createExplorerApi();
  const C3 = (): never => {
    throw new ServiceError(405, "this endpoint is read-only: submit a source below /v1");
  };
  return { ...api, serviceFor, handlers: { ...handlers, C3 } };
};

/** Returns the operation of the specification that a request calls, if any. */
export const operationOf = ({ router }: Api, method: string, target: string) =>
  router.match(method, pathOf(target))?.id as OperationId | undefined;
