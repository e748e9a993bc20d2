// The mock server of the page: a service worker that serves the bakery's chain.
import { createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";
import { bakery } from "./bakery.ts";

/** Starts the worker, which then intercepts all requests of the page to `baseUrl`. */
export async function startMockServer(): Promise<{ baseUrl: string; first: string }> {
  const { builder, alice } = bakery();
  const mock = createExplorer({ chain: builder, baseUrl: `${location.origin}/explorer` });
  await setupExplorerWorker(mock).start();
  return { baseUrl: mock.baseUrl, first: alice };
}
