/** @jsxImportSource react */
// app/cached/[address]/page.tsx: a balance that Next keeps for all visitors, until its time is over
// or its tag is revalidated.

import { type Address, ExplorerClient, formatTokenAmount } from "mrc-explorer";
import { cacheLife, cacheTag } from "next/cache";

let client: ExplorerClient | undefined;

async function balanceOf(address: Address): Promise<bigint> {
  "use cache";
  cacheLife("minutes");
  // In lower case, because one account has many spellings.
  cacheTag(`account:${address.toLowerCase()}`);
  client ??= new ExplorerClient({ totalTimeout: 10_000 });
  return client.accounts.balance(address);
}

interface PageProps {
  readonly params: Promise<{ readonly address: Address }>;
}

export default async function CachedPage({ params }: PageProps) {
  const { address } = await params;
  return <p>{formatTokenAmount(await balanceOf(address), 18)} coins</p>;
}
