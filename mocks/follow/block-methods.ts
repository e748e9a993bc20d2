// RPC methods for the receipts and traces of a block, and the choice among those a node has.
import { quantityOf } from "../chain/hex.ts";
import type { RpcRequest } from "./rpc/post.ts";

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
  /** Whether a method has ever worked. If so, a refusal does not show that the node lacks all. */
  hasWorked = false;
  #order: readonly Method[];

  constructor(methods: readonly Method[], hint = "") {
    this.methods = methods;
    this.hint = hint;
    this.#order = methods;
  }

  /** Tries these methods last from now on, because the node is known not to have them. */
  avoid(methods: readonly string[]): void {
    const isAvoided = (method: Method) => methods.includes(method);
    this.#order = [
      ...this.methods.filter((method) => !isAvoided(method)),
      ...this.methods.filter(isAvoided),
    ];
  }

  /** Methods to try, best first. If all were refused, only the last one. */
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
export const TRACE_METHODS = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
] as const;
type TraceMethod = (typeof TRACE_METHODS)[number];
export const TRACES_HINT =
  '. Start the node with tracing, or follow it with traces: "none" (--traces none), without internal transactions';
/** RPC methods that return receipts, best first. go-metadium has `eth_getReceiptsByHash`. */
export const RECEIPT_METHODS = [
  "eth_getBlockReceipts",
  "eth_getReceiptsByHash",
  "eth_getTransactionReceipt",
] as const;
/** Ends a note about a block whose traces the node refuses. */
export const WITHOUT_TRACES =
  '--traces none (traces: "none") follows it without internal transactions';

export type Method = TraceMethod | (typeof RECEIPT_METHODS)[number];

const CALL_TRACER = { tracer: "callTracer" };

export const REQUESTS: Readonly<Record<Method, (block: HeadedBlock) => RpcRequest[]>> = {
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

export const PER_TRANSACTION: ReadonlySet<Method> = new Set([
  "debug_traceTransaction",
  "eth_getTransactionReceipt",
]);
