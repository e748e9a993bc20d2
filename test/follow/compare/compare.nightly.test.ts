// What the explorer of a followed node answers is what the node has: random histories, compared field by field by other methods.
import { describe, expect, test } from "vitest";
import { startAnvil } from "../../support/anvil.ts";
import { describeWithNode, startRealNode } from "../../support/real-nodes.ts";
import { runs } from "../../support/runs.ts";
import type { TestNode } from "../../support/test-node.ts";
import { compareWithNode } from "./run.ts";

const SEED = Number(process.env.HISTORY_SEED ?? 1);
const COMPARISONS = runs(800);

function compare(start: () => Promise<TestNode>): void {
  test(`${COMPARISONS} comparisons (seed ${SEED}) show no difference`, async () => {
    const node = await start();
    try {
      const compared = await compareWithNode({
        ...{ url: node.url, comparisons: COMPARISONS, seed: SEED },
      });
      expect(compared.differences.slice(0, 20)).toEqual([]);
      expect(compared.comparisons).toBeGreaterThanOrEqual(COMPARISONS);
    } finally {
      await node.stop();
    }
  });
}

describe("anvil", () => compare(() => startAnvil()));

describeWithNode("hardhat-3", "hardhat-3", () => compare(() => startRealNode("hardhat-3")));
