// The head of a chain and how far it follows its node: the answer of `/inspect/head`, which comes before the chain is ready, too.
import type { FollowStatus, LiveChain } from "../chain/live-chain.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { decimal, decimalOrNull } from "../operations/format.ts";
import { cutReason, headBlock } from "./format.ts";
import type { AnswerWireOf } from "./views.ts";

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

export function headView(chain: ChainWriter, live: LiveChain | undefined): HeadWire {
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
