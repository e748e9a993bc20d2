// Asks for the standard of contracts as soon as they emit transfers: one that is set after many of them reads them all again, at once.
import type { BlockInput } from "../chain/block-input.ts";
import type { Address } from "../chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { HeadStateReader } from "../ingest/head-state.ts";
import type { RpcNode } from "../rpc/node.ts";
import { fetchHeadState } from "./head-calls.ts";
import { Touched } from "./touched.ts";

export class EarlyStandards {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #asked = new Set<Address>();
  #asking: Promise<unknown> = Promise.resolve();
  /** What the node told and the chain does not have yet. */
  #told: HeadStateReader[] = [];

  constructor(chain: ChainWriter, node: RpcNode) {
    this.#chain = chain;
    this.#node = node;
  }

  /** Asks about the contracts that are new in these blocks, which the chain has, and sets what the node told of others. */
  note(inputs: readonly BlockInput[]): void {
    this.#apply();
    const touched = new Touched();
    for (const { executions } of inputs)
      for (const { logs } of executions)
        for (const { address, topics } of logs) {
          if (this.#asked.has(address) || !isTransferTopic(topics[0])) continue;
          this.#asked.add(address);
          touched.accounts.add(address);
        }
    if (touched.accounts.size > 0) this.#asking = Promise.all([this.#asking, this.#ask(touched)]);
  }

  /** Resolves when all that was asked is set. */
  async settle(): Promise<void> {
    await this.#asking;
    this.#apply();
  }

  async #ask(touched: Touched): Promise<void> {
    try {
      const { calls } = await fetchHeadState(this.#node, touched, "latest");
      const reader = new HeadStateReader();
      for (const call of calls) reader.add(call);
      this.#told.push(reader);
    } catch {
      // The head state tells it too, and fails aloud.
    }
  }

  #apply(): void {
    for (const reader of this.#told) {
      const tokens = [...(reader.headState(this.#chain).tokens ?? [])];
      const news = tokens.flatMap(({ address, standard }) =>
        standard === undefined ? [] : [{ address, standard }],
      );
      if (news.length > 0) this.#chain.applyHeadState({ tokens: news });
    }
    this.#told = [];
  }
}

const isTransferTopic = (topic: string | undefined): boolean =>
  topic === TRANSFER_TOPIC || topic === CONSECUTIVE_TOPIC;
