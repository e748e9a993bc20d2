// The state at the head of a followed chain, requested from the node when a request reads it.

import { messageOf } from "../../src/errors/base.ts";
import { accountsIn, createdIn, participantsIn } from "../chain/block-effects.ts";
import { quantityOf } from "../chain/hex.ts";
import { type HeadQuestion, type HeadRead, HeadStateUnavailable } from "../chain/live-chain.ts";
import {
  type Address,
  type BlockInput,
  type Execution,
  type Hex,
  hasIds,
} from "../chain/records.ts";
import { transferIn, transferTopics } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { SELECTORS } from "../ingest/head-state.ts";
import { address, list, read } from "../ingest/read.ts";
import { isTimeout, pauseIfBusy, timeLimited } from "../message/event-loop.ts";
import { blockHash, nodeKind } from "./node-info.ts";
import { RpcError } from "./rpc/errors.ts";
import type { RpcNode } from "./rpc/node.ts";
import { type AnsweredCall, askState, costOf, readKey, type StateAnswer } from "./state-calls.ts";

export interface HeadStateOptions {
  readonly update: () => Promise<void>;
  /** Returns why the node must not be asked: the store refuses its chain. */
  readonly refusal: () => Error | undefined;
  /** After it aborts, nothing is requested, and the chain does not change. */
  readonly signal: AbortSignal;
  /** Maximum calls for one request. */
  readonly callBudget: number;
}

/** How long a request waits for the node, in milliseconds. */
const PATIENCE = 10_000;
/** Like `PATIENCE`, but for optional reads. */
const OPTIONAL_PATIENCE = 2000;
/** The state of a head is dropped when it has more entries than this. */
const MAX_READS = 200_000;

/** A batch of reads that were requested together. */
interface ReadBatch {
  readonly since: number;
  readonly done: Promise<void>;
  /**
   * Keys that the node answered. The state of others is derived from blocks. Undefined while in
   * flight.
   */
  answered?: ReadonlySet<string> | undefined;
}

export class HeadStateCache {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #options: HeadStateOptions;
  readonly #contracts: NewContracts;
  /** Reads that were requested at this state of the chain, by key. */
  readonly #batches = new Map<string, ReadBatch>();
  #batchesAt = "";
  /** The calls whose results could not be read, and why. */
  readonly #unreadable = new Set<string>();
  // On a development node, state can change without a block (`anvil_setBalance`), so an answer is
  // valid for one request only.
  #isDevelopmentNode: boolean | undefined;

  constructor(chain: ChainWriter, node: RpcNode, options: HeadStateOptions) {
    this.#chain = chain;
    this.#node = node;
    this.#options = options;
    this.#contracts = new NewContracts(chain);
  }

  /** Forgets everything, because another chain begins. */
  reset(): void {
    this.#contracts.reset();
    this.#unreadable.clear();
  }

  /** Notes the new contracts of an appended block. */
  note(input: BlockInput): void {
    this.#contracts.note(input);
  }

  /** Notes the new contracts of the stored blocks from `from` on. */
  async resume(from: number): Promise<void> {
    const { head, length } = this.#chain;
    for (let at = Math.max(head.number - length + 1, from); at <= head.number; at += 1) {
      const input = this.#chain.blockInput(at);
      if (input !== undefined) this.note(input);
      await pauseIfBusy();
    }
  }

  /** The calls about new contracts that the node did not answer: `eth_call to 0x…`. */
  get missing(): readonly string[] {
    const open = this.#contracts
      .open()
      .map((read) =>
        "account" in read ? `eth_getCode ${read.account}` : `eth_call to ${read.token}`,
      );
    return [...open, ...this.#unreadable];
  }

  #noteUnreadable({ unreadable }: StateAnswer): void {
    for (const call of unreadable) this.#unreadable.add(call);
    for (const oldest of this.#unreadable) {
      if (this.#unreadable.size <= MAX_UNREADABLE) return;
      this.#unreadable.delete(oldest);
    }
  }

  // Requests code and kind of new contracts, and sets them on the chain. Otherwise, a list of an
  // account's tokens would lack tokens that never emitted a transfer. Requests failed reads again
  // the next time.
  // @throws PostError if the node cannot be reached
  async settle(): Promise<void> {
    // Requests code first, because it shows whether a contract may be a token.
    for (const kind of ["code", "token"] as const) {
      const reads = this.#contracts.open(kind);
      if (reads.length === 0) continue;
      // During a catch-up, the node may have pruned the state at the chain's head.
      const answer = await askState(this.#node, reads, "latest");
      this.#noteUnreadable(answer);
      answer.applyKindsTo(this.#chain);
      for (const pendingRead of reads)
        if (answer.failure(pendingRead) === undefined) this.#contracts.settle(pendingRead);
    }
  }

  /** Begins a request that needs these reads of the state at the head. */
  question(reads: () => Iterable<HeadRead>): HeadQuestion {
    const { signal, callBudget } = this.#options;
    const since = performance.now();
    let until: number | undefined;
    let incomplete = false;
    /** Whether optional reads are left out. */
    let withoutOptional = false;
    const openReads = (): HeadRead[] => {
      const open = new Map<string, HeadRead>();
      const counted = new Set<string>();
      let cost = 0;
      incomplete = false;
      for (const headRead of reads()) {
        const key = readKey(headRead);
        if (counted.has(key)) continue;
        counted.add(key);
        cost += costOf(headRead);
        if (cost > callBudget) {
          incomplete = true;
          break;
        }
        const answered = this.#batchOf(key, since)?.answered;
        if (answered === undefined && !(withoutOptional && isOptional(headRead)))
          open.set(key, headRead);
        else if (!answered?.has(key)) incomplete = true;
      }
      return [...open.values()];
    };
    return {
      get incomplete() {
        return incomplete;
      },
      fetch: () => {
        if (signal.aborted) return undefined;
        const open = openReads();
        if (open.length === 0) return undefined;
        const isNeeded = !open.every(isOptional);
        const now = performance.now();
        until ??= now + PATIENCE;
        const limit = isNeeded ? until - now : OPTIONAL_PATIENCE;
        return timeLimited(this.#fetch(open, since), limit).catch((error: unknown) => {
          if (signal.aborted) return;
          if (isNeeded) throw this.#unavailable(error);
          withoutOptional = true;
        });
      },
    };
  }

  // Returns the batch that a read was part of, unless the batch is too old for a request that began
  // at `began`.
  #batchOf(key: string, began: number): ReadBatch | undefined {
    const state = stateOf(this.#chain);
    if (state !== this.#batchesAt || this.#batches.size > MAX_READS) {
      this.#batches.clear();
      this.#batchesAt = state;
    }
    const batch = this.#batches.get(key);
    const counts = this.#isDevelopmentNode === false || (batch?.since ?? 0) >= began;
    return counts ? batch : undefined;
  }

  /** Requests the reads that are not in flight yet, and waits for all. */
  async #fetch(reads: readonly HeadRead[], began: number): Promise<void> {
    const refusal = this.#options.refusal();
    if (refusal !== undefined) throw refusal;
    this.#isDevelopmentNode ??= (await nodeKind(this.#node)) !== "other";
    const isNew = (headRead: HeadRead) => this.#batchOf(readKey(headRead), began) === undefined;
    const newReads = reads.filter(isNew);
    if (newReads.length > 0) this.#ask(newReads);
    await Promise.all(new Set(reads.map((headRead) => this.#batches.get(readKey(headRead))?.done)));
  }

  #ask(reads: readonly HeadRead[]): void {
    const keys = reads.map(readKey);
    const done = this.#askNode(reads)
      .then((answered) => {
        batch.answered = answered;
      })
      .finally(() => {
        if (batch.answered === undefined)
          for (const key of keys) if (this.#batches.get(key) === batch) this.#batches.delete(key);
      });
    const batch: ReadBatch = { since: performance.now(), done };
    for (const key of keys) this.#batches.set(key, batch);
  }

  // Asks the node at the chain's head. Returns the answered keys, or undefined if the head moved.
  async #askNode(reads: readonly HeadRead[]): Promise<ReadonlySet<string> | undefined> {
    const chain = this.#chain;
    const { head } = chain;
    const state = stateOf(chain);
    const answer = await askState(this.#node, reads, quantityOf(head.number));
    if ((await blockHash(this.#node, head.number)) !== head.hash) {
      await this.#options.update();
      if (state === stateOf(chain))
        throw new Error(`it does not have block ${head.number} for now: it lags`);
      return undefined;
    }
    if (state !== stateOf(chain)) return undefined;

    this.#noteUnreadable(answer);
    const answered = new Set<string>();
    for (const headRead of reads) {
      const failure = answer.failure(headRead);
      if (failure === undefined) answered.add(readKey(headRead));
      // Otherwise the state is derived, because the node will never answer: it is pruned or
      // unreadable.
      else if (isPassing(failure) && !isOptional(headRead)) throw failure;
    }
    answer.applyTo(chain);
    return answered;
  }

  #unavailable(error: unknown): HeadStateUnavailable {
    const reason = isTimeout(error) ? `no response within ${PATIENCE / 1000} s` : messageOf(error);
    return new HeadStateUnavailable(
      `the node did not return the state at block ${this.#chain.head.number}: ${reason}`,
    );
  }
}

/** Maximum number of calls with unreadable results that are named. */
const MAX_UNREADABLE = 20;

/** Whether the node may answer later. */
const isPassing = ({ kind }: RpcError): boolean => kind === "transient" || kind === "overload";

/** Whether a request can be answered without a read. */
const isOptional = (read: HeadRead): boolean => "optional" in read && read.optional === true;

/**
 * Identifies the chain's head. Changes with every reorganisation, even if the head changes back.
 */
const stateOf = (chain: ChainWriter): string => `${chain.rewindCount} ${chain.head.hash}`;

/** Known contracts are dropped when there are more than this. */
const MAX_CONTRACTS = 2 ** 20;

/** Contracts that are new in blocks. Their code and token kind are requested at once. */
class NewContracts {
  readonly #chain: ChainWriter;
  /** Contracts that have run. Their code and token kind were requested. */
  readonly #seen = new Set<Address>();
  #rewindCount = 0;
  /** Pending reads by key. */
  readonly #open = new Map<string, HeadRead>();

  constructor(chain: ChainWriter) {
    this.#chain = chain;
  }

  /** Returns the pending reads. */
  open(kind?: HeadRead["kind"]): HeadRead[] {
    return [...this.#open.values()].filter((read) => kind === undefined || read.kind === kind);
  }

  reset(): void {
    this.#seen.clear();
    this.#open.clear();
  }

  #enqueue(read: HeadRead): void {
    this.#open.set(readKey(read), read);
  }

  note({ executions }: BlockInput): void {
    const { rewindCount } = this.#chain;
    if (rewindCount !== this.#rewindCount || this.#seen.size > MAX_CONTRACTS) this.#seen.clear();
    this.#rewindCount = rewindCount;
    const ran = new Set<Address>();
    for (const execution of executions) this.#noteExecution(execution, ran);
    for (const contract of ran) {
      if (!this.#seen.has(contract)) this.#noteCode(contract, this.#chain.code(contract));
      this.#seen.add(contract);
    }
  }

  #noteExecution(execution: Execution, ran: Set<Address>): void {
    const { transaction, frames, logs } = execution;
    for (const created of createdIn(execution)) {
      this.#seen.delete(created);
      ran.add(created);
      this.#enqueue({ kind: "code", account: created });
    }
    if (transaction.to !== null && hasSelector(transaction.input)) ran.add(transaction.to);
    for (const { type, to, from, input, undone } of frames) {
      if (undone) continue;
      if (type === "call" && to !== null && hasSelector(input)) ran.add(to);
      if (type === "selfdestruct") this.#enqueue({ kind: "code", account: from });
    }
    for (const { address, topics } of logs) {
      if (topics[0] === undefined || !transferTopics.includes(topics[0])) continue;
      ran.add(address);
      if (!this.#seen.has(address) || this.#chain.token(address) === undefined)
        this.#enqueue({ kind: "token", token: address });
    }
  }

  #noteCode(contract: Address, code: Hex): void {
    if (code === "0x") this.#enqueue({ kind: "code", account: contract });
    else if (mayBeToken(code)) this.#enqueue({ kind: "token", token: contract });
  }

  /** Removes a read whose answer is set on the chain. */
  settle(read: HeadRead): void {
    this.#open.delete(readKey(read));
    if (read.kind !== "code" || !this.#seen.has(read.account)) return;
    const code = this.#chain.code(read.account);
    if (code !== "0x") this.#noteCode(read.account, code);
  }
}

/** Whether a call names a function. */
const hasSelector = (input: Hex): boolean => input.length >= 10;

const TOKEN_SELECTORS = [SELECTORS.totalSupply, SELECTORS.balanceOf].map((selector) =>
  selector.slice(2),
);

/** Whether code may be a token's: it names a token's functions, or delegates to other code. */
function mayBeToken(code: Hex): boolean {
  return TOKEN_SELECTORS.every((selector) => code.includes(selector)) || delegates(code);
}

const DELEGATECALL = 0xf4;
const [PUSH1, PUSH32] = [0x60, 0x7f] as const;

function delegates(code: Hex): boolean {
  for (let at = 2; at < code.length; at += 2) {
    const opcode = Number.parseInt(code.slice(at, at + 2), 16);
    if (opcode === DELEGATECALL) return true;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += 2 * (opcode - PUSH1 + 1);
  }
  return false;
}

/** A piece of a sweep. */
export interface Swept {
  /** Number of blocks that are done. */
  readonly blocks: number;
  /** Number of all blocks of the sweep. */
  readonly of: number;
  readonly calls: readonly AnsweredCall[];
  /** The reads that the node did not answer. */
  readonly failed: readonly HeadRead[];
}

/** Minimum number of reads in a piece, except in the last piece. */
const PIECE = 2000;
// Maximum number of reads to remember, so that each is requested once. Beyond it, some are
// repeated.
const MAX_REMEMBERED = 2 ** 20;

// Requests the state of all accounts in the blocks from `from` on, and sets it on the chain.
// @throws PostError if the node cannot be reached
export async function* sweep(
  chain: ChainWriter,
  node: RpcNode,
  from: number,
): AsyncGenerator<Swept, void, undefined> {
  const at = quantityOf(chain.head.number);
  const total = Math.min(chain.length, chain.head.number - from + 1);
  const first = chain.head.number - total + 1;
  let open = await nodeAccounts(node);
  const requestedKeys = new Set(open.map(readKey));
  for (let blocks = 0; blocks <= total; blocks += 1) {
    if (blocks === total || open.length >= PIECE) {
      const answer = await askState(node, open, at);
      answer.applyTo(chain);
      const failed = open.filter((headRead) => answer.failure(headRead) !== undefined);
      open = [];
      yield { blocks, of: total, calls: answer.calls(), failed };
    }
    if (requestedKeys.size >= MAX_REMEMBERED) requestedKeys.clear();
    for (const headRead of readsOf(chain, first + blocks)) {
      const key = readKey(headRead);
      if (!requestedKeys.has(key)) open.push(headRead);
      requestedKeys.add(key);
    }
    await pauseIfBusy();
  }
}

/** Yields the reads that a block may have changed. */
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
