// A route of Next's edge runtime, whose requests share a client.
import { type Address, ExplorerClient } from "mrc-explorer";

export const runtime = "edge";

let explorer: ExplorerClient | undefined;

export async function GET(request: Request): Promise<Response> {
  explorer ??= new ExplorerClient();
  const address = new URL(request.url).searchParams.get("address") as Address;
  return new Response(`${await explorer.accounts.balance(address)}`);
}
