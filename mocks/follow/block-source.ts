// Fetches blocks with their receipts and traces, several in one request, by the methods the node supports.

import * as z from "zod/mini";
import { isObject } from "../../src/models/issues.ts";
import { quantityOf } from "../chain/hex.ts";
import type { RpcBlock } from "../ingest/block.ts";
import { IngestError, list, quantity, read, text } from "../ingest/read.ts";
import { type BlockFrames, framesOfSteps } from "../ingest/step-frames.ts";
import { StateBefore } from "../ingest/steps.ts";
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

/** A trace with memory is many times as large: none is requested with more steps than this. */
const MAX_STEPS_WITH_MEMORY = 50_000;

/** A trace as steps, without memory or with it. */
const stepsRequest = (hash: string, withMemory: boolean): RpcRequest => ({
  method: "debug_traceTransaction",
  params: [hash, { disableStorage: true, disableMemory: !withMemory, enableMemory: withMemory }],
});

/** A block whose transactions were traced as steps, without memory. */
export interface SteppedRpcBlock {
  readonly number: number;
  readonly hashes: readonly string[];
  readonly block: unknown;
  readonly receipts: unknown;
  readonly traces: readonly unknown[];
}

/** The frames of a block's transactions; `onIncomplete` is called for each whose inputs stay unknown. */
async function framesOf(
  node: RpcNode,
  { number, hashes, block, receipts, traces }: SteppedRpcBlock,
  onIncomplete: (hash: string) => void,
): Promise<BlockFrames["traces"]> {
  const before = new StateBefore();
  const steps = traces.map((trace) => ({ trace, hasMemory: false }));
  let built = framesOfSteps({ block, receipts, steps }, before);
  const isLarge = (index: number) => stepCount(traces[index]) > MAX_STEPS_WITH_MEMORY;
  const open = built.needMemory.filter((index) => !isLarge(index));
  for (const index of built.needMemory.filter(isLarge)) onIncomplete(hashes[index] ?? "");
  if (open.length > 0) {
    const requests = open.map((index) => stepsRequest(hashes[index] ?? "", true));
    const responses = await node.callAll(requests);
    for (const [at, index] of open.entries())
      steps[index] = { trace: resultOf("debug_traceTransaction", responses[at]), hasMemory: true };
    built = framesOfSteps({ block, receipts, steps }, before);
  }
  // A response may lead to another question: an address that follows from a nonce, and then its balance.
  for (let round = 0; before.missing.length > 0; round += 1) {
    if (round > hashes.length + 10)
      throw new IngestError("cannot determine the state before the block", { block: number });
    const facts = before.missing;
    const at = quantityOf(number - 1);
    const responses = await node.callAll(
      facts.map(({ method, address }) => ({ method, params: [address, at] })),
    );
    for (const [index, fact] of facts.entries())
      before.learn(fact, read(quantity, resultOf(fact.method, responses[index]), [fact.method]));
    built = framesOfSteps({ block, receipts, steps }, before);
  }
  return built.traces;
}

const stepCount = (trace: unknown): number => {
  const { structLogs } = trace as { readonly structLogs?: readonly unknown[] };
  return structLogs?.length ?? 0;
};

const withHashes = z.object({ hash: text, transactions: list(z.object({ hash: text })) });

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
  "debug_traceTransaction without a tracer": ({ hashes }) =>
    hashes.map((hash) => stepsRequest(hash, false)),
  eth_getBlockReceipts: ({ number }) => [
    { method: "eth_getBlockReceipts", params: [quantityOf(number)] },
  ],
  eth_getReceiptsByHash: ({ hash }) => [{ method: "eth_getReceiptsByHash", params: [hash] }],
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
  readonly #traces: MethodChoice<TraceMethod> | undefined;
  #incomplete: readonly string[] = [];
  /** Since when the node has had no receipt or trace of a transaction whose block it has. */
  readonly #absent = new Map<string, number>();
  #lack: Lack | undefined;
  #forkBlock: number | undefined;

  /** Without trace methods, blocks are fetched without traces. */
  constructor(node: RpcNode, traceMethods: readonly TraceMethod[] = TRACE_METHODS) {
    this.#node = node;
    this.#traces =
      traceMethods.length === 0 ? undefined : new MethodChoice(traceMethods, TRACES_HINT);
  }

  /** Methods that the node is known not to have are tried last. */
  avoid(methods: readonly string[]): void {
    this.#receipts.avoid(methods);
    this.#traces?.avoid(methods);
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
    const fetched = {
      receipts: receipts.get(number),
      traces: isUntraced ? given.hashes.map(withoutCalls) : traces.get(number),
    };
    const changed =
      fetched.receipts === undefined ||
      (this.#traces !== undefined && fetched.traces === undefined);
    if (changed) return undefined;
    if (!isStepped(fetched.traces)) return { block, ...fetched };
    const stepped = { ...given, ...fetched, traces: fetched.traces };
    return { block, ...fetched, traces: await framesOf(this.#node, stepped, this.#noteIncomplete) };
  }

  readonly #noteIncomplete = (hash: string): void =>
    this.note(`debug_traceTransaction ${hash} (memory)`);

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
    return this.#traces?.best === "trace_block" ? own : own.filter(hasTransactions);
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
const isStepped = (traces: unknown): traces is readonly unknown[] =>
  Array.isArray(traces) && traces.some((trace) => isObject(trace) && "structLogs" in trace);

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
