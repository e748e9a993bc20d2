// The state at the head that each operation reads: a live chain fetches it before the operation
// answers.

import type { OperationId } from "../../src/contract/index.ts";
import { participantsOf } from "../chain/block-effects.ts";
import { items, reversed } from "../chain/listing.ts";
import type { HeadRead } from "../chain/live-chain.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import {
  type Address,
  type Frame,
  hasIds,
  standards,
  type TokenStandard,
  type Transfer,
} from "../chain/records.ts";
import { lower, type Paging, range } from "./format.ts";
import type { OperationHeadReads } from "./handler.ts";

type Reads<Id extends OperationId> = NonNullable<OperationHeadReads[Id]>;

/** Reads the metadata of a token. */
export const tokenRead = (token: Address): HeadRead => ({ kind: "token", token });
const balanceRead = (token: Address, holder: Address): HeadRead => ({
  kind: "token-balance",
  token,
  holder,
});
const ownerRead = (token: Address, id: bigint): HeadRead => ({ kind: "owner", token, id });
const uriRead = (token: Address, id: bigint): HeadRead => ({ kind: "uri", token, id });

function isCollection(chain: ChainReader, address: Address): boolean {
  const token = chain.token(address);
  return token !== undefined && hasIds(token.standard);
}

/** The tokens in a page of transfers, newest first. */
const tokensIn = (list: Listing<Transfer>, { limit, offset }: Paging): HeadRead[] =>
  Array.from(
    new Set(
      reversed(list)
        .slice(offset, limit)
        .map(({ token }) => token.address),
    ),
    tokenRead,
  );

/**
 * Reads the balances of an account: in the tokens that it is known to hold, and in all other known
 * tokens, because a token may give units without an event.
 */
export function* holdingReads(
  chain: ChainReader,
  holder: Address,
  standards: readonly TokenStandard[],
  { limit, offset }: Paging,
): Generator<HeadRead> {
  for (const standard of standards) {
    const held = chain.holdings(holder, standard);
    for (const { token } of items(held)) yield balanceRead(token.address, holder);
    for (const { token } of held.slice(offset, limit)) yield tokenRead(token.address);
  }
  for (const token of chain.knownTokens())
    yield { kind: "token-balance", token, holder, optional: true };
}

/** Reads the owners of all known ids. */
export function* ownerReads(chain: ChainReader, collection: Address): Generator<HeadRead> {
  for (const id of chain.knownIds(collection)) yield ownerRead(collection, id);
}

const T1: Reads<"T1"> = (_, { contract_hash }) => [tokenRead(lower(contract_hash))];

const T2: Reads<"T2"> = (_, { contract_hash, address_hash }) => {
  const token = lower(contract_hash);
  return [tokenRead(token), balanceRead(token, lower(address_hash))];
};

/**
 * Reads the holder's ids. Also reads the owners of all ids if the contract's balance differs from
 * the number of the holder's ids.
 */
const T3: Reads<"T3"> = function* (chain, { contract_hash, address_hash }) {
  const [token, holder] = [lower(contract_hash), lower(address_hash)];
  yield tokenRead(token);
  if (!isCollection(chain, token)) return;
  yield balanceRead(token, holder);
  const nfts = items(chain.nfts(token, holder));
  for (const { tokenId } of nfts) yield ownerRead(token, tokenId);
  for (const { tokenId } of nfts) yield uriRead(token, tokenId);
  if (chain.tokenBalance(token, holder) !== BigInt(nfts.length)) yield* ownerReads(chain, token);
};

/**
 * Reads the balances of all holders. If their sum differs from the supply, reads the owners of a
 * collection's ids, or the balances of all accounts in the transactions of an MRC20 token.
 */
export function* holderReads(chain: ChainReader, token: Address): Generator<HeadRead> {
  yield tokenRead(token);
  let held = 0n;
  for (const holder of chain.knownHolders(token)) {
    yield balanceRead(token, holder);
    held += chain.tokenBalance(token, holder);
  }
  if (isCollection(chain, token)) {
    if (held !== BigInt(chain.nfts(token).count)) yield* ownerReads(chain, token);
    return;
  }
  // Some account holds units that no event moved.
  if (held !== chain.token(token)?.totalSupply)
    for (const holder of participantsOf(chain, token)) yield balanceRead(token, holder);
}

/**
 * Reads the code of the receivers in a page of frames. Skips contracts, because their code does not
 * change.
 */
const receiverReads = (chain: ChainReader, frames: readonly Frame[]): HeadRead[] =>
  Array.from(new Set(frames.flatMap(({ to }) => to ?? [])))
    .filter((account) => /^0x(ef0100.*)?$/.test(chain.code(account)))
    .map((account) => ({ kind: "code", account, optional: true }));

const A3: Reads<"A3"> = (chain, { address_hash, limit, offset, ...blocks }) =>
  receiverReads(
    chain,
    reversed(chain.frames(lower(address_hash), range(blocks))).slice(offset, limit),
  );

const X3: Reads<"X3"> = (chain, { transaction_hash, limit, offset }) => {
  const transaction = chain.transaction(lower(transaction_hash));
  return transaction ? receiverReads(chain, chain.framesOf(transaction).slice(offset, limit)) : [];
};

const T4: Reads<"T4"> = (chain, { contract_hash }) => holderReads(chain, lower(contract_hash));

const A1: Reads<"A1"> = (_, { addresses }) =>
  addresses.map((account) => ({ kind: "balance", account: lower(account) }));

const A4: Reads<"A4"> = (chain, parameters) =>
  tokensIn(chain.transfers(lower(parameters.address_hash), "mrc20", range(parameters)), parameters);

const A5: Reads<"A5"> = (chain, parameters) =>
  tokensIn(
    chain.transfers(lower(parameters.address_hash), "mrc721", range(parameters)),
    parameters,
  );

const A6: Reads<"A6"> = function* (chain, { address_hash, ...paging }) {
  const holder = lower(address_hash);
  yield { kind: "code", account: holder };
  yield* holdingReads(chain, holder, standards, paging);
};

const A7: Reads<"A7"> = (chain, { address_hash, ...paging }) =>
  holdingReads(chain, lower(address_hash), ["mrc20"], paging);

const A8: Reads<"A8"> = (chain, { address_hash, ...paging }) =>
  holdingReads(chain, lower(address_hash), ["mrc721"], paging);

/** Reads owners and URIs of the page, then the owners of all ids, because some may be burnt. */
const A9: Reads<"A9"> = function* (chain, { contract_address, token_address, limit, offset }) {
  const collection = lower(contract_address);
  if (token_address !== undefined && lower(token_address) !== collection) return;
  yield tokenRead(collection);
  for (const { tokenId } of chain.nfts(collection).slice(offset, limit)) {
    yield ownerRead(collection, tokenId);
    yield uriRead(collection, tokenId);
  }
  yield* ownerReads(chain, collection);
};

/** Reads the code of an account without a verified source; the record of a source has the code. */
const C2: Reads<"C2"> = (chain, { contract_hash }) =>
  chain.verified(lower(contract_hash)) ? [] : [{ kind: "code", account: lower(contract_hash) }];
const C3: Reads<"C3"> = (_, { contract_hash }) => [{ kind: "code", account: lower(contract_hash) }];

/** Marks an operation that reads only blocks and verified sources. */
const blocksOnly = null;

/** The reads of each operation. */
export const headReads: OperationHeadReads = {
  ...{ T1, T2, T3, T4 },
  ...{ A1, A2: blocksOnly, A3, A4, A5, A6, A7, A8, A9, A10: blocksOnly },
  ...{ X1: blocksOnly, X2: blocksOnly, X3 },
  ...{ C1: blocksOnly, C2, C3 },
  B1: blocksOnly,
  L1: blocksOnly,
};
