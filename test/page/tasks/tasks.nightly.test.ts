// Everyday tasks of contract developers, on the page in a real browser. All tasks share one node.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAnvil } from "../../support/anvil.ts";
import { hasChromium } from "../../support/chromium.ts";
import type { Visit } from "../../support/page.ts";
import { describeWithNode, startRealNode } from "../../support/real-nodes.ts";
import type { TestNode } from "../../support/test-node.ts";
import { actTasks } from "./act.ts";
import { openBrowser, type Stage, setStage, type Task } from "./scene.ts";
import { whyTasks } from "./why.ts";

let browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
beforeAll(async () => {
  if (hasChromium) browser = await openBrowser();
});
afterAll(() => browser?.close());

function tasksOn(start: () => Promise<TestNode>): void {
  describe.skipIf(!hasChromium)("is done:", () => {
    let stage: Stage | undefined;
    let visit: Visit | undefined;
    beforeAll(async () => {
      stage = await setStage(start);
      visit = await browser?.visit(stage);
    });
    afterAll(async () => {
      await visit?.close();
      await stage?.stop();
    });
    const task: Task = (title, addressIn, steps) =>
      test(title, async () => {
        if (!stage || !visit) throw new Error("the stage is not set");
        await visit.open(addressIn(stage));
        await steps({ stage, visit });
        expect(visit.problems).toEqual([]);
      });
    whyTasks(task);
    actTasks(task);
  });
}

describe("a task on anvil", () => tasksOn(() => startAnvil()));

describeWithNode("hardhat-3", "a task on hardhat-3", () =>
  tasksOn(() => startRealNode("hardhat-3")),
);
