// The state at the head that each view reads. A live chain fetches it before the view is answered.

import type { HeadRead } from "../chain/live-chain.ts";
import { type Address, standards } from "../chain/records.ts";
import { transferIn } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { HeadReads } from "../message/api.ts";
import { holderReads, holdingReads, ownerReads, tokenRead } from "../operations/head-reads.ts";
import { filtered, MAX_SHOWN } from "./lists.ts";
import { filledPage } from "./pages.ts";
import type { ParametersOf, ViewName, Views } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

type ViewReads = HeadReads<Views, ChainWriter>;
type Reads<Name extends ViewName> = NonNullable<ViewReads[Name]>;

function* ofAccount(account: Address): Generator<HeadRead> {
  yield { kind: "balance", account };
  yield { kind: "code", account };
}

type Addressed = { readonly address: Address };

function* ofAccounts(accounts: readonly Addressed[]): Generator<HeadRead> {
  for (const { address } of accounts) yield* ofAccount(address);
}

/** Reads names before numbers of holders, which take the most requests. */
function* ofTokens(chain: ChainWriter, page: readonly Addressed[]): Generator<HeadRead> {
  for (const { address } of page) yield tokenRead(address);
  for (const { address } of page) yield* holderReads(chain, address);
}

const account: Reads<"account"> = function* (chain, { address }) {
  yield* ofAccount(address);
  if (chain.code(address) !== "0x") yield tokenRead(address);
  if (chain.token(address) !== undefined) yield* holderReads(chain, address);
  yield* holdingReads(chain, address, standards, { offset: 0, limit: 0 });
};

/** Limit of contracts whose code is read, because they may be proxies. */
const MAX_CONTRACTS = 50;

const calls: Reads<"calls"> = function* (chain, { hash }) {
  const { transaction, frames = [], logs = [] } = chain.execution(hash) ?? {};
  const contracts = [transaction, ...frames].map((call) => call?.to);
  const addresses = new Set([...contracts, ...logs.map(({ address }) => address)]);
  for (const account of [...addresses].slice(0, MAX_CONTRACTS))
    if (account) yield { kind: "code", account, optional: true };
};

const transaction: Reads<"transaction"> = function* (chain, { hash }) {
  yield* calls(chain, { hash });
  const logs = chain.execution(hash)?.logs ?? [];
  for (const log of logs) if (transferIn(log) !== undefined) yield tokenRead(log.address);
};

const transfers: Reads<"transfers"> = (chain, parameters) => {
  const { token, account } = parameters;
  if (account === undefined) return token === undefined ? [] : [tokenRead(token)];
  const { items } = filledPage(filtered.transfers(chain, parameters), parameters);
  return Array.from(new Set(items.flatMap((transfer) => transfer?.token.address ?? [])), tokenRead);
};

const hasFilter = ({ kind, min_amount, max_amount }: ParametersOf<"accounts">): boolean =>
  (kind ?? min_amount ?? max_amount) !== undefined;

/** A view that reads only blocks and verified sources. */
const blocksOnly = null;

export const headReads: ViewReads = {
  ...{ access: blocksOnly, head: blocksOnly, search: blocksOnly },
  ...{ internal: blocksOnly, logs: blocksOnly },
  ...{ blocks: blocksOnly, transactions: blocksOnly, contracts: blocksOnly, block: blocksOnly },
  *overview(chain) {
    yield* ofAccounts(busiestAccounts(chain).slice(0, MAX_SHOWN));
    yield* ofTokens(chain, wholeChain(chain).tokens.slice(0, MAX_SHOWN));
  },
  accounts: (chain, parameters) =>
    ofAccounts(
      hasFilter(parameters)
        ? busiestAccounts(chain)
        : filledPage(filtered.accounts(chain, parameters), parameters).items,
    ),
  *tokens(chain, parameters) {
    // A search by name compares all tokens.
    if (parameters.name !== undefined)
      for (const { address } of wholeChain(chain).tokens) yield tokenRead(address);
    yield* ofTokens(chain, filledPage(filtered.tokens(chain, parameters), parameters).items);
  },
  holdings: (chain, { account, standard }) =>
    holdingReads(chain, account, [standard], { offset: 0, limit: Number.MAX_SAFE_INTEGER }),
  *inventory(chain, parameters) {
    const { token, owner } = parameters;
    yield tokenRead(token);
    yield* ownerReads(chain, token);
    if (owner !== undefined) yield { kind: "token-balance", token, holder: owner };
    for (const { tokenId } of filledPage(filtered.inventory(chain, parameters), parameters).items)
      yield { kind: "uri", token, id: tokenId };
  },
  account,
  contract: (_, { address }) => [{ kind: "code", account: address }],
  token: (chain, { address }) => holderReads(chain, address),
  transaction,
  calls,
  changes: (chain, input) => transaction(chain, input),
  source: (chain, input) => calls(chain, input),
  transfers,
};
