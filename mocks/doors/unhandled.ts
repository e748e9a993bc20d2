// What happens to requests that nobody answers: in a test, no explorer and no other service may really be called.
import type { UnhandledFrameHandle } from "msw";

/** Names of this machine: a test may talk to servers it has started itself. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** The address of an HTTP request, or of a WebSocket connection. */
function addressOf(data: unknown): URL {
  const { request, connection } = data as {
    readonly request?: { readonly url: string };
    readonly connection?: { readonly client: { readonly url: string | URL } };
  };
  return new URL(request?.url ?? connection?.client.url ?? "about:blank");
}

/** Refuses what would leave this machine; MSW's own strategies have no such border. */
export const refuseOutside: UnhandledFrameHandle = ({ frame, defaults }) => {
  const { hostname, origin } = addressOf(frame.data);
  if (isLoopback(hostname)) return;
  defaults.error();
  throw new TypeError(`${origin} is not mocked, and tests must not call it`);
};
