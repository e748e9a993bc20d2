// MSW handlers take the service's requests, respond as every other transport does, and leave other requests alone.
import { getResponse } from "msw";
import { expect, test, vi } from "vitest";
import { buildChain } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { createHandlers } from "../../mocks/msw/handlers.ts";

const story = buildChain();
story.mine();
const baseUrl = "https://explorer.test/api";
const mock = createExplorer({ chain: story, baseUrl });
const headers = { "api-key": "k" };

test("on the page's own origin, what is not below /v1 is the page's", async () => {
  vi.stubGlobal("location", new URL("https://explorer.test/page"));
  const handlers = createHandlers(mock);
  const ask = (target: string) =>
    getResponse(handlers, new Request(`${baseUrl}${target}`, { headers }));
  expect(await ask("/style.css")).toBeUndefined();
  expect((await ask("/v1/nowhere"))?.status).toBe(404);
});
