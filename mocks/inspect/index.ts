// `/inspect` as an API: who answers each of its views, and the head with the state of following.

import type { FollowStatus, LiveChain } from "../chain/live-chain.ts";
import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { Api } from "../message/api.ts";
import { decimal, decimalOrNull, lower } from "../operations/format.ts";
import { details } from "./details.ts";
import { addressName, cutReason, headBlock } from "./format.ts";
import { headReads } from "./head-reads.ts";
import { type Answers, type InspectServices, lists } from "./lists.ts";
import { type AnswerWireOf, type ViewName, views } from "./views.ts";

/** The names of one answer: a call may have any number of addresses in its data. */
const MAX_NAMES = 1000;

/** The answer with what those of all views have: the head it was read at, and what the addresses in question and answer are called. */
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

/** Every answer is made without a pause, so that it is of one state, whatever happens to the chain between two of them. */
const completed = Object.entries(answers).map(([name, answer]) => [
  name,
  (chain: ChainWriter, given: never, services: InspectServices) => {
    const made = answer(chain, given, services);
    return made instanceof Promise
      ? made.then((make) => complete(chain, given, make()))
      : complete(chain, given, made);
  },
]);

const handlers: Api<ViewName, ChainWriter, InspectServices>["handlers"] = {
  access: (_, __, { access }) => access(),
  head: (chain, _, { live }) => headView(chain, live),
  ...(Object.fromEntries(completed) as Record<keyof Answers, () => object>),
};

/** `/inspect`. */
export const inspection: Api<ViewName, ChainWriter, InspectServices> = {
  operations: views,
  handlers,
  headReads,
  unknownParameters: "refused",
  maxValues: 0,
  // People wait for it, and then see what is known.
  patienceMs: 2000,
};

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
