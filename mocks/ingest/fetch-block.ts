// Fetches one block with its receipts and traces, by the methods the node supports.
import * as z from "zod/mini";
import type { RpcBlock } from "./block.ts";
import { fastRecord } from "./fast.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import { RpcError, type RpcNode, resultOf } from "./rpc.ts";
import { list, text } from "./values.ts";

const withHashes = fastRecord(z.object({ transactions: list(z.object({ hash: text })) }));

/** The RPC methods that return traces, best first. */
export type TraceMethod = "trace_block" | "debug_traceBlockByNumber" | "debug_traceTransaction";

const TRACE_METHODS: readonly TraceMethod[] = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
];
const CALL_TRACER = { tracer: "callTracer" };

/** A number as JSON-RPC writes it: `0x1a`. */
export function hexQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Fetches blocks; remembers which methods the node supports. */
export class BlockSource {
  readonly #node: RpcNode;
  #traceMethods: readonly TraceMethod[];
  #blockReceipts = true;

  constructor(node: RpcNode, traceMethods: readonly TraceMethod[] = TRACE_METHODS) {
    this.#node = node;
    this.#traceMethods = traceMethods;
  }

  /** Undefined if the node does not have the block. */
  async block(number: number): Promise<RpcBlock | undefined> {
    const block = await this.#node.call("eth_getBlockByNumber", [hexQuantity(number), true]);
    if (block === null || block === undefined) return undefined;
    const { transactions } = read(withHashes, block, ["block"]);
    const hashes = transactions.map(({ hash }) => hash);
    if (hashes.length === 0) return { block, receipts: [], traces: await this.#rewards(number) };
    const [receipts, traces] = await Promise.all([
      this.#receipts(number, hashes),
      this.#traces(number, hashes),
    ]);
    return { block, receipts, traces };
  }

  /** The rewards of a block without transactions, which only trace_block returns. */
  async #rewards(number: number): Promise<unknown> {
    return this.#traceMethods[0] === "trace_block" ? await this.#traces(number, []) : [];
  }

  async #receipts(number: number, hashes: readonly string[]): Promise<unknown> {
    if (this.#blockReceipts) {
      try {
        return await this.#node.call("eth_getBlockReceipts", [hexQuantity(number)]);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        this.#blockReceipts = false;
      }
    }
    return await this.#perTransaction("eth_getTransactionReceipt", hashes, []);
  }

  async #traces(number: number, hashes: readonly string[]): Promise<unknown> {
    const failures: string[] = [];
    for (const method of this.#traceMethods) {
      try {
        const traces = await this.#tracesBy(method, number, hashes);
        if (hashes.length > 0) this.#traceMethods = [method];
        return traces;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        failures.push(error.message);
      }
    }
    throw new IngestError(`the node returned no traces: ${failures.join("; ")}`, {
      block: number,
    });
  }

  async #tracesBy(
    method: TraceMethod,
    number: number,
    hashes: readonly string[],
  ): Promise<unknown> {
    if (method === "trace_block") return await this.#node.call(method, [hexQuantity(number)]);
    if (hashes.length === 0) return [];
    if (method === "debug_traceTransaction") {
      return await this.#perTransaction(method, hashes, [CALL_TRACER]);
    }
    return await this.#node.call(method, [hexQuantity(number), CALL_TRACER]);
  }

  async #perTransaction(
    method: string,
    hashes: readonly string[],
    more: readonly unknown[],
  ): Promise<unknown[]> {
    const responses = await this.#node.callAll(
      hashes.map((hash) => ({ method, params: [hash, ...more] })),
    );
    return responses.map((response) => resultOf(method, response));
  }
}
