// A node whose chain may be replaced from a block on, and what it is asked.
import { onTestFinished } from "vitest";
import { type FollowOptions, followNode } from "../../mocks/follow/follow-node.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";

export const BLOCK = "eth_getBlockByNumber";
/** The last block, and the first that is followed. */
export const LAST = 92;
export const FIRST = 84;

export const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });

const recorded = readRecords<{ readonly block: { readonly hash: string } }>(DEMO, "blocks").map(
  ({ block }) => block.hash,
);

/** A node with the last blocks of the demo chain, which may be replaced from a number on; and what it is asked. */
export class BranchingNode extends FakeNode {
  /** The first block that is another one, and the last. */
  replacedFrom = LAST + 1;
  replacedTo = LAST;
  /** What the hashes of other blocks begin with. */
  branch = "f00d";
  /** Instead of an answer. */
  spoil: (call: Call) => RpcAnswer | undefined = () => undefined;
  calls: string[] = [];

  constructor() {
    super();
    this.faults.call = (call) => {
      this.calls.push([call.method, ...call.params].join(" "));
      return this.spoil(call) ?? this.branched(call);
    };
  }

  /** The hash of a block. */
  hash(number: number): string {
    const hash = recorded[number] ?? "";
    const isOther = number >= this.replacedFrom && number <= this.replacedTo;
    return isOther ? `0x${this.branch}${hash.slice(6)}` : hash;
  }

  /** The answer, with the hashes of replaced blocks. */
  branched(call: Call): RpcAnswer {
    if (this.replacedFrom > LAST) return this.answer(call);
    let text = JSON.stringify(this.answer(call));
    for (let number = this.replacedFrom; number <= this.replacedTo; number += 1)
      text = text.replaceAll(recorded[number] ?? "", this.hash(number));
    return JSON.parse(text);
  }

  /** The numbers of the blocks that were asked for in whole since the last time. */
  taken(): number[] {
    const asked = this.calls.splice(0);
    return asked
      .map((call) => /^eth_getBlockByNumber (0x[0-9a-f]+) true$/.exec(call)?.[1])
      .flatMap((number) => (number === undefined ? [] : [Number(number)]));
  }
}

/** Follows the last blocks of a node. */
export async function follow(node: BranchingNode, options: FollowOptions = {}) {
  const errors: string[] = [];
  const follower = await followNode(node.url, {
    ...{ fetch: node.fetch, interval: 3_600_000, retries: 0, fromBlock: FIRST, traces: "none" },
    onError: (error) => errors.push(String(error)),
    ...options,
  });
  onTestFinished(() => follower.close());
  return { ...follower, chain: follower.chain, errors };
}
