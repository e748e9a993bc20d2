// Finds out before the first test whether `fetch` reaches the handlers: something else may have taken it over.
import { type HttpHandler, HttpResponse } from "msw";
import { messageOf } from "../../src/errors/base.ts";
import { handlerOf } from "./handlers.ts";

/** Longer than an intercepted request ever takes; another server, or none, is not waited for longer. */
const timeoutMs = 2000;

const explanation =
  "the global fetch does not reach MSW, because something replaced it or its dispatcher: a MockAgent or another dispatcher of undici, nock " +
  "imported first, a stub. Remove it, or give the client `fetch: mock.fetch`";

/** What the address answers: undefined for the expected text. */
async function failureOf(address: string, expected: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    return text === expected
      ? undefined
      : `something else answered, with status ${response.status}`;
  } catch (error) {
    return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  }
}

/** A request below the base address that only its own handler answers, so that the journal and a test's handlers do not see it. */
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
      () => HttpResponse.text(expected),
    ),
    async send() {
      // Without a fetch there is none to intercept: jsdom has XMLHttpRequest only.
      const failure = typeof fetch === "function" ? await failureOf(address, expected) : undefined;
      if (failure === undefined) return;
      throw new TypeError(
        `setupExplorer: ${baseUrl} is not intercepted (${failure}): ${explanation}`,
      );
    },
  };
}
