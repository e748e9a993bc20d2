// Answers the list views of `/inspect`, and Home, which shows the first rows of several lists.
import { reversed } from "../chain/listing.ts";
import type { LiveChain } from "../chain/live-chain.ts";
import type { BusyAccount, Listing } from "../chain/reader.ts";
import type { Block, ChainTransaction } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { decimal } from "../operations/format.ts";
import { Decoder } from "./decode.ts";
import { filtered, transferLogs } from "./filters.ts";
import {
  blockRecord,
  contractRecord,
  internalRecord,
  logRecord,
  partOf,
  tokenFields,
  tokenRecord,
  transactionRecord,
  transferRecord,
} from "./format.ts";
import { blocksIn, type FilteredList, filledPage, type WantedPage } from "./pages.ts";
import type { AnswerWireOf, ParametersOf, ViewName } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

export interface InspectServices {
  readonly live: LiveChain | undefined;
}

type Own<Name extends ViewName> = Omit<AnswerWireOf<Name>, "head" | "names">;

/** An asynchronous view returns a function that reads the answer from one state of the chain. */
export type Answers = {
  readonly [Name in Exclude<ViewName, "access" | "head">]: (
    chain: ChainWriter,
    parameters: ParametersOf<Name>,
    services: InspectServices,
  ) => Own<Name> | Promise<() => Own<Name>>;
};

/** Rows of each list on Home. */
export const MAX_SHOWN = 10;
/** Number of blocks in the plot on Home. */
const PLOTTED = 120;

/** Answers a list view, whose records are in a field of its name. Skips items without a record. */
const list =
  <Name extends string, Parameters extends WantedPage, Item, Row extends object>(
    name: Name,
    wanted: (chain: ChainWriter, parameters: Parameters) => FilteredList<Item>,
    recordIn: (chain: ChainWriter) => (item: Item) => Row | undefined,
  ) =>
  (chain: ChainWriter, parameters: Parameters) => {
    const { items, next, count } = filledPage(wanted(chain, parameters), parameters);
    const record = recordIn(chain);
    const rows = { [name]: items.flatMap((item) => record(item) ?? []) };
    return { ...(rows as Record<Name, Row[]>), next, count };
  };

const transactionIn = (chain: ChainWriter) => {
  const decoder = new Decoder(chain);
  return (transaction: ChainTransaction) =>
    transactionRecord(transaction, decoder.method(transaction));
};

const accountIn =
  (chain: ChainWriter) =>
  ({ address, transactions }: BusyAccount) => ({
    address,
    transaction_count: decimal(transactions),
    balance: decimal(chain.balance(address)),
    is_contract: chain.code(address) !== "0x",
  });

function activity(chain: ChainWriter): AnswerWireOf<"overview">["activity"] {
  const chainBlocks = blocksIn(chain, {});
  const blocks = chainBlocks.slice(Math.max(0, chainBlocks.count - PLOTTED), PLOTTED);
  const first = blocks[0]?.number ?? 0;
  const failedIn = ({ number }: Block) =>
    (chain.blockInput(number)?.executions ?? []).filter(
      ({ transaction }) => transaction.succeeded === false,
    ).length;
  return {
    first_block: decimal(first),
    failed_counts: blocks.map((block) => decimal(failedIn(block))),
    transaction_counts: blocks.map(({ transactionCount }) => decimal(transactionCount)),
    gas_used: blocks.map(({ gasUsed }) => decimal(gasUsed ?? 0)),
  };
}

export const lists = {
  overview(chain) {
    const { tokens, contracts } = wholeChain(chain);
    const newest = <Item>(list: Listing<Item>) => reversed(list).slice(0, MAX_SHOWN);
    return {
      latest_blocks: newest(blocksIn(chain, {})).map(blockRecord),
      latest_transactions: newest(chain.allTransactions({})).map(transactionIn(chain)),
      activity: activity(chain),
      busiest_accounts: busiestAccounts(chain).slice(0, MAX_SHOWN).map(accountIn(chain)),
      token_count: decimal(tokens.length),
      tokens: tokens.slice(0, MAX_SHOWN).map(tokenRecord),
      contract_count: decimal(contracts.length),
      contracts: contracts.slice(0, MAX_SHOWN).map(contractRecord(chain)),
    };
  },
  blocks: list("blocks", filtered.blocks, () => blockRecord),
  transactions: list("transactions", filtered.transactions, transactionIn),
  internal: list("internal", filtered.internal, (chain) => {
    const decoder = new Decoder(chain);
    return (frame) => internalRecord(frame, decoder.method(frame));
  }),
  transfers: list("transfers", filtered.transfers, (chain) => {
    const decoder = new Decoder(chain);
    return (transfer) =>
      transfer && transferRecord(transfer, decoder.method(transfer.log.transaction));
  }),
  logs: list("logs", filtered.logs, (chain) => {
    const decoder = new Decoder(chain);
    return (log) => ({ ...partOf(log.transaction), ...logRecord(log, decoder.log(log)) });
  }),
  accounts: list("accounts", filtered.accounts, accountIn),
  tokens: list("tokens", filtered.tokens, () => tokenRecord),
  contracts: list("contracts", filtered.contracts, contractRecord),
  holdings: list("holdings", filtered.holdings, () => ({ token, balance }) => ({
    ...tokenFields(token),
    balance: decimal(balance),
  })),
  inventory: list("inventory", filtered.inventory, () => ({ tokenId, owner, uri }) => ({
    token_id: decimal(tokenId),
    owner,
    token_uri: uri,
  })),
  token(chain, parameters) {
    const { address } = parameters;
    const token = chain.token(address);
    if (token === undefined) throw new ServiceError(404, `address: no token at ${address}`);
    const { items, ...page } = filledPage(filtered.token(chain, parameters), parameters);
    return {
      token: tokenRecord(token),
      transfer_count: decimal(transferLogs(chain, address).count),
      holders: items.map((holder) => ({ ...holder, balance: decimal(holder.balance) })),
      ...page,
    };
  },
} satisfies Partial<Answers>;
