// Checks before the first test that Node's HTTP clients reach the handlers: something else may have
// replaced them.
import http from "node:http";
import https from "node:https";
import type { HttpHandler } from "msw";
import { messageOf } from "../../src/errors/base.ts";
import { handlerOf, resolverOf } from "./handlers.ts";

/** Milliseconds to wait for an answer, more than an intercepted request ever takes. */
const TIMEOUT_MS = 2000;

/** Advice for this environment. */
function advice(): string {
  if ("Bun" in globalThis)
    return "MSW does not intercept every client in Bun: give the client `fetch: mock.fetch`, or serve the explorer on a port (docs/testing.md)";
  if ("document" in globalThis)
    return "this DOM environment has its own clients, which do not reach MSW: use jest-fixed-jsdom, happy-dom or jsdom with MSW 2.3 or later, or give the client `fetch: mock.fetch`";
  return "it does not reach MSW, because something replaced it or its dispatcher: a MockAgent or another dispatcher of undici, nock imported first, a stub. Remove it, or give the client `fetch: mock.fetch`";
}

/** Requests a text from an address. */
type Ask = (address: string) => Promise<string>;

const byFetch: Ask = async (address) => {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  return response.ok ? text : `status ${response.status}`;
};

/** Sends a request by a function of `node:http` or `node:https`, looked up now, because MSW replaces it. */
const byModule =
  (module: typeof http | typeof https, name: "get" | "request"): Ask =>
  (address) =>
    new Promise((resolve, reject) => {
      const request = module[name](address, { timeout: TIMEOUT_MS }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      });
      request.on("error", reject);
      request.on("timeout", () => request.destroy(new Error(`no response in ${TIMEOUT_MS} ms`)));
      // `get` ends its request itself, and MSW 2.0 responds twice if it is ended twice.
      if (name === "request") request.end();
    });

/** Node's clients, by their names in messages. */
function clientsFor(address: string): Readonly<Record<string, Ask>> {
  const isSecure = address.startsWith("https:");
  const protocol = isSecure ? "https" : "http";
  const module = isSecure ? https : http;
  return {
    // Some environments have no fetch: jsdom has only XMLHttpRequest.
    ...(typeof fetch === "function" && { "the global fetch": byFetch }),
    [`${protocol}.get`]: byModule(module, "get"),
    [`${protocol}.request`]: byModule(module, "request"),
  };
}

/** Returns why a client did not get the expected text; undefined if it did. */
async function failureOf(ask: Ask, address: string, expected: string): Promise<string | undefined> {
  try {
    const text = await ask(address);
    return text === expected ? undefined : `something else answered: ${text.slice(0, 40)}`;
  } catch (error) {
    return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  }
}

/**
 * A request below the base address that only its own handler answers, so that the journal and a
 * test's handlers do not see it.
 */
export interface Probe {
  readonly handler: HttpHandler;
  /** Rejects with a TypeError if the request does not reach the handler. */
  send(): Promise<void>;
}

export function createProbe(baseUrl: string): Probe {
  const expected = crypto.randomUUID();
  const address = `${baseUrl}/mrc-explorer-probe/${expected}`;
  return {
    handler: handlerOf(
      ({ url }) => url === address,
      resolverOf(baseUrl, () => ({
        status: 200,
        headers: { "content-type": "text/plain" },
        body: expected,
      })),
    ),
    async send() {
      for (const [name, ask] of Object.entries(clientsFor(address))) {
        // Tries twice, because on a busy machine one request may exceed the time limit.
        const failure =
          (await failureOf(ask, address, expected)) && (await failureOf(ask, address, expected));
        if (failure !== undefined)
          throw new TypeError(
            `setupExplorer: ${baseUrl} is not intercepted for ${name} (${failure}): ${advice()}`,
          );
      }
    },
  };
}
