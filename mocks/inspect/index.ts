// The API `/inspect`: the answers to its views, the head, and the progress of a followed node.

import type { FollowStatus, LiveChain } from "../chain/live-chain.ts";
import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { answerTooLarge, MAX_ANSWER, ServiceError } from "../message/api.ts";
import { decimal, decimalOrNull, lower } from "../operations/format.ts";
import { Router } from "../service/router.ts";
import { type Api, apiKeyOf, type Service } from "../service/service.ts";
import { details } from "./details.ts";
import { addressName, cutReason, headBlock } from "./format.ts";
import { headReads } from "./head-reads.ts";
import { type Answers, lists } from "./lists.ts";
import { type AnswerWireOf, views } from "./views.ts";

/** Limit of names in an answer, because the data of a call may contain any number of addresses. */
const MAX_NAMES = 1000;

/** The number of characters in the texts of a value. */
function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((length: number, part) => length + textLength(part), 0);
}

/** Refuses an answer that is too large before it is written, which would block the service. */
function checkLength(parameters: object, answer: object): void {
  let length = 0;
  for (const value of Object.values(answer))
    for (const [index, part] of (Array.isArray(value) ? value : [value]).entries()) {
      length += textLength(part);
      if (length > MAX_ANSWER) throw answerTooLarge("limit" in parameters ? index : 0);
    }
}

/** Adds the head, and the names of the addresses in parameters and answer. */
function complete(chain: ChainWriter, parameters: object, answer: object): object {
  checkLength(parameters, answer);
  const texts = JSON.stringify([parameters, answer]).match(/0x[\da-f]{40}(?![\da-f])/gi) ?? [];
  const names = [];
  for (const address of new Set(texts.map((text) => lower(text as Address)))) {
    if (names.length === MAX_NAMES) break;
    const named = addressName(chain, address);
    if (named) names.push(named);
  }
  return { head: headBlock(chain.head), names, ...answer };
}

const answers: Answers = { ...lists, ...details };

/** An answer is built without a pause, so that all of it is about one state of the chain. */
const completed = Object.entries(answers).map(([name, answer]) => [
  name,
  (chain: ChainWriter, parameters: never, { live }: Service) => {
    const response = answer(chain, parameters, { live });
    return response instanceof Promise
      ? response.then((build) => complete(chain, parameters, build()))
      : complete(chain, parameters, response);
  },
]);

/** `isAdmin` says whether the port has the admin API. */
function access(
  { keysListed, hasTenants, options: { verifier, coin } }: Service,
  isAdmin: boolean,
): AnswerWireOf<"access"> {
  return {
    keys_listed: keysListed,
    admin: isAdmin,
    tenants: hasTenants,
    verifier: verifier !== undefined,
    compilers: [...(verifier?.compilers?.() ?? [])],
    coin: coin ?? null,
  };
}

/** The API `/inspect`. All of its views but `access` need an api-key. */
export const createInspectApi = (isAdmin: boolean): Api => ({
  router: new Router(views),
  handlers: {
    access: (_, __, service) => access(service, isAdmin),
    head: (_, __, { chain, live }) => headView(chain, live),
    ...Object.fromEntries(completed),
  },
  headReads,
  serviceFor(service, request, view) {
    if (view === "access") return service;
    const apiKey = apiKeyOf(request);
    if (apiKey === undefined) throw new ServiceError(401, "api-key: the header is missing");
    const tenant = service.tenant(apiKey);
    // The head reports the progress of a chain that is not ready.
    if (view !== "head") tenant.assertReady();
    return tenant;
  },
  unknownParameters: "refused",
  maxValues: 0,
  // A reader waits for the page, so an answer with the known data comes soon.
  patienceMs: 2000,
});

type HeadWire = AnswerWireOf<"head">;

/** Limit of missing parts of a node's responses in an answer. */
const MAX_MISSING = 20;

const progress = ({
  state,
  nodeHead,
  lag,
  blocksPerSecond,
  transactionsPerSecond,
  secondsLeft,
  missing,
  lastError,
}: FollowStatus): HeadWire["node"] => ({
  state,
  node_head: decimalOrNull(nodeHead),
  lag: decimalOrNull(lag),
  blocks_per_second: blocksPerSecond,
  transactions_per_second: transactionsPerSecond,
  seconds_left: secondsLeft,
  missing: missing.slice(0, MAX_MISSING).map(cutReason),
  last_error: lastError && {
    message: cutReason(lastError.message),
    at: lastError.at.toISOString(),
  },
});

function headView(chain: ChainWriter, live: LiveChain | undefined): HeadWire {
  const newest = chain.length > 0 ? chain.head : undefined;
  return {
    chain_id: decimal(chain.chainId),
    source: chain.origin,
    head: newest ? headBlock(newest) : null,
    first_block: newest ? decimal(newest.number - chain.length + 1) : null,
    blocks: decimal(chain.length),
    transactions: decimal(chain.transactionCount),
    rewinds: decimal(chain.rewindCount),
    revision: decimal(chain.revision),
    unavailable: live?.unavailable() ?? null,
    node: live ? progress(live.status()) : null,
  };
}
