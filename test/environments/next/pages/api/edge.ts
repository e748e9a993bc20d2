// An endpoint in Next's edge runtime, whose requests share a client.
import { type Address, ExplorerClient } from "mrc-explorer";

export const config = { runtime: "edge" };

let explorer: ExplorerClient | undefined;

export default async function balance(request: Request): Promise<Response> {
  explorer ??= new ExplorerClient();
  const address = new URL(request.url).searchParams.get("address") as Address;
  return new Response(`${await explorer.accounts.balance(address)}`);
}
