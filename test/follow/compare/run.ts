// One comparison of a followed node with the node itself: a random history, piece by piece, until enough was compared.
import { followNode } from "../../../mocks/node.ts";
import { asking } from "../../support/test-node.ts";
import { Comparison, type Difference } from "./comparison.ts";
import { type Node, RandomHistory } from "./random-history.ts";

export interface CompareOptions {
  readonly url: string;
  /** How many values to compare at least. */
  readonly comparisons: number;
  readonly seed: number;
  /** Called after each piece. */
  readonly onProgress?: (line: string) => void;
}

export interface Compared {
  readonly comparisons: number;
  readonly differences: readonly Difference[];
  /** What happened, how often. */
  readonly history: Readonly<Record<string, number>>;
  /** What the node does not offer, so that it was not compared. */
  readonly lacks: readonly string[];
}

/** Steps between two comparisons. */
const STEPS = 12;

export async function compareWithNode(options: CompareOptions): Promise<Compared> {
  const { url, comparisons, seed, onProgress = () => {} } = options;
  const node: Node = { ask: asking(url) };
  const history = new RandomHistory(node, seed);
  await history.begin();
  const follower = await followNode(url, { interval: 3_600_000, onError: () => {} });
  const comparison = new Comparison(node, follower);
  try {
    while (comparison.count < comparisons) {
      for (let step = 0; step < STEPS; step += 1) await history.step();
      await follower.update();
      // After some reorganisations anvil has blocks that do not fit together.
      if (follower.status().state === "stuck") {
        await history.reset();
        await follower.update();
      }
      await comparison.run(history);
      // Who follows from now on is told the same.
      const fresh = await followNode(url, { interval: 3_600_000, onError: () => {} });
      const again = new Comparison(node, fresh);
      await again.state(history).finally(() => fresh.close());
      comparison.count += again.count;
      comparison.differences.push(...again.differences);
      onProgress(`${comparison.count} comparisons, ${comparison.differences.length} differences`);
    }
  } finally {
    await follower.close();
  }
  return {
    comparisons: comparison.count,
    differences: comparison.differences,
    history: Object.fromEntries(history.done),
    lacks: [...comparison.lacks],
  };
}
