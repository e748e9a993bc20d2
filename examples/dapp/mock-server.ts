// The mock server of the pages: a service worker that serves the bakery's chain.
import type { Address } from "mrc-explorer";
import { coins } from "mrc-explorer/mocks";
import { createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";
import { bakery } from "./bakery.ts";

interface MockServer {
  readonly baseUrl: string;
  /** The bakery's account. */
  readonly first: Address;
  /** Has the next customer pay the bakery, in a new block. */
  pay(): void;
}

/** Starts the worker, which then intercepts all requests of the page to `baseUrl`. */
export async function startMockServer(): Promise<MockServer> {
  const { builder, alice, customers } = bakery();
  const mock = createExplorer({ chain: builder, baseUrl: `${location.origin}/explorer` });
  await setupExplorerWorker(mock).start();
  let paid = 0;
  return {
    baseUrl: mock.baseUrl,
    first: alice,
    pay() {
      const customer = customers[paid++ % customers.length];
      if (customer) builder.transfer(customer, alice, coins("0.25"));
      builder.mine();
    },
  };
}
