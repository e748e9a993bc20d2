// The explorer of the pages: the one at VITE_EXPLORER_URL, or a mock server in the page.
import { type Address, ExplorerClient } from "mrc-explorer";

const explorerUrl: string | undefined = import.meta.env.VITE_EXPLORER_URL;

interface Connection {
  readonly explorer: ExplorerClient;
  /** The account to show first, if one is known. */
  readonly first: Address | null;
  /** Has a customer pay that account, on the chain of the mock server. */
  readonly pay: (() => void) | null;
}

/**
 * The client for an explorer. A key in a page is public: in production, send requests through your
 * own server and add the key there.
 */
const clientFor = (baseUrl: string): ExplorerClient =>
  new ExplorerClient({ baseUrl, apiKey: import.meta.env.VITE_EXPLORER_KEY ?? "demo" });

export async function connect(): Promise<Connection> {
  if (explorerUrl !== undefined)
    return { explorer: clientFor(explorerUrl), first: null, pay: null };
  const { startMockServer } = await import("./mock-server.ts");
  const { baseUrl, first, pay } = await startMockServer();
  return { explorer: clientFor(baseUrl), first, pay };
}
