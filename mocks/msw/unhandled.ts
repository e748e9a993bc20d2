// What happens to requests that nobody answers: in a test, no explorer and no other service may really be called.
import type { UnhandledFrameHandle } from "msw";

/** Names of this machine: a test may talk to servers it has started itself. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** What MSW hands over: an HTTP request, or a WebSocket connection. */
interface Data {
  readonly request?: { readonly url: string };
  readonly connection?: { readonly client: { readonly url: string | URL } };
}

/** Refuses what would leave this machine; MSW's own strategies have no such border. */
export const refuseOutside: UnhandledFrameHandle = ({ frame, defaults }) => {
  const { request, connection } = frame.data as Data;
  const { hostname } = new URL(request?.url ?? connection?.client.url ?? "about:blank");
  if (isLoopback(hostname)) return;
  defaults.error();
  // An HTTP request fails as on a network that is down; any Error would reach the program as an answer of 500.
  throw request ? Response.error() : new TypeError(`${hostname} is not mocked`);
};
