// The tokens of collections (MRC721) that an account held at the end of a year.
import { type Address, ExplorerClient, sameAddress } from "mrc-explorer";

const { accounts, tokens } = new ExplorerClient();
const account = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const until = "2024-01-01";

const collections = new Set<Address>();
for await (const { token_address } of accounts.mrc721Transfers(account, { until }))
  collections.add(token_address);
for (const collection of collections) {
  const seen = new Set<bigint | null>();
  for await (const { token_id, value, receiver } of tokens.transfers(collection, { until })) {
    // Early collections log the id like an amount.
    const id = token_id ?? value;
    // The newest transfer of a token comes first.
    if (!seen.has(id) && sameAddress(receiver, account)) console.log(collection, id);
    seen.add(id);
  }
}
