// app/cached/[address]/revalidate/route.ts: a POST makes the next visit read the account again. Let
// your own server call it, for example after a transaction, and check who calls.
import { revalidateTag } from "next/cache";

interface Context {
  readonly params: Promise<{ readonly address: string }>;
}

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  const { address } = await params;
  revalidateTag(`account:${address.toLowerCase()}`, { expire: 0 });
  return new Response(null, { status: 204 });
}
