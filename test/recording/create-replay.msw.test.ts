// A replay in the tests of a file: MSW intercepts the requests to the real explorer's address, and lets through those that record.
import * as hooks from "vitest";
import { afterAll, expect, test, vi } from "vitest";
import { setupExplorer } from "../../mocks/msw.ts";
import { createExplorer, createReplay, loadDemo, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { temporaryFolder } from "../support/project.ts";

const real = createExplorer({ chain: await loadDemo() });
const served = await serveExplorer(real);
const folder = temporaryFolder("recording");

vi.stubEnv("MRC_RECORD", "1");
const recording = createReplay(folder, { upstream: served.url });
vi.unstubAllEnvs();
afterAll(() => served.close());

setupExplorer(recording, { hooks });

const ask = () => new ExplorerClient({ baseUrl: served.url, apiKey: "any" }).blocks.get(9n);

test("with MRC_RECORD the real explorer answers, and is recorded", async () => {
  expect((await ask()).block_number).toBe(9n);
  expect(real.journal.count("B1")).toBe(1);
  expect(recording.journal.count("B1")).toBe(1);
});

test("a replay of it asks nobody, and begins again with each test", async () => {
  const replay = createReplay(folder, { upstream: served.url });
  expect(replay.baseUrl).toBe(served.url);
  const { baseUrl, fetch } = replay;
  const client = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  expect((await client.blocks.get(9n)).block_number).toBe(9n);
  expect(real.journal.count("B1")).toBe(1);
  expect(recording.journal.entries).toEqual([]);
});
