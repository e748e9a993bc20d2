// Answers that a page's test puts in the service's place: an uncaught error where they break the contract.
import { HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { ConformanceError, createExplorer, setupExplorerWorker } from "../../mocks/browser.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const baseUrl = "https://explorer.example";
const mock = createExplorer({ chain: buildSampleChain().chain, baseUrl, conformance: "throw" });
const { worker, start, stop } = setupExplorerWorker(mock);
const uncaught = vi.fn();

const ask = (path: string) => fetch(`${baseUrl}${path}`, { headers: { "api-key": "k" } });
/** MSW tells of an answer after the page has heard it. */
const told = () => new Promise((resolve) => setTimeout(resolve, 200));

beforeAll(async () => {
  vi.stubGlobal("reportError", uncaught);
  await start();
});
afterEach(() => {
  worker.resetHandlers();
  mock.reset();
  uncaught.mockClear();
});
afterAll(async () => {
  await stop();
  vi.unstubAllGlobals();
});

test("one that breaks the contract arrives, and is an uncaught error", async () => {
  worker.use(http.get(`${baseUrl}/v1/blocks/:number`, () => HttpResponse.json({})));
  expect(await (await ask("/v1/blocks/1")).json()).toEqual({});
  await expect.poll(() => uncaught.mock.calls).toEqual([[expect.any(ConformanceError)]]);
  expect(mock.violations).toHaveLength(1);
});

test("one that keeps it is not", async () => {
  const refusal = { status: "503", message: "busy", results: null };
  worker.use(
    http.get(`${baseUrl}/v1/blocks/:number`, () => HttpResponse.json(refusal, { status: 503 })),
  );
  expect((await ask("/v1/blocks/1")).status).toBe(503);
  await told();
  expect(uncaught).not.toHaveBeenCalled();
});
