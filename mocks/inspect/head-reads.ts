// What each view reads of the state at the head: a live chain is asked for it before the view answers, as for the operations.
import type { HeadRead } from "../chain/live-chain.ts";
import type { Address } from "../chain/records.ts";
import { transferIn } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { holders, holdings, ofToken } from "../operations/head-reads.ts";
import { maxShown } from "./lists.ts";
import type { ParametersOf } from "./parameters.ts";
import type { ViewName } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

/** The reads of a view, the most important first. They may depend on what the chain was told by earlier ones. */
type Reads<Name extends ViewName> = (
  chain: ChainWriter,
  parameters: ParametersOf<Name>,
) => Iterable<HeadRead>;

interface Page {
  readonly offset?: number;
  readonly limit: number;
}

function* ofAccount(account: Address): Generator<HeadRead> {
  yield { kind: "balance", account };
  yield { kind: "code", account };
}

function* ofBusiest(chain: ChainWriter, { limit }: Page): Generator<HeadRead> {
  for (const { address } of busiestAccounts(chain).slice(0, limit)) yield* ofAccount(address);
}

/** What tokens say of themselves comes before how many hold them, which costs most. */
function* ofTokens(chain: ChainWriter, { offset = 0, limit }: Page): Generator<HeadRead> {
  const page = wholeChain(chain).tokens.slice(offset, offset + limit);
  for (const { address } of page) yield ofToken(address);
  for (const { address } of page) yield* holders(chain, address);
}

const account: Reads<"account"> = function* (chain, { address }) {
  yield* ofAccount(address);
  if (chain.code(address) !== "0x") yield ofToken(address);
  if (chain.token(address) !== undefined) yield* holders(chain, address);
  yield* holdings(chain, address, ["mrc20", "mrc721"], { offset: 0, limit: 0 });
};

/** The tokens that a transaction moves. */
const transaction: Reads<"transaction"> = function* (chain, { hash }) {
  const logs = chain.execution(hash)?.logs ?? [];
  for (const log of logs) if (transferIn(log) !== undefined) yield ofToken(log.address);
};

/** By view; the others read blocks and verified sources alone. */
export const headReads: { readonly [Name in ViewName]?: Reads<Name> } = {
  *overview(chain) {
    yield* ofBusiest(chain, { limit: maxShown });
    yield* ofTokens(chain, { limit: maxShown });
  },
  accounts: ofBusiest,
  tokens: ofTokens,
  account,
  balances: (_, { address }) => [{ kind: "balance", account: address }],
  token: (chain, { address }) => holders(chain, address),
  transaction,
  transfers: (_, { address }) => [ofToken(address)],
};
