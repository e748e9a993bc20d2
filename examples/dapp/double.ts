// The explorer's double behind the page: a service worker that answers for a chain with a story on it.
import { createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";
import { bakery } from "./bakery.ts";

/** Starts the worker. From then on the page's requests to `baseUrl` are answered here. */
export async function startDouble(): Promise<{ baseUrl: string; first: string }> {
  const { story, alice } = bakery();
  const mock = createExplorer({ chain: story, baseUrl: `${location.origin}/explorer` });
  await setupExplorerWorker(mock).start();
  return { baseUrl: mock.baseUrl, first: alice };
}
