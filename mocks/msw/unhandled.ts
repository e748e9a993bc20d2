// The default for requests without a handler: a test must not call a real explorer or any other service.
import type { UnhandledFrameHandle } from "msw";
import { isLoopback } from "../loopback.ts";

/** The data of MSW's frame: an HTTP request or a WebSocket connection. */
interface Data {
  readonly request?: { readonly url: string };
  readonly connection?: { readonly client: { readonly url: string | URL } };
}

/** Refuses requests to other machines; MSW's own strategies do not tell them apart. */
export const refuseOutside: UnhandledFrameHandle = ({ frame, defaults }) => {
  const { request, connection } = frame.data as Data;
  const { hostname } = new URL(request?.url ?? connection?.client.url ?? "about:blank");
  // A test may call servers it has started itself.
  if (isLoopback(hostname)) return;
  defaults.error();
  // An HTTP request fails like a network error; MSW would turn any other error into a response 500.
  throw request
    ? Response.error()
    : new TypeError(`no handler for ${hostname}; requests to other machines are refused`);
};
