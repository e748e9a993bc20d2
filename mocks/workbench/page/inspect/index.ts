// `/inspect` as an API: who answers each of its views, and the head with the state of following.

import type { FollowStatus, LiveChain } from "../../../double/chain/live-chain.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { decimal, decimalOrNull } from "../../../double/operations/format.ts";
import type { Api, HandlerTable } from "../../../double/service/api.ts";
import * as details from "./details.ts";
import { cutReason, headBlock } from "./format.ts";
import { headReads } from "./head-reads.ts";
import * as lists from "./lists.ts";
import { type AnswerWireOf, type ViewName, type Views, views } from "./views.ts";

/** What views need besides the chain. */
export interface InspectServices {
  readonly live: LiveChain | undefined;
  /** The answer of `access`, which is of the port. */
  readonly access: () => AnswerWireOf<"access">;
}

/** Every answer is made without a pause, so that it is of one state, whatever happens to the chain between two of them. */
const handlers: HandlerTable<Views, ChainWriter, InspectServices> = {
  access: (_, __, { access }) => access(),
  head: (chain, _, { live }) => headView(chain, live),
  ...lists,
  ...details,
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
