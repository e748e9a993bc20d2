// The door for `fetch`: a function that answers in place, for the client's `fetch` option and for parallel tests.
import type { Dispatch } from "./dispatcher.ts";
import { targetBelow, toServiceRequest } from "./request.ts";
import { aborted, toResponseParts } from "./response.ts";
import { yieldToEventLoop } from "./timing.ts";

/** A broken connection as `fetch` reports one. */
const connectionReset = () =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  });

export const createFetch =
  (base: string, answer: Dispatch): typeof fetch =>
  async (input, init) => {
    const request =
      input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const target = targetBelow(base, request.url);
    if (target === undefined)
      throw new TypeError(`mock.fetch answers for ${base}, not for ${request.url}`);
    await yieldToEventLoop();
    const reply = await Promise.race([
      answer(await toServiceRequest(request, target)),
      aborted(signal),
    ]);
    if (reply.delivery?.kind === "never") return aborted(signal);
    if (reply.delivery?.kind === "reset") throw connectionReset();
    return new Response(...toResponseParts(reply, signal));
  };
