// Fetches blocks with their receipts and traces, several in one request, by the methods the node supports.
import * as z from "zod/mini";
import { isObject } from "../../src/models/issues.ts";
import type { RpcBlock } from "../ingest/block.ts";
import { fastRecord } from "../ingest/fast.ts";
import { read } from "../ingest/read.ts";
import { isStepTrace } from "../ingest/struct-logs.ts";
import { list, text } from "../ingest/values.ts";
import { kindOf, RpcError } from "../rpc/failure.ts";
import { type RpcNode, resultOf } from "../rpc/node.ts";
import type { RpcRequest, RpcResponse } from "../rpc/post.ts";
import { FollowError } from "./follow-status.ts";
import { MethodChoice } from "./method-choice.ts";
import { hexQuantity } from "./node-info.ts";
import { framesOf, stepsRequest } from "./stepped-block.ts";

const withHashes = fastRecord(z.object({ transactions: list(z.object({ hash: text })) }));

/** The RPC methods that return traces, best first. */
const TRACE_METHODS = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
  "debug_traceTransaction without a tracer",
] as const;
export type TraceMethod = (typeof TRACE_METHODS)[number];
const TRACES_HINT =
  '. Start the node with tracing, or follow it with traces: "none" (--traces none), without internal transactions';
/** The RPC methods that return receipts, best first. */
const RECEIPT_METHODS = ["eth_getBlockReceipts", "eth_getTransactionReceipt"] as const;

/** What a method is asked: a block, or each of its transactions. */
type Method = TraceMethod | (typeof RECEIPT_METHODS)[number];

const CALL_TRACER = { tracer: "callTracer" };

/** The requests of each method for one block. */
const REQUESTS: Readonly<Record<Method, (block: HeadedBlock) => RpcRequest[]>> = {
  trace_block: ({ number }) => [{ method: "trace_block", params: [hexQuantity(number)] }],
  debug_traceBlockByNumber: ({ number }) => [
    { method: "debug_traceBlockByNumber", params: [hexQuantity(number), CALL_TRACER] },
  ],
  debug_traceTransaction: ({ hashes }) =>
    hashes.map((hash) => ({ method: "debug_traceTransaction", params: [hash, CALL_TRACER] })),
  "debug_traceTransaction without a tracer": ({ hashes }) =>
    hashes.map((hash) => stepsRequest(hash, false)),
  eth_getBlockReceipts: ({ number }) => [
    { method: "eth_getBlockReceipts", params: [hexQuantity(number)] },
  ],
  eth_getTransactionReceipt: ({ hashes }) =>
    hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
};

const PER_TRANSACTION: ReadonlySet<Method> = new Set([
  "debug_traceTransaction",
  "debug_traceTransaction without a tracer",
  "eth_getTransactionReceipt",
]);

interface HeadedBlock {
  readonly number: number;
  readonly block: unknown;
  readonly hashes: readonly string[];
}

/** What a node says that it does not have of a block. */
export interface Lack {
  readonly block: number;
  readonly error: RpcError;
}

/** Fetches blocks; remembers which methods the node supports. */
export class BlockSource {
  readonly #node: RpcNode;
  readonly #receipts = new MethodChoice(RECEIPT_METHODS);
  readonly #traces: MethodChoice<TraceMethod> | undefined;
  #incomplete: readonly string[] = [];
  #lack: Lack | undefined;
  #forkBlock: number | undefined;

  /** Without trace methods, blocks come without traces. */
  constructor(node: RpcNode, traceMethods: readonly TraceMethod[] = TRACE_METHODS) {
    this.#node = node;
    this.#traces =
      traceMethods.length === 0 ? undefined : new MethodChoice(traceMethods, TRACES_HINT);
  }

  /** Methods that the node is known not to have are asked last. */
  avoid(methods: readonly string[]): void {
    this.#receipts.avoid(methods);
    this.#traces?.avoid(methods);
  }

  /** The block that the node was forked from: it ran on the origin, which may have no tracing, and anvil has an empty trace of it. */
  forkedFrom(number: number | undefined): void {
    this.#forkBlock = number;
  }

  /** The last transactions whose internal transactions have no input: their traces are too large. */
  get incomplete(): readonly string[] {
    return this.#incomplete;
  }

  /** The first block whose receipts or traces the node says that it does not have. */
  get lack(): Lack | undefined {
    return this.#lack;
  }

  forgetLack(): void {
    this.#lack = undefined;
  }

  /** These blocks; undefined for one that the node does not have, or replaced while it was asked. */
  async blocks(from: number, count: number): Promise<(RpcBlock | undefined)[]> {
    const numbers = Array.from({ length: count }, (_, index) => from + index);
    const headed = await this.#headed(numbers);
    const present = headed.filter((block) => block !== undefined);
    const [receipts, traces] = await Promise.all([
      this.#ask(this.#receipts, present.filter(hasTransactions)),
      this.#traces === undefined ? new Map() : this.#ask(this.#traces, this.#traced(present)),
    ]);
    return await Promise.all(headed.map((given) => this.#assemble(given, receipts, traces)));
  }

  async #assemble(
    given: HeadedBlock | undefined,
    receipts: ReadonlyMap<number, unknown>,
    traces: ReadonlyMap<number, unknown>,
  ): Promise<RpcBlock | undefined> {
    if (given === undefined) return undefined;
    const { number, block } = given;
    if (!hasTransactions(given)) return { block, receipts: [], traces: traces.get(number) ?? [] };
    const isUntraced = this.#traces !== undefined && number === this.#forkBlock;
    const of = {
      receipts: receipts.get(number),
      traces: isUntraced ? given.hashes.map(withoutCalls) : traces.get(number),
    };
    const changed =
      of.receipts === undefined || (this.#traces !== undefined && of.traces === undefined);
    if (changed) return undefined;
    if (!isStepped(of.traces)) return { block, ...of };
    const stepped = { ...given, ...of, traces: of.traces };
    return { block, ...of, traces: await framesOf(this.#node, stepped, this.#noteIncomplete) };
  }

  readonly #noteIncomplete = (hash: string): void => {
    this.#incomplete = [...this.#incomplete, `debug_traceTransaction ${hash} (memory)`].slice(
      -MAX_INCOMPLETE,
    );
  };

  async #headed(numbers: readonly number[]): Promise<(HeadedBlock | undefined)[]> {
    const method = "eth_getBlockByNumber";
    const responses = await this.#node.callAll(
      numbers.map((number) => ({ method, params: [hexQuantity(number), true] })),
    );
    return numbers.map((number, index) => {
      const block = presentIn(method, responses[index]);
      if (block === undefined) return undefined;
      const { transactions } = read(withHashes, block, ["block"]);
      return { number, block, hashes: transactions.map(({ hash }) => hash) };
    });
  }

  /** The blocks to trace: those with transactions, and all if the node may return rewards too. */
  #traced(blocks: readonly HeadedBlock[]): readonly HeadedBlock[] {
    const own = blocks.filter(({ number }) => number !== this.#forkBlock);
    return this.#traces?.best === "trace_block" ? own : own.filter(hasTransactions);
  }

  /** By block number: what the best method the node supports returns, without the blocks that changed meanwhile. */
  async #ask<M extends Method>(
    choice: MethodChoice<M>,
    blocks: readonly HeadedBlock[],
  ): Promise<Map<number, unknown>> {
    const found = new Map<number, unknown>();
    const refusals = new Set<string>();
    let open = blocks;
    // Twice: a gateway may have refused once what it supports.
    for (const method of [...choice.candidates(), ...choice.candidates()]) {
      if (open.length === 0) return found;
      const { answered, refused, refusal } = await this.#askBy(method, open);
      for (const [number, value] of answered) found.set(number, value);
      if (refusal === undefined) choice.accepted(method);
      else {
        choice.refused(method);
        refusals.add(refusal.message);
      }
      open = refused.filter(hasTransactions);
    }
    const [first] = open;
    if (first === undefined) return found;
    throw new FollowError(
      `the node supports none of ${choice.methods.join(", ")}: ${[...refusals].join("; ")}${choice.hint}`,
      { block: first.number },
    );
  }

  async #askBy(method: Method, blocks: readonly HeadedBlock[]) {
    const requests = blocks.map((block) => REQUESTS[method](block));
    const responses = await this.#node.callAll(requests.flat());
    const answered: [number, unknown][] = [];
    const refused: HeadedBlock[] = [];
    let refusal: RpcError | undefined;
    let at = 0;
    for (const [index, block] of blocks.entries()) {
      const length = requests[index]?.length ?? 0;
      const own = responses.slice(at, at + length);
      at += length;
      try {
        const values = own.map((response) => resultOf(method, response) ?? undefined);
        if (values.includes(undefined)) continue;
        if (hasTransactions(block)) checkTraced(method, values);
        answered.push([block.number, PER_TRANSACTION.has(method) ? values : values[0]]);
      } catch (error) {
        if (error instanceof RpcError && error.kind === "unavailable") {
          this.#lack ??= { block: block.number, error };
          continue;
        }
        if (!(error instanceof RpcError) || error.kind !== "unsupported") throw error;
        refused.push(block);
        refusal = error;
      }
    }
    return { answered, refused, refusal };
  }
}

/** The trace of a transaction, by callTracer, without internal transactions. */
const withoutCalls = (txHash: string) => ({ txHash, result: { type: "CALL" } });

/** How many transactions are named whose traces are too large. */
const MAX_INCOMPLETE = 20;

const isStepped = (traces: unknown): traces is readonly unknown[] =>
  Array.isArray(traces) && traces.some(isStepTrace);

/** How geth's debug_traceBlockByNumber says that it could not trace a transaction. */
const isFailedTrace = (trace: unknown): trace is { txHash: string; error: string } =>
  isObject(trace) &&
  typeof trace.txHash === "string" &&
  typeof trace.error === "string" &&
  !isObject(trace.result);

/** @throws RpcError if the results of a method are no traces of a block with transactions, whatever the node says */
function checkTraced(method: Method, values: readonly unknown[]): void {
  // Some nodes return steps whatever tracer they are asked for.
  if (method === "debug_traceTransaction" && isStepped(values))
    throw new RpcError(method, { code: -32601, message: "the node ignores the tracer" });
  const [traces] = values;
  if (PER_TRANSACTION.has(method) || method === "eth_getBlockReceipts" || !Array.isArray(traces))
    return;
  // Besu and erigon return this for a block whose state they no longer have.
  if (traces.length === 0)
    throw new RpcError(method, { code: -32001, message: "no traces of a block's transactions" });
  const failure = traces.find(isFailedTrace);
  if (failure === undefined) return;
  const { txHash, error } = failure;
  // One transaction that takes too long: each of them can still be asked for alone.
  const kind = kindOf({ message: error }) === "unavailable" ? -32001 : -32601;
  throw new RpcError(method, { code: kind, message: `${txHash} is not traced: ${error}` });
}

const hasTransactions = ({ hashes }: HeadedBlock): boolean => hashes.length > 0;

/** The result; undefined if the node does not have what was asked for, or no longer. @throws RpcError for any other error */
function presentIn(method: string, response: RpcResponse | undefined): unknown {
  try {
    return resultOf(method, response) ?? undefined;
  } catch (error) {
    if (error instanceof RpcError && error.kind === "unavailable") return undefined;
    throw error;
  }
}
