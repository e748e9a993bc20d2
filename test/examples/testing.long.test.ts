// The examples of testing a dApp run as they stand, in a project that has the package as it is
// published.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools } from "../package/consumer.ts";
import { chromiumPath, hasChromium } from "../support/chromium.ts";

const examples = fileURLToPath(new URL("../../examples/testing", import.meta.url));
const has = (program: string): boolean => {
  const found = spawnSync(program, ["--version"]).status === 0;
  if (!found) {
    console.warn(`*** No ${program}: the example that needs it is skipped. ***`);
  }
  return found;
};

describe("an example of testing a dApp", () => {
  let project: Consumer;
  beforeAll(() => {
    project = createConsumer(["vitest", "jest", "@jest/globals", "msw", "playwright", "vite"]);
    cpSync(examples, project.folder, { recursive: true });
  });
  afterAll(() => project?.remove());

  const modules = (path: string) => join(project.folder, "node_modules", path);

  test("with vitest", () => {
    const ran = project.node([modules("vitest/vitest.mjs"), "run", "vitest.test.mts"]);
    expect(ran.stdout + ran.stderr).toMatch(/8 passed/);
    expect(ran.code).toBe(0);
  });

  test.skipIf(!hasTools).each([
    ["jest.test.mjs", /3 passed/],
    ["jest-msw.test.mjs", /2 passed/],
  ])("with jest: %s", (file, passed) => {
    const ran = project.node(["--experimental-vm-modules", modules("jest/bin/jest.js"), file]);
    expect(ran.stderr).toMatch(passed);
    expect(ran.code).toBe(0);
  });

  test.each([
    ["node.test.mts", 4],
    ["scenarios.test.mts", 12],
    ["by-hand.test.mts", 12],
  ])("with node:test: %s", (file, count) => {
    const ran = project.node(["--test", "--test-reporter=tap", file]);
    expect(ran.stdout).toMatch(new RegExp(`# pass ${count}`));
    expect(ran.code).toBe(0);
  });

  test.skipIf(!hasChromium)("with Playwright", () => {
    const ran = project.node([modules("playwright/cli.js"), "test", "playwright.spec.mts"], {
      CHROMIUM_PATH: chromiumPath ?? "",
    });
    expect(ran.stdout + ran.stderr).toMatch(/2 passed/);
    expect(ran.code).toBe(0);
  });

  test.skipIf(!has("python3"))("in another language", () => {
    const ran = project.run("python3", ["any-language.py"]);
    expect(ran.stderr).toMatch(/Ran 5 tests[\s\S]*OK/);
  });

  test.skipIf(!has("curl"))("in a shell", () => {
    const ran = project.run("sh", ["any-shell.sh"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("the explorer answered");
    expect(ran.stdout).toContain("the next requests failed as asked");
    expect(existsSync(join(project.folder, "ready.txt"))).toBe(false);
  });
});
