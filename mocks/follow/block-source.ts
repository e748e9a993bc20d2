// Fetches blocks with their receipts and traces, several in one request, by the methods the node supports.

import * as z from "zod/mini";
import { isObject } from "../../src/models/issues.ts";
import { quantityOf } from "../chain/hex.ts";
import type { RpcBlock } from "../ingest/block-fields.ts";
import { list, read, text } from "../ingest/read.ts";
import { FollowError } from "./follow-status.ts";
import { kindOf, RpcError } from "./rpc/errors.ts";
import { type RpcNode, resultOf } from "./rpc/node.ts";
import type { RpcRequest, RpcResponse } from "./rpc/post.ts";

/** A block as the node returned it, with its number, hash and transaction hashes. */
export interface HeadedBlock {
  readonly number: number;
  readonly hash: string;
  readonly block: unknown;
  /** Hashes of the transactions, without duplicates. */
  readonly hashes: readonly string[];
}

/** A method that was refused this many times in a row counts as missing. */
const REFUSALS = 3;

/** Alternative methods for the same data. Learns by trying which of them the node has. */
export class MethodChoice<Method extends string> {
  readonly methods: readonly Method[];
  /** Ends an error message: advice for a node that supports none of the methods. */
  readonly hint: string;
  readonly #refusals = new Map<Method, number>();
  /**
   * Whether any method has worked. If so, a refusal does not show that the node lacks all methods.
   */
  hasWorked = false;
  #order: readonly Method[];

  constructor(methods: readonly Method[], hint = "") {
    this.methods = methods;
    this.hint = hint;
    this.#order = methods;
  }

  /** Tries these methods last from now on, because this kind of node does not have them. */
  avoid(methods: readonly string[]): void {
    const isAvoided = (method: Method) => methods.includes(method);
    this.#order = [
      ...this.methods.filter((method) => !isAvoided(method)),
      ...this.methods.filter(isAvoided),
    ];
  }

  /** Returns the methods to try, best first; only the last method, if all were refused. */
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
    this.hasWorked = true;
  }
}

/** The RPC methods that return traces, best first. */
const TRACE_METHODS = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
] as const;
type TraceMethod = (typeof TRACE_METHODS)[number];
const TRACES_HINT =
  '. Start the node with tracing, or follow it with traces: "none" (--traces none), without internal transactions';
/** RPC methods that return receipts, best first. go-metadium has `eth_getReceiptsByHash`. */
export const RECEIPT_METHODS = [
  "eth_getBlockReceipts",
  "eth_getReceiptsByHash",
  "eth_getTransactionReceipt",
] as const;
/** Ends a note about a block whose traces the node refuses. */
const WITHOUT_TRACES = '--traces none (traces: "none") follows it without internal transactions';

export type Method = TraceMethod | (typeof RECEIPT_METHODS)[number];

const CALL_TRACER = { tracer: "callTracer" };

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

const BLOCK = "eth_getBlockByNumber";
const withHashes = z.object({ hash: text, transactions: list(z.object({ hash: text })) });

/** A block whose data the node says it does not have. */
export interface Lack {
  readonly block: number;
  readonly error: RpcError;
}

/** Receipts or traces of a block, collected from the responses to several methods. */
class Gathered {
  readonly #block: HeadedBlock;
  readonly #byHash = new Map<string, unknown>();
  #flat: { readonly entries: readonly unknown[]; readonly hashes: ReadonlySet<string> } = {
    entries: [],
    hashes: new Set(),
  };

  constructor(block: HeadedBlock) {
    this.#block = block;
  }

  /** Adds the receipt or trace of a transaction. */
  add(hash: string, value: unknown): void {
    this.#byHash.set(hash, value);
  }

  /** Adds the entries of trace_block. A transaction has several; a reward has no transaction. */
  addFlat(entries: readonly Record<string, unknown>[]): void {
    const fitting = entries.filter(
      (entry) => entry.type === "reward" || this.fits(entry, "transactionHash"),
    );
    const hashes = fitting.map(({ transactionHash }) => `${transactionHash}`.toLowerCase());
    this.#flat = { entries: fitting, hashes: new Set(hashes) };
  }

  /** Whether an object names one of the block's transactions, and no other block. */
  fits(value: Readonly<Record<string, unknown>>, key: string): boolean {
    const { hash, hashes } = this.#block;
    const { blockHash } = value;
    const isOfBlock = typeof blockHash !== "string" || isSameHash(blockHash, hash);
    return isOfBlock && hashes.some((transaction) => isSameHash(transaction, value[key]));
  }

  /** Hashes of the transactions without a receipt or trace. */
  get missing(): readonly string[] {
    const { hashes } = this.#block;
    const without = (entries: { has(hash: string): boolean }) =>
      hashes.filter((hash) => !entries.has(hash.toLowerCase()));
    const [nested, flat] = [without(this.#byHash), without(this.#flat.hashes)];
    return flat.length < nested.length ? flat : nested;
  }

  /** Receipts or traces by transaction, null for a missing one; or the entries of trace_block. */
  get values(): readonly unknown[] {
    const { hashes } = this.#block;
    if (this.#flat.hashes.size > this.#byHash.size) return this.#flat.entries;
    return hashes.map((hash) => this.#byHash.get(hash.toLowerCase()) ?? null);
  }
}

const isSameHash = (hash: string, value: unknown): boolean =>
  typeof value === "string" && hash.toLowerCase() === value.toLowerCase();

/** Fetches blocks, and learns which methods the node supports. */
export class BlockSource {
  readonly #node: RpcNode;
  readonly #receipts = new MethodChoice(RECEIPT_METHODS);
  readonly #traces = new MethodChoice(TRACE_METHODS, TRACES_HINT);
  readonly #wantsTraces: boolean;
  // Whether blocks are fetched with traces. False if the user wants none, or the node has no
  // tracer.
  isTraced: boolean;
  /** The first block whose receipts or traces the node says it lacks. */
  lack: Lack | undefined;
  // The block that the node was forked from. It is fetched without traces, because it ran on the
  // origin, which may have no tracing. Anvil has an empty trace of it.
  forkBlock: number | undefined;
  #incomplete: readonly string[] = [];
  /**
   * Whether a response without a result is requested again, because it may come later. Otherwise,
   * the next method is tried.
   */
  isPatient = true;

  constructor(node: RpcNode, wantsTraces = true) {
    this.#node = node;
    this.#wantsTraces = wantsTraces;
    this.isTraced = wantsTraces;
  }

  // Tries these methods last. If the kind of node has no method to trace by, blocks have no traces.
  avoid(methods: readonly string[]): void {
    this.#receipts.avoid(methods);
    this.#traces.avoid(methods);
    this.isTraced = this.#wantsTraces && TRACE_METHODS.some((method) => !methods.includes(method));
  }

  /** Notes about data that the node did not return, with the reasons. */
  get incomplete(): readonly string[] {
    return this.#incomplete;
  }

  /** Fetches blocks. A block that the node lacks, or replaced in the meantime, is undefined. */
  async blocks(from: number, count: number): Promise<(RpcBlock | undefined)[]> {
    const numbers = Array.from({ length: count }, (_, index) => from + index);
    const headed = await this.#headed(numbers);
    const present = headed.filter((block) => block !== undefined);
    const [receipts, traces] = await Promise.all([
      this.#ask(this.#receipts, present.filter(hasTransactions)),
      this.isTraced ? this.#ask(this.#traces, this.#toTrace(present)) : new Map(),
    ]);
    return headed.map((block) => block && this.#assemble(block, receipts, traces));
  }

  #assemble(
    headed: HeadedBlock,
    receipts: ReadonlyMap<number, unknown>,
    traces: ReadonlyMap<number, unknown>,
  ): RpcBlock | undefined {
    const { number, block, hashes } = headed;
    if (hashes.length === 0) return { block, receipts: [], traces: traces.get(number) ?? [] };
    const isForkBlock = this.isTraced && number === this.forkBlock;
    const fetched = {
      receipts: receipts.get(number),
      traces: isForkBlock ? hashes.map(withoutCalls) : traces.get(number),
    };
    const hasChanged =
      fetched.receipts === undefined || (this.isTraced && fetched.traces === undefined);
    return hasChanged ? undefined : { block, ...fetched };
  }

  /** Notes data that a block lacks. */
  note(what: string): void {
    if (this.#incomplete.includes(what)) return;
    this.#incomplete = [...this.#incomplete, what].slice(-MAX_INCOMPLETE);
  }

  // Requests blocks. Tries twice more after a refusal, because every node has the method, but a
  // gateway may refuse it once.
  async #requestBlocks(numbers: readonly number[], retries = 2): Promise<RpcResponse[]> {
    const responses = await this.#node.callAll(
      numbers.map((number) => ({ method: BLOCK, params: [quantityOf(number), true] })),
    );
    const refused = [...responses.keys()].filter((index) => {
      const response = responses[index];
      return response && "error" in response && new RpcError(BLOCK, response.error).isFinal;
    });
    if (refused.length === 0 || retries === 0) return responses;
    const again = refused.map((index) => numbers[index] ?? 0);
    for (const [at, response] of (await this.#requestBlocks(again, retries - 1)).entries())
      responses[refused[at] ?? 0] = response;
    return responses;
  }

  async #headed(numbers: readonly number[]): Promise<(HeadedBlock | undefined)[]> {
    const responses = await this.#requestBlocks(numbers);
    return numbers.map((number, index) => {
      const block = presentIn(BLOCK, responses[index]);
      if (block === undefined) return undefined;
      const { hash, transactions } = read(withHashes, block, ["block"]);
      return { number, hash, block, hashes: [...new Set(transactions.map(({ hash }) => hash))] };
    });
  }

  /**
   * Returns the blocks to trace: blocks with transactions, or all blocks if the node may return
   * rewards.
   */
  #toTrace(blocks: readonly HeadedBlock[]): readonly HeadedBlock[] {
    const traceable = blocks.filter(({ number }) => number !== this.forkBlock);
    return this.#traces.best === "trace_block" ? traceable : traceable.filter(hasTransactions);
  }

  /**
   * Returns receipts or traces by block number. Leaves out blocks that the node does not have for
   * now.
   */
  async #ask<M extends Method>(
    choice: MethodChoice<M>,
    blocks: readonly HeadedBlock[],
  ): Promise<Map<number, unknown>> {
    const valuesByBlock = new Map<number, unknown>();
    const gathered = new Map(blocks.map((block) => [block, new Gathered(block)]));
    const refusals = new Map<string, RpcError>();
    let open = blocks;
    // Tries each method twice, because a gateway may refuse a method once although it supports it.
    for (const method of [...choice.candidates(), ...choice.candidates()]) {
      if (open.length === 0) return valuesByBlock;
      const refused: HeadedBlock[] = [];
      let refusal: RpcError | undefined;
      let hasWorked = false;
      for (const [block, responses] of await this.#responses(method, open)) {
        const parts = gathered.get(block) ?? new Gathered(block);
        const outcome = this.#take(method, block, responses, parts);
        if (outcome === "whole") {
          valuesByBlock.set(block.number, parts.values);
          hasWorked ||= hasTransactions(block);
        }
        if (!(outcome instanceof RpcError)) continue;
        refusal = outcome;
        if (hasTransactions(block)) refused.push(block);
      }
      if (refusal !== undefined) refusals.set(refusal.message, refusal);
      if (hasWorked) choice.accepted(method);
      else if (refusal !== undefined) choice.refused(method);
      open = refused;
    }
    const reasons = [...refusals.keys()].join("; ");
    const lacksAll = [...refusals.values()].every(({ kind }) => kind === "unsupported");
    for (const block of open) {
      if (lacksAll && !choice.hasWorked)
        throw new FollowError(
          `the node supports none of ${choice.methods.join(", ")}: ${reasons}${choice.hint}`,
          { block: block.number },
        );
      const { missing, values } = gathered.get(block) ?? new Gathered(block);
      const isTraces = choice.hint !== "";
      const advice = isTraces ? `. ${WITHOUT_TRACES}` : "";
      const subject = `${isTraces ? "traces" : "receipts"} of ${missing.length} transactions`;
      this.note(`block ${block.number}, ${subject}: ${reasons}${advice}`);
      valuesByBlock.set(block.number, values);
    }
    return valuesByBlock;
  }

  async #responses(method: Method, blocks: readonly HeadedBlock[]) {
    const requests = blocks.map((block) => REQUESTS[method](block));
    const responses = await this.#node.callAll(requests.flat());
    let at = 0;
    return blocks.map((block, index) => {
      const length = requests[index]?.length ?? 0;
      at += length;
      return [block, responses.slice(at - length, at)] as const;
    });
  }

  // Takes the entries of the block from the responses of a method. Returns "whole" if the block is
  // now complete, "absent" if the node does not have it for now, or an error if another method
  // should be tried.
  #take(
    method: Method,
    block: HeadedBlock,
    responses: readonly RpcResponse[],
    parts: Gathered,
  ): "whole" | "absent" | RpcError {
    try {
      const isThere = PER_TRANSACTION.has(method)
        ? this.#takeEach(method, block, responses, parts)
        : this.#takeList(method, block, resultOf(method, responses[0]), parts);
      if (!isThere) return "absent";
      if (!hasTransactions(block) || parts.missing.length === 0) return "whole";
      throw refusedBy(
        method,
        `${parts.missing.length} transactions of the block are missing in it`,
      );
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.kind === "unavailable") {
        this.lack ??= { block: block.number, error };
        return "absent";
      }
      if (error.isFinal) return error;
      throw error;
    }
  }

  // Takes the results of one call for each transaction. Returns false if the node has no result for
  // now.
  #takeEach(
    method: Method,
    { number, hashes }: HeadedBlock,
    responses: readonly RpcResponse[],
    parts: Gathered,
  ): boolean {
    const isOnly = responses.length === 1 || responses.every((response) => "error" in response);
    // Some nodes ignore the tracer, and return steps.
    if (responses.some((response) => "structLogs" in Object(Object(response).result)))
      throw new RpcError(method, { code: -32601, message: "the node ignores the tracer" });
    const absent: string[] = [];
    for (const [index, hash] of hashes.entries()) {
      try {
        const value = resultOf(method, responses[index]);
        const isReceipt = method === "eth_getTransactionReceipt";
        const isOwn = isObject(value) && (!isReceipt || parts.fits(value, "transactionHash"));
        if (isOwn)
          parts.add(hash.toLowerCase(), isReceipt ? value : { txHash: hash, result: value });
        else absent.push(hash);
      } catch (error) {
        if (!(error instanceof RpcError) || !error.isFinal || isOnly) throw error;
        this.note(`block ${number}, transaction ${hash}: ${error.message}`);
        parts.add(hash.toLowerCase(), null);
      }
    }
    if (absent.length === 0) return true;
    if (this.isPatient) return false;
    if (absent.length === hashes.length)
      throw refusedBy(method, `there is no result for block ${number}`);
    for (const hash of absent) {
      this.note(`block ${number}, transaction ${hash}: ${method} has no result`);
      parts.add(hash.toLowerCase(), null);
    }
    return true;
  }

  // Takes the result of one call for the block. Returns false if the node has no result for now.
  #takeList(method: Method, block: HeadedBlock, result: unknown, parts: Gathered): boolean {
    const { number, hashes } = block;
    if (!Array.isArray(result)) {
      if (result !== null && result !== undefined)
        throw refusedBy(method, `there is no list for block ${number}`);
      if (this.isPatient) return false;
      throw refusedBy(method, `there is no result for block ${number}`);
    }
    const entries: readonly Record<string, unknown>[] = result.map(Object);
    if (entries.some((entry) => "action" in entry || entry.type === "reward")) {
      parts.addFlat(entries);
      return true;
    }
    const isReceipts = method.includes("Receipt");
    // Besu and erigon return an empty list for a block whose state they no longer have.
    if (entries.length === 0 && hashes.length > 0 && !isReceipts)
      throw new RpcError(method, { message: "no traces of a block's transactions" }, "unavailable");
    const key = isReceipts ? "transactionHash" : "txHash";
    let failure: string | undefined;
    for (const [index, entry] of entries.entries()) {
      // Traces of older nodes do not name their transactions.
      const named = key in entry || isReceipts ? entry : { txHash: hashes[index], ...entry };
      const isWhole = isReceipts || !isFailedTrace(entry);
      if (!isWhole)
        failure ??= `${named.txHash ?? "a transaction"} is not traced: ${failureOf(entry)}`;
      else if (entries.length === hashes.length || key in entry)
        if (parts.fits(named, key)) parts.add(`${named[key]}`.toLowerCase(), named);
    }
    if (failure === undefined) return true;
    // If one transaction took too long, the traces can still be requested one by one.
    const isGone = kindOf({ message: failure }) === "unavailable";
    throw new RpcError(method, { message: failure }, isGone ? "unavailable" : "refused");
  }
}

const refusedBy = (method: Method, message: string): RpcError =>
  new RpcError(method, { message }, "refused");

/** A callTracer trace of a transaction without internal transactions. */
const withoutCalls = (txHash: string) => ({ txHash, result: { type: "CALL" } });

/** Maximum notes about what blocks lack. */
const MAX_INCOMPLETE = 100;

/** Whether the node could not trace a transaction: it returned an error, or no result. */
const isFailedTrace = (trace: Readonly<Record<string, unknown>>): boolean =>
  !isObject(trace.result) && ("error" in trace || "result" in trace) && !("type" in trace);

const failureOf = ({ error }: Readonly<Record<string, unknown>>): string => {
  const message = isObject(error) ? error.message : error;
  return typeof message === "string" ? message : "no result";
};

const hasTransactions = ({ hashes }: HeadedBlock): boolean => hashes.length > 0;

// Returns the result, or undefined if the node does not have it.
// @throws RpcError for other errors
function presentIn(method: string, response: RpcResponse | undefined): unknown {
  try {
    return resultOf(method, response) ?? undefined;
  } catch (error) {
    if (error instanceof RpcError && error.kind === "unavailable") return undefined;
    throw error;
  }
}
