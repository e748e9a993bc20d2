// Everyday tasks of who develops a contract, on the page in a real browser, each in at most three actions: one stage for all of a node.
import { afterAll, beforeAll, describe } from "vitest";
import { startAnvil } from "../../support/anvil.ts";
import { hasChromium } from "../../support/chromium.ts";
import type { Visit } from "../../support/page.ts";
import { describeWithNode, startRealNode } from "../../support/real-nodes.ts";
import type { TestNode } from "../../support/test-node.ts";
import { actTasks } from "./act.ts";
import { openBrowser, type Stage, setStage } from "./scene.ts";
import { whyTasks } from "./why.ts";

let browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
beforeAll(async () => {
  if (hasChromium) browser = await openBrowser();
});
afterAll(() => browser?.close());

function tasksOn(start: () => Promise<TestNode>): void {
  describe.skipIf(!hasChromium)("is done in three actions:", () => {
    let given: { stage: Stage; visit: Visit } | undefined;
    beforeAll(async () => {
      const stage = await setStage(start);
      if (browser) given = { stage, visit: await browser.visit(stage) };
    });
    afterAll(async () => {
      await given?.visit.close();
      await given?.stage.stop();
    });
    const setting = () => {
      if (given === undefined) throw new Error("the stage is not set");
      return given;
    };
    whyTasks(setting);
    actTasks(setting);
  });
}

describe("a task on anvil", () => tasksOn(() => startAnvil()));

describeWithNode("hardhat-3", "a task on hardhat-3", () =>
  tasksOn(() => startRealNode("hardhat-3")),
);
