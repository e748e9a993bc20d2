// `/inspect` as an API: who answers each of its views, and the head with the state of following.

import type { FollowStatus, LiveChain } from "../chain/live-chain.ts";
import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { decimal, decimalOrNull, lower } from "../operations/format.ts";
import { Router } from "../service/router.ts";
import { type Api, apiKeyOf, type Service } from "../service/service.ts";
import { details } from "./details.ts";
import { addressName, cutReason, headBlock } from "./format.ts";
import { headReads } from "./head-reads.ts";
import { type Answers, lists } from "./lists.ts";
import { type AnswerWireOf, views } from "./views.ts";

/** Limit, because the data of a call may contain any number of addresses. */
const MAX_NAMES = 1000;

/** Adds the head, and the names of the addresses in request and answer. */
function complete(chain: ChainWriter, given: object, answer: object): object {
  const texts = JSON.stringify([given, answer]).match(/0x[\da-f]{40}(?![\da-f])/gi) ?? [];
  const names = [];
  for (const address of new Set(texts.map((text) => lower(text as Address)))) {
    if (names.length === MAX_NAMES) break;
    const named = addressName(chain, address);
    if (named) names.push(named);
  }
  return {
    head: headBlock(chain.head),
    names,
    ...answer,
  };
}

const answers: Answers = { ...lists, ...details };

/** Every answer is made without a pause, so that it is about one state of the chain. */
const completed = Object.entries(answers).map(([name, answer]) => [
  name,
  (chain: ChainWriter, given: never, { live }: Service) => {
    const response = answer(chain, given, { live });
    return response instanceof Promise
      ? response.then((make) => complete(chain, given, make()))
      : complete(chain, given, response);
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

/** `/inspect`, for callers with an api-key. */
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
    // The head itself reports how far the chain is.
    if (view !== "head") tenant.assertReady();
    return tenant;
  },
  unknownParameters: "refused",
  maxValues: 0,
  // People wait for it, and then see what is known.
  patienceMs: 2000,
});

type HeadWire = AnswerWireOf<"head">;

/** The parts missing from a node's responses, for display. */
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
