// The recipe for server components, rendered by React's server without Next: the page has the account, and no API key.
import { text } from "node:stream/consumers";
import { createElement } from "react";
import { renderToReadableStream } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import AccountPage from "../../examples/recipes/account-page.tsx";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";

test("renders an account on the server, through Next's fetch, and shows no key", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(100) });
  const bob = builder.account({ name: "bob" });
  for (let count = 0; count < 12; count++) builder.transfer(alice, bob, coins(count) / 4n);
  builder.mine();
  const key = "sk-server-0123456789";
  const served = await serveExplorer(createExplorer({ chain: builder, apiKeys: [key] }));
  onTestFinished(() => served.close());
  vi.stubEnv("EXPLORER_BASE_URL", served.url);
  vi.stubEnv("EXPLORER_API_KEY", key);
  // What Next puts in the place of fetch reads `next` of the options.
  const asked: unknown[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (input: string, init: RequestInit) => {
    asked.push(init);
    return fetch(input, init);
  });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  const page = createElement(AccountPage, { params: Promise.resolve({ address: bob }) });
  const html = await text(await renderToReadableStream(page));
  expect(html).toContain(`<h1>${bob}</h1>`);
  expect(html.replaceAll("<!-- -->", "")).toContain("<p>16.5 coins</p>");
  expect(html.match(/<li>/g)).toHaveLength(10);
  const cached = expect.objectContaining({ next: { revalidate: 10 } });
  expect(asked).toEqual([cached, cached]);
  expect(html).not.toContain(key);
});
