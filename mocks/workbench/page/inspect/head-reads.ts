// The state at the head that each view reads: a live chain fetches it before the view answers, as for operations.

import type { HeadRead } from "../../../double/chain/live-chain.ts";
import { type Address, standards } from "../../../double/chain/records.ts";
import { transferIn } from "../../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { holders, holdings, ofToken } from "../../../double/operations/head-reads.ts";
import type { HeadReads } from "../../../double/service/api.ts";
import { MAX_SHOWN, transfersFor } from "./lists.ts";
import type { ViewName, Views } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

type ViewReads = HeadReads<Views, ChainWriter>;
type Reads<Name extends ViewName> = NonNullable<ViewReads[Name]>;

interface Range {
  readonly offset?: number;
  readonly limit: number;
}

function* ofAccount(account: Address): Generator<HeadRead> {
  yield { kind: "balance", account };
  yield { kind: "code", account };
}

function* ofBusiest(chain: ChainWriter, { limit }: Range): Generator<HeadRead> {
  for (const { address } of busiestAccounts(chain).slice(0, limit)) yield* ofAccount(address);
}

/** What tokens say of themselves comes before how many hold them, which costs most. */
function* ofTokens(chain: ChainWriter, { offset = 0, limit }: Range): Generator<HeadRead> {
  const page = wholeChain(chain).tokens.slice(offset, offset + limit);
  for (const { address } of page) yield ofToken(address);
  for (const { address } of page) yield* holders(chain, address);
}

const account: Reads<"account"> = function* (chain, { address }) {
  yield* ofAccount(address);
  if (chain.code(address) !== "0x") yield ofToken(address);
  if (chain.token(address) !== undefined) yield* holders(chain, address);
  yield* holdings(chain, address, standards, { offset: 0, limit: 0 });
};

/** Contracts whose code is read to see whether they are proxies. */
const MAX_CONTRACTS = 50;

/** The contracts that a transaction calls, which may be proxies. */
const calls: Reads<"calls"> = function* (chain, { hash }) {
  const { transaction, frames = [], logs = [] } = chain.execution(hash) ?? {};
  const contracts = [transaction, ...frames].map((call) => call?.to);
  const all = new Set([...contracts, ...logs.map(({ address }) => address)]);
  for (const account of [...all].slice(0, MAX_CONTRACTS))
    if (account) yield { kind: "code", account, optional: true };
};

/** The tokens that a transaction moves. */
const transaction: Reads<"transaction"> = function* (chain, { hash }) {
  yield* calls(chain, { hash });
  const logs = chain.execution(hash)?.logs ?? [];
  for (const log of logs) if (transferIn(log) !== undefined) yield ofToken(log.address);
};

/** What the tokens of a page say of themselves. */
const transfers: Reads<"transfers"> = (chain, parameters) => {
  const { token, account } = parameters;
  if (account === undefined) return token === undefined ? [] : [ofToken(token)];
  const { items } = transfersFor(chain, parameters);
  return Array.from(new Set(items.map((one) => one.token.address)), ofToken);
};

/** The others read blocks and verified sources alone. */
const blocksOnly = null;

/** By view. */
export const headReads: ViewReads = {
  ...{ access: blocksOnly, head: blocksOnly, search: blocksOnly, names: blocksOnly },
  ...{ internal: blocksOnly, logs: blocksOnly },
  ...{ blocks: blocksOnly, transactions: blocksOnly, contracts: blocksOnly, block: blocksOnly },
  *overview(chain) {
    yield* ofBusiest(chain, { limit: MAX_SHOWN });
    yield* ofTokens(chain, { limit: MAX_SHOWN });
  },
  accounts: ofBusiest,
  tokens: ofTokens,
  account,
  balances: (_, { address }) => [{ kind: "balance", account: address }],
  token: (chain, { address }) => holders(chain, address),
  transaction,
  calls,
  changes: (chain, input) => transaction(chain, input),
  source: (chain, input) => calls(chain, input),
  transfers,
};
