// The lists of the recipe for client components, on a page of their own.
import type { Address } from "mrc-explorer";
import { LiveAccount } from "../../accounts/[address]/live";

interface PageProps {
  readonly params: Promise<{ readonly address: Address }>;
}

export default async function LivePage({ params }: PageProps) {
  const { address } = await params;
  return <LiveAccount account={address} />;
}
