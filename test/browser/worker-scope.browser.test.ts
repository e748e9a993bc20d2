// A service worker that cannot intercept the page's requests is refused, in a file of its own: MSW allows one a page.
import { beforeEach, expect, test } from "vitest";
import { createExplorer, setupExplorerWorker } from "../../mocks/browser.ts";

const registrations = () => navigator.serviceWorker.getRegistrations();

// Other files of the same origin leave theirs, and MSW takes what is there.
beforeEach(async () => {
  for (const registration of await registrations()) await registration.unregister();
});

test("a worker whose scope leaves the page out is refused, with what to do, and leaves nothing registered", async () => {
  const serviceWorker = { options: { scope: "/elsewhere/" } };
  const { start } = setupExplorerWorker(createExplorer({ baseUrl: "https://other.example" }));
  await expect(start({ serviceWorker })).rejects.toThrow(
    /is outside the scope of MSW's service worker, .*\/elsewhere\/: .* Serve mockServiceWorker\.js from the root/,
  );
  expect(await registrations()).toEqual([]);
});
