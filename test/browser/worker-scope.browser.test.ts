// A service worker that cannot intercept the page's requests is refused, in a file of its own: MSW allows one a page.
import { expect, test } from "vitest";
import { createExplorer, setupExplorerWorker } from "../../mocks/browser.ts";

test("a worker whose scope leaves the page out is refused, with what to do", async () => {
  const serviceWorker = { options: { scope: "/elsewhere/" } };
  const { start } = setupExplorerWorker(createExplorer({ baseUrl: "https://other.example" }));
  await expect(start({ serviceWorker })).rejects.toThrow(
    /is outside the scope of MSW's service worker, .*\/elsewhere\/: .* Serve mockServiceWorker\.js from the root/,
  );
});
