// Requests the state of everything that blocks touched, piece by piece: before a chain is kept without its node.
import { accountsIn, participantsIn } from "../../double/chain/block-effects.ts";
import { quantityOf } from "../../double/chain/hex.ts";
import type { HeadRead } from "../../double/chain/live-chain.ts";
import { hasIds } from "../../double/chain/records.ts";
import { transferIn } from "../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../double/chain/writer.ts";
import { eventLoopTurn } from "../../double/service/event-loop.ts";
import { address, list } from "../../double/sources/ingest/node-schemas.ts";
import { read } from "../../double/sources/ingest/read.ts";
import { RpcError } from "./rpc/failure.ts";
import type { RpcNode } from "./rpc/node.ts";
import { type AnsweredCall, askState, readKey } from "./state-calls.ts";

/** A piece of a sweep. */
export interface Swept {
  /** Blocks so far. */
  readonly blocks: number;
  /** All blocks of the sweep. */
  readonly of: number;
  readonly calls: readonly AnsweredCall[];
  /** The reads that the node did not answer. */
  readonly failed: readonly HeadRead[];
}

/** Reads in a piece. */
const PIECE = 2000;
/** Reads that are remembered, so that each is requested only once; beyond this number, some are requested again. */
const MAX_REMEMBERED = 2 ** 20;

/**
 * Requests the state of everything that the blocks from `from` on touched, and sets it on the chain.
 *
 * @throws PostError if the node cannot be reached
 */
export async function* sweep(
  chain: ChainWriter,
  node: RpcNode,
  from: number,
): AsyncGenerator<Swept, void, undefined> {
  const at = quantityOf(chain.head.number);
  const first = Math.max(from, chain.head.number - chain.length + 1);
  const all = chain.head.number - first + 1;
  const known = new Set<string>();
  let open: HeadRead[] = [];
  const note = (one: HeadRead) => {
    const key = readKey(one);
    if (known.has(key)) return;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.add(key);
    open.push(one);
  };
  const ask = async (blocks: number): Promise<Swept> => {
    const reads = open;
    open = [];
    const answer = await askState(node, reads, at);
    answer.applyTo(chain);
    const failed = reads.filter((one) => answer.failure(one) !== undefined);
    return { blocks, of: all, calls: answer.calls(), failed };
  };
  for (const account of await nodeAccounts(node)) note(account);
  for (let blocks = 0; blocks < all; blocks += 1) {
    for (const one of readsOf(chain, first + blocks)) {
      note(one);
      if (open.length >= PIECE) yield await ask(blocks);
    }
    await eventLoopTurn();
  }
  yield await ask(all);
}

/** What a block may have changed. */
function* readsOf(chain: ChainWriter, number: number): Generator<HeadRead> {
  const input = chain.blockInput(number);
  if (input === undefined) return;
  const { block, executions, credits = [] } = input;
  for (const account of [block.miner, ...credits.map(([to]) => to)])
    yield { kind: "balance", account };
  for (const execution of executions) {
    for (const account of accountsIn(execution)) {
      yield { kind: "balance", account };
      yield { kind: "code", account };
      const token = chain.token(account);
      if (token === undefined) continue;
      yield { kind: "token", token: account };
      if (!hasIds(token.standard))
        for (const holder of participantsIn(execution))
          yield { kind: "token-balance", token: account, holder };
    }
    for (const log of execution.logs) {
      const event = transferIn(log);
      const token = chain.token(log.address);
      if (event !== undefined && token !== undefined && hasIds(token.standard))
        yield { kind: "uri", token: log.address, id: event.value };
    }
  }
}

/** The accounts of a development node, which hold coins from the start. */
async function nodeAccounts(node: RpcNode): Promise<HeadRead[]> {
  try {
    const accounts = read(list(address), await node.call("eth_accounts", []), ["eth_accounts"]);
    return accounts.map((account) => ({ kind: "balance", account }));
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}
