// Asks a node for one block with its receipts and traces, in whichever way the node offers.
import * as z from "zod/mini";
import type { BlockAnswers } from "./block.ts";
import { fastRecord } from "./fast.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import { RpcError, type RpcNode, resultOf } from "./rpc.ts";
import { list, text } from "./values.ts";

const withHashes = fastRecord(z.object({ transactions: list(z.object({ hash: text })) }));

/** The ways to learn what a block's transactions did, best first. */
export type TraceWay = "trace_block" | "debug_traceBlockByNumber" | "debug_traceTransaction";

const WAYS: readonly TraceWay[] = [
  "trace_block",
  "debug_traceBlockByNumber",
  "debug_traceTransaction",
];
const CALL_TRACER = { tracer: "callTracer" };

export function tag(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Asks for blocks; remembers which of the node's ways work. */
export class BlockSource {
  readonly #node: RpcNode;
  #ways: readonly TraceWay[];
  #blockReceipts = true;

  constructor(node: RpcNode, ways: readonly TraceWay[] = WAYS) {
    this.#node = node;
    this.#ways = ways;
  }

  /** Undefined if the node has no such block (any more). */
  async block(number: number): Promise<BlockAnswers | undefined> {
    const block = await this.#node.ask("eth_getBlockByNumber", [tag(number), true]);
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

  /** A block without transactions may have rewards, which only trace_block tells. */
  async #rewards(number: number): Promise<unknown> {
    return this.#ways[0] === "trace_block" ? await this.#traces(number, []) : [];
  }

  async #receipts(number: number, hashes: readonly string[]): Promise<unknown> {
    if (this.#blockReceipts) {
      try {
        return await this.#node.ask("eth_getBlockReceipts", [tag(number)]);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        this.#blockReceipts = false;
      }
    }
    return await this.#perTransaction("eth_getTransactionReceipt", hashes, []);
  }

  async #traces(number: number, hashes: readonly string[]): Promise<unknown> {
    const refusals: string[] = [];
    for (const way of this.#ways) {
      try {
        const traces = await this.#tracesBy(way, number, hashes);
        if (hashes.length > 0) this.#ways = [way];
        return traces;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        refusals.push(error.message);
      }
    }
    throw new IngestError(`expected the traces of its transactions; ${refusals.join("; ")}`, {
      block: number,
    });
  }

  async #tracesBy(way: TraceWay, number: number, hashes: readonly string[]): Promise<unknown> {
    if (way === "trace_block") return await this.#node.ask(way, [tag(number)]);
    if (hashes.length === 0) return [];
    if (way === "debug_traceTransaction") {
      return await this.#perTransaction(way, hashes, [CALL_TRACER]);
    }
    return await this.#node.ask(way, [tag(number), CALL_TRACER]);
  }

  async #perTransaction(
    method: string,
    hashes: readonly string[],
    more: readonly unknown[],
  ): Promise<unknown[]> {
    const answers = await this.#node.askAll(
      hashes.map((hash) => ({ method, params: [hash, ...more] })),
    );
    return answers.map((answer) => resultOf(method, answer));
  }
}
