// Mines for the admin API, one request after the other: all transfers or none, then block by block,
// with turns for other requests.
import type { OperationResultsWire } from "../../../src/contract/index.ts";
import { continueChain } from "../../builder/index.ts";
import type { Block, BlockInput, Hash } from "../../chain/records.ts";
import type { ChainWriter } from "../../chain/writer.ts";
import { ServiceError } from "../../message/api.ts";
import { pauseIfBusy, yieldToEventLoop } from "../../message/event-loop.ts";
import type { AdminArguments, AdminOperations } from "./operations.ts";

type Mined = OperationResultsWire<AdminOperations["mine"]>;
type Options = Parameters<ReturnType<typeof continueChain>["mine"]>[1];

/** How often a block is begun again because the chain changed meanwhile. */
const MAX_ATTEMPTS = 3;

/** Mines a block with transfers, all or none: it is made on a fork, as that may take a while. */
async function mineTransfers(
  chain: ChainWriter,
  { transfers = [], fund = [] }: Pick<AdminArguments<"mine">, "transfers" | "fund">,
  options: Options,
): Promise<Hash[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { revision } = chain;
    const fork = chain.fork();
    const builder = continueChain(fork);
    const sent: Hash[] = [];
    for (const { address, value } of fund) {
      builder.fund(address, BigInt(value));
      await pauseIfBusy();
    }
    for (const { from, to, value } of transfers) {
      sent.push(builder.transfer(from, to, BigInt(value)).hash);
      await pauseIfBusy();
    }
    const { number } = builder.mine(1, options)[0] as Block;
    await yieldToEventLoop();
    if (chain.revision !== revision) continue;
    const continued = continueChain(chain);
    for (const { address, value } of fund) continued.fund(address, BigInt(value));
    chain.append(fork.blockInput(number) as BlockInput);
    return sent;
  }
  throw new ServiceError(409, "the chain was changed meanwhile; nothing was mined");
}

async function mineAll(
  chain: ChainWriter,
  { blocks, miner, ...first }: AdminArguments<"mine">,
  signal: AbortSignal | undefined,
): Promise<Mined> {
  const options = miner === undefined ? {} : { miner };
  const { rewindCount } = chain;
  const hasMore = first.transfers?.length || first.fund?.length;
  const sent = hasMore && !signal?.aborted ? await mineTransfers(chain, first, options) : [];
  const builder = continueChain(chain);
  for (let mined = hasMore ? 1 : 0; mined < blocks && !signal?.aborted; mined++) {
    if (chain.rewindCount !== rewindCount)
      throw new ServiceError(409, `the chain was set back after ${mined} of ${blocks} blocks`);
    builder.mine(1, options);
    await yieldToEventLoop();
  }
  return { head: `${chain.head.number}`, transaction_hashes: sent };
}

/** The last mining job of each chain. */
const lastOn = new WeakMap<ChainWriter, Promise<unknown>>();

/**
 * Mines after what was asked of the chain before, until the signal aborts. Throws an
 * {@link ImpossibleError} for what no chain allows.
 */
export function mine(...asked: Parameters<typeof mineAll>): Promise<Mined> {
  const [chain] = asked;
  const mineNow = () => mineAll(...asked);
  const mining = lastOn.get(chain)?.then(mineNow, mineNow) ?? mineNow();
  lastOn.set(chain, mining);
  return mining;
}
