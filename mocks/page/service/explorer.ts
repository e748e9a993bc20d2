// The page's client of the API that serves it.
import { ExplorerClient } from "../../../src/client.ts";
import { keyToSend } from "./keys.ts";

export const explorer = new ExplorerClient({
  baseUrl: location.origin,
  apiKey: keyToSend,
  // Somebody waits for it: a service with faults is shown soon as what it is.
  timeout: 6000,
  retry: { limit: 1, maxRetryAfter: 1000 },
  // The chain may be set back, and its tests look for every answer as it is.
  dedupe: true,
});
