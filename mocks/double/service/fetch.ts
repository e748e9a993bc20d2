// The transport in memory: a `fetch` function over the dispatcher, for the client's `fetch` option and for parallel tests.

import type { Dispatch } from "./dispatcher.ts";
import { yieldToEventLoop } from "./event-loop.ts";
import { aborted, targetBelow, toResponseParts, toServiceRequest } from "./fetch-messages.ts";

/** A broken connection, as `fetch` reports it. */
const connectionReset = () =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  });

export const createFetch =
  (base: string, dispatch: Dispatch): typeof fetch =>
  async (input, init) => {
    const request =
      input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const target = targetBelow(base, request.url);
    if (target === undefined)
      throw new TypeError(`mock.fetch: expected a URL below ${base}, received ${request.url}`);
    await yieldToEventLoop();
    const response = await Promise.race([
      dispatch(await toServiceRequest(request, target)),
      aborted(signal),
    ]);
    if (response.delivery?.kind === "never") return aborted(signal);
    if (response.delivery?.kind === "reset") throw connectionReset();
    return new Response(...toResponseParts(response, request));
  };
