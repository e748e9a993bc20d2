// The page's clients: one that leaves no trace in faults and journal, and one that asks as any program does.
import { ExplorerClient } from "../../../src/client.ts";
import type { ExplorerClientOptions } from "../../../src/settings.ts";
import { keyToSend } from "../store.ts";

/** Below `/inspect` the operations answer without faults and journal: who looks on changes no test. */
export const explorer = new ExplorerClient({
  // Somebody waits: a service with faults is shown soon as what it is.
  timeout: 8000,
  retry: { limit: 1, maxRetryAfter: 1000 },
  baseUrl: `${location.origin}/inspect`,
  apiKey: keyToSend,
});

/** Like any program: faults apply to it, and the journal lists its requests. */
export const createServiceClient = (options: ExplorerClientOptions = {}) =>
  new ExplorerClient({
    retry: 0,
    baseUrl: location.origin,
    apiKey: keyToSend,
    ...options,
  });
