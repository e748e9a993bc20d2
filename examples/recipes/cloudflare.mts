// A Cloudflare Worker that answers with an account's balance. All requests share one client, and so
// its rate limit.
import { ExplorerClient, isAddress } from "mrc-explorer";

interface Bindings {
  readonly EXPLORER_BASE_URL: string;
  readonly EXPLORER_API_KEY: string;
}

let explorer: ExplorerClient | undefined;

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    explorer ??= new ExplorerClient({
      baseUrl: bindings.EXPLORER_BASE_URL,
      apiKey: bindings.EXPLORER_API_KEY,
      rateLimit: { requests: 50, perMs: 1_000 },
    });
    const address = new URL(request.url).searchParams.get("address") ?? "";
    if (!isAddress(address)) return Response.json({ error: "No address" }, { status: 400 });
    const balance = await explorer.accounts.balance(address, { signal: request.signal });
    return Response.json({ address, balance: balance.toString() });
  },
};
