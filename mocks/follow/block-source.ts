// Fetches blocks with their receipts and traces, several in one request, by the methods the node supports.

import * as z from "zod/mini";
import { isObject } from "../../src/models/issues.ts";
import { quantityOf } from "../chain/hex.ts";
import type { RpcBlock } from "../ingest/block.ts";
import { list, read, text } from "../ingest/read.ts";
import { FollowError } from "./follow-status.ts";
import { type RpcNode, resultOf } from "./rpc/node.ts";
import { kindOf, RpcError, type RpcRequest, type RpcResponse } from "./rpc/post.ts";

/** A method refused this many times in a row counts as missing. */
const REFUSALS = 3;

export class MethodChoice<Method extends string> {
  readonly methods: readonly Method[];
  /** What to do if the node supports none of them, to end an error message. */
  readonly hint: string;
  readonly #refusals = new Map<Method, number>();
  #order: readonly Method[];

  constructor(methods: readonly Method[], hint = "") {
    this.methods = methods;
    this.hint = hint;
    this.#order = methods;
  }

  /** These methods come last from now on: the node is known not to have them. */
  avoid(methods: readonly string[]): void {
    const isAvoided = (method: Method) => methods.includes(method);
    this.#order = [
      ...this.methods.filter((method) => !isAvoided(method)),
      ...this.methods.filter(isAvoided),
    ];
  }

  /** The methods to try, best first; the last one is always worth a try. */
  candidates(): readonly Method[] {
    const open = this.#order.filter((method) => (this.#refusals.get(method) ?? 0) < REFUSALS);
    return open.length > 0 ? open : this.#order.slice(-1);
  }

  get best(): Method | undefined {
    return this.candidates()[0];
  }

  refused(method: Method): void {
    this.#refusals.set(method, (this.#refusals.get(method) ?? 0) + 1);
  }

  accepted(method: Method): void {
    this.#refusals.delete(method);
  }
}

const withHashes = z.object({ hash: text, transactions: list(z.object({ hash: text })) });

/** The RPC methods that return traces, best first. */
const TRACE_METHODS = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
] as const;
type TraceMethod = (typeof TRACE_METHODS)[number];
const TRACES_HINT =
  '. Start the node with tracing, or follow it with traces: "none" (--traces none), without internal transactions';
/** The RPC methods that return receipts, best first; go-metadium has the second. */
const RECEIPT_METHODS = [
  "eth_getBlockReceipts",
  "eth_getReceiptsByHash",
  "eth_getTransactionReceipt",
] as const;
const RECEIPTS: ReadonlySet<Method> = new Set(RECEIPT_METHODS);
/** What would help if a node refuses the traces of a block. */
const WITHOUT_TRACES = '--traces none (traces: "none") follows it without internal transactions';

/** The subject of a method: a block, or each of its transactions. */
type Method = TraceMethod | (typeof RECEIPT_METHODS)[number];

const CALL_TRACER = { tracer: "callTracer" };

/** The requests of each method for one block. */
const REQUESTS: Readonly<Record<Method, (block: HeadedBlock) => RpcRequest[]>> = {
  trace_block: ({ number }) => [{ method: "trace_block", params: [quantityOf(number)] }],
  debug_traceBlockByNumber: ({ number }) => [
    { method: "debug_traceBlockByNumber", params: [quantityOf(number), CALL_TRACER] },
  ],
  debug_traceTransaction: ({ hashes }) =>
    hashes.map((hash) => ({ method: "debug_traceTransaction", params: [hash, CALL_TRACER] })),
  eth_getBlockReceipts: ({ number }) => [
    { method: "eth_getBlockReceipts", params: [quantityOf(number)] },
  ],
  eth_getReceiptsByHash: ({ hash }) => [{ method: "eth_getReceiptsByHash", params: [hash] }],
  eth_getTransactionReceipt: ({ hashes }) =>
    hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
};

const PER_TRANSACTION: ReadonlySet<Method> = new Set([
  "debug_traceTransaction",
  "eth_getTransactionReceipt",
]);

interface HeadedBlock {
  readonly number: number;
  readonly hash: string;
  readonly block: unknown;
  readonly hashes: readonly string[];
}

/** What a node says it lacks of a block. */
export interface Lack {
  readonly block: number;
  readonly error: RpcError;
}

/** Fetches blocks; remembers which methods the node supports. */
export class BlockSource {
  readonly #node: RpcNode;
  readonly #receipts = new MethodChoice(RECEIPT_METHODS);
  readonly #traces = new MethodChoice(TRACE_METHODS, TRACES_HINT);
  readonly #wantsTraces: boolean;
  #isTraced: boolean;
  #incomplete: readonly string[] = [];
  /** Since when the node has had no receipt or trace of a transaction whose block it has. */
  readonly #absent = new Map<string, number>();
  #lack: Lack | undefined;
  #forkBlock: number | undefined;

  constructor(node: RpcNode, wantsTraces = true) {
    this.#node = node;
    this.#wantsTraces = wantsTraces;
    this.#isTraced = wantsTraces;
  }

  /** Whether blocks are fetched with traces: not if the user asked for none, or the node has no tracer. */
  get isTraced(): boolean {
    return this.#isTraced;
  }

  /** Tries these methods last, because this kind of node lacks them. Without any method to trace by, blocks have no traces. */
  avoid(methods: readonly string[]): void {
    this.#receipts.avoid(methods);
    this.#traces.avoid(methods);
    this.#isTraced = this.#wantsTraces && TRACE_METHODS.some((method) => !methods.includes(method));
  }

  /** The block that the node was forked from: it ran on the origin, which may have no tracing, and anvil has an empty trace of it. */
  forkedFrom(number: number | undefined): void {
    this.#forkBlock = number;
  }

  /** What the node did not return of the last blocks, and why. */
  get incomplete(): readonly string[] {
    return this.#incomplete;
  }

  /** The first block whose receipts or traces the node says it lacks. */
  get lack(): Lack | undefined {
    return this.#lack;
  }

  forgetLack(): void {
    this.#lack = undefined;
  }

  /** These blocks; undefined for one that the node does not have, or replaced meanwhile. */
  async blocks(from: number, count: number): Promise<(RpcBlock | undefined)[]> {
    const numbers = Array.from({ length: count }, (_, index) => from + index);
    const headed = await this.#headed(numbers);
    const present = headed.filter((block) => block !== undefined);
    const [receipts, traces] = await Promise.all([
      this.#ask(this.#receipts, present.filter(hasTransactions)),
      this.#isTraced ? this.#ask(this.#traces, this.#traced(present)) : new Map(),
    ]);
    return headed.map((given) => this.#assemble(given, receipts, traces));
  }

  #assemble(
    given: HeadedBlock | undefined,
    receipts: ReadonlyMap<number, unknown>,
    traces: ReadonlyMap<number, unknown>,
  ): RpcBlock | undefined {
    if (given === undefined) return undefined;
    const { number, block } = given;
    if (!hasTransactions(given)) return { block, receipts: [], traces: traces.get(number) ?? [] };
    const isForkBlock = this.#isTraced && number === this.#forkBlock;
    const fetched = {
      receipts: receipts.get(number),
      traces: isForkBlock ? given.hashes.map(withoutCalls) : traces.get(number),
    };
    const hasChanged =
      fetched.receipts === undefined || (this.#isTraced && fetched.traces === undefined);
    return hasChanged ? undefined : { block, ...fetched };
  }

  /** Notes what a block lacks. */
  note(what: string): void {
    if (this.#incomplete.includes(what)) return;
    this.#incomplete = [...this.#incomplete, what].slice(-MAX_INCOMPLETE);
  }

  async #headed(numbers: readonly number[]): Promise<(HeadedBlock | undefined)[]> {
    const method = "eth_getBlockByNumber";
    const responses = await this.#node.callAll(
      numbers.map((number) => ({ method, params: [quantityOf(number), true] })),
    );
    return numbers.map((number, index) => {
      const block = presentIn(method, responses[index]);
      if (block === undefined) return undefined;
      const { hash, transactions } = read(withHashes, block, ["block"]);
      return { number, hash, block, hashes: transactions.map(({ hash }) => hash) };
    });
  }

  /** The blocks to trace: those with transactions, and all if the node may return rewards too. */
  #traced(blocks: readonly HeadedBlock[]): readonly HeadedBlock[] {
    const own = blocks.filter(({ number }) => number !== this.#forkBlock);
    return this.#traces.best === "trace_block" ? own : own.filter(hasTransactions);
  }

  /** By block number: what the best method the node supports returns, without the blocks that changed meanwhile. */
  async #ask<M extends Method>(
    choice: MethodChoice<M>,
    blocks: readonly HeadedBlock[],
  ): Promise<Map<number, unknown>> {
    const found = new Map<number, unknown>();
    const refusals = new Map<string, RpcError>();
    let open = blocks;
    // Twice: a gateway may once have refused a method that it supports.
    for (const method of [...choice.candidates(), ...choice.candidates()]) {
      if (open.length === 0) return found;
      const { answered, refused, refusal } = await this.#askBy(method, open);
      for (const [number, value] of answered) found.set(number, value);
      if (refusal === undefined) choice.accepted(method);
      else {
        choice.refused(method);
        refusals.set(refusal.message, refusal);
      }
      open = refused.filter(hasTransactions);
    }
    const [first] = open;
    if (first === undefined) return found;
    const reasons = [...refusals.keys()].join("; ");
    const lacksAll = [...refusals.values()].every(({ kind }) => kind === "unsupported");
    if (lacksAll)
      throw new FollowError(
        `the node supports none of ${choice.methods.join(", ")}: ${reasons}${choice.hint}`,
        { block: first.number },
      );
    const isTraces = choice.hint !== "";
    for (const { number, hashes } of open) {
      const advice = isTraces ? `. ${WITHOUT_TRACES}` : "";
      this.note(`block ${number}, ${isTraces ? "traces" : "receipts"}: ${reasons}${advice}`);
      found.set(number, isTraces ? [] : hashes.map(() => null));
    }
    return found;
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
        const values = this.#valuesIn(method, block, own);
        if (values === undefined) continue;
        if (hasTransactions(block)) checkComplete(method, block, values);
        answered.push([block.number, PER_TRANSACTION.has(method) ? values : values[0]]);
      } catch (error) {
        if (error instanceof RpcError && error.kind === "unavailable") {
          this.#lack ??= { block: block.number, error };
          continue;
        }
        if (!(error instanceof RpcError) || !isForGood(error)) throw error;
        refused.push(block);
        refusal = error;
      }
    }
    return { answered, refused, refusal };
  }

  /** The results of a block's calls, null for a transaction that the node has nothing of; undefined if it may have replaced the block. */
  #valuesIn(
    method: Method,
    { number, hashes }: HeadedBlock,
    responses: readonly RpcResponse[],
  ): unknown[] | undefined {
    const values = responses.map((response, index) => {
      try {
        return resultOf(method, response) ?? undefined;
      } catch (error) {
        const isOnly = responses.length === 1 || responses.every((one) => "error" in one);
        if (!(error instanceof RpcError) || !isForGood(error) || isOnly) throw error;
        this.note(`block ${number}, transaction ${hashes[index]}: ${error.message}`);
        return null;
      }
    });
    if (!values.includes(undefined)) {
      for (const hash of hashes) this.#absent.delete(`${method} ${hash}`);
      return values;
    }
    if (!this.#isAbsent(method, hashes, values)) return undefined;
    if (!PER_TRANSACTION.has(method) || values.every((value) => value === undefined))
      throw new RpcError(method, { code: -32601, message: `no result for block ${number}` });
    return values.map((value, index) => {
      if (value === undefined)
        this.note(`block ${number}, transaction ${hashes[index]}: ${method} has no result`);
      return value ?? null;
    });
  }

  /** Whether a block's results have been absent for so long that the node will not have them. */
  #isAbsent(method: Method, hashes: readonly string[], values: readonly unknown[]): boolean {
    const now = performance.now();
    if (this.#absent.size > MAX_ABSENT) this.#absent.clear();
    const missing = hashes.filter(
      (_, index) => values[PER_TRANSACTION.has(method) ? index : 0] === undefined,
    );
    const since = missing.map((hash) => {
      const key = `${method} ${hash}`;
      const known = this.#absent.get(key) ?? now;
      this.#absent.set(key, known);
      return known;
    });
    return since.every((time) => now - time >= PATIENCE);
  }
}

/** After this many milliseconds without a result, the node will not have it. */
const PATIENCE = 2000;
const MAX_ABSENT = 100_000;

/** Whether the node will give the same answer again, so that another method is worth a try. */
const isForGood = ({ kind }: RpcError): boolean => kind === "unsupported" || kind === "refused";

/** The trace of a transaction, by callTracer, without internal transactions. */
const withoutCalls = (txHash: string) => ({ txHash, result: { type: "CALL" } });

/** Maximum notes about what blocks lack. */
const MAX_INCOMPLETE = 20;

/** Whether traces consist of steps: some nodes return these whatever tracer is requested. */
const isStepped = (traces: readonly unknown[]): boolean =>
  traces.some((trace) => isObject(trace) && "structLogs" in trace);

/** How nodes say in debug_traceBlockByNumber that they could not trace a transaction: an error, or no result. */
const isFailedTrace = (trace: unknown): trace is Readonly<Record<string, unknown>> =>
  isObject(trace) &&
  !isObject(trace.result) &&
  ("error" in trace || "result" in trace) &&
  !("transactionHash" in trace) &&
  !("type" in trace);

const failureOf = ({ error }: Readonly<Record<string, unknown>>): string => {
  const message = isObject(error) ? error.message : error;
  return typeof message === "string" ? message : "no result";
};

/** @throws RpcError if the results of a method cannot be those of a block with these transactions */
function checkComplete(method: Method, { hashes }: HeadedBlock, values: readonly unknown[]): void {
  const [list] = values;
  const refuse = (code: number, message: string): never => {
    throw new RpcError(method, { code, message });
  };
  // Some nodes return steps whatever tracer is requested.
  if (method === "debug_traceTransaction" && isStepped(values))
    refuse(-32601, "the node ignores the tracer");
  if (PER_TRANSACTION.has(method) || !Array.isArray(list)) return;
  if (RECEIPTS.has(method)) {
    if (list.length !== hashes.length)
      refuse(-32601, `${list.length} receipts of ${hashes.length} transactions`);
    return;
  }
  // Besu and erigon return this for a block whose state they no longer have.
  if (list.length === 0) refuse(-32001, "no traces of a block's transactions");
  const failed = list.find(isFailedTrace);
  if (failed === undefined) return;
  const message = failureOf(failed);
  // One transaction took too long: the traces can still be requested one by one.
  const code = kindOf({ message }) === "unavailable" ? -32001 : -32601;
  refuse(code, `${failed.txHash ?? "a transaction"} is not traced: ${message}`);
}

const hasTransactions = ({ hashes }: HeadedBlock): boolean => hashes.length > 0;

/** The result; undefined if the node does not have it, or no longer has it. @throws RpcError for any other error */
function presentIn(method: string, response: RpcResponse | undefined): unknown {
  try {
    return resultOf(method, response) ?? undefined;
  } catch (error) {
    if (error instanceof RpcError && error.kind === "unavailable") return undefined;
    throw error;
  }
}
