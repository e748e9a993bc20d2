// Answers the list views of `/inspect` with their filters, and Home, which shows the first rows of
// several lists.
import { listOf, mapListing, reversed } from "../chain/listing.ts";
import type { LiveChain } from "../chain/live-chain.ts";
import type { BlockRange, BusyAccount, Listing, Role } from "../chain/reader.ts";
import {
  type Address,
  type Block,
  type ChainTransaction,
  type ContractVerification,
  type Frame,
  type Hex,
  type Holding,
  hasIds,
  type Log,
  type Nft,
  selectorOf,
  type Token,
  type Transfer,
} from "../chain/records.ts";
import { TRANSFER_TOPIC, transferIn } from "../chain/transfer-event.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { decimal, range } from "../operations/format.ts";
import { indexOf } from "./chain-index.ts";
import { Decoder } from "./decode.ts";
import { type EventFilter, eventFilter } from "./event-filter.ts";
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
import { blocksIn, type FilteredList, filledPage, type WantedPage, withinRange } from "./pages.ts";
import { type SignatureKind, signaturesFor } from "./signatures.ts";
import type { AnswerWireOf, listViews, ParametersOf, ViewName } from "./views.ts";
import { busiestAccounts, type Holder, holdersOf, wholeChain } from "./whole-chain.ts";

type Condition<Item> = (item: Item) => boolean;

/** Drops the conditions of filters that are not used. */
const conditionsOf = <Item>(
  ...conditions: readonly (Condition<Item> | false | "" | undefined)[]
): readonly Condition<Item>[] => conditions.filter((condition) => typeof condition === "function");

const bigintOf = (number: number | undefined) => (number === undefined ? number : BigInt(number));

interface Blocks {
  readonly start_block?: number | undefined;
  readonly end_block?: number | undefined;
}

const rangeOf = ({ start_block, end_block }: Blocks) =>
  range({ startBlock: bigintOf(start_block), endBlock: bigintOf(end_block) });

/** Returns the selectors of a name; undefined without a name. Throws if the name is unknown. */
function selectorsFor(chain: ChainWriter, kind: SignatureKind, text: string | undefined) {
  if (text === undefined) return undefined;
  const selectors = new Set(signaturesFor(chain, kind, text).map(({ selector }) => selector));
  if (selectors.size > 0) return [...selectors];
  const name = kind === "function" ? "method" : kind;
  const digits = kind === "event" ? 64 : 8;
  throw new ServiceError(
    400,
    `${name}: expected the name of a known ${kind}, or 0x and ${digits} digits, received "${text.slice(0, 60)}"`,
  );
}

const COIN_DECIMALS = 18;

/** Converts "1.5" to the smallest unit, rounded up. */
function unitsOf(amount: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return /[1-9]/.test(fraction.slice(decimals)) ? units + 1n : units;
}

interface Amounts {
  readonly min_amount?: string | undefined;
  readonly max_amount?: string | undefined;
}

/** Compares amounts in the unit of their token, or of the coin. */
function hasAmount<Item>(
  { min_amount: least, max_amount: most }: Amounts,
  amountOf: (item: Item) => bigint,
  decimalsOf: (item: Item) => number | null = () => COIN_DECIMALS,
): Condition<Item> | undefined {
  if (least === undefined && most === undefined) return undefined;
  const bounds = new Map<number, { readonly from: bigint; readonly to: bigint | undefined }>();
  return (item) => {
    const decimals = decimalsOf(item) ?? 0;
    const { from, to } = bounds.get(decimals) ?? {
      from: unitsOf(least ?? "0", decimals),
      to: most === undefined ? undefined : unitsOf(most, decimals),
    };
    bounds.set(decimals, { from, to });
    const amount = amountOf(item);
    return amount >= from && (to === undefined || amount <= to);
  };
}

/** Whether a name or the address contains a text. */
const isNamed = <Item>(
  name: string | undefined,
  textsOf: (item: Item) => readonly (string | null)[],
): Condition<Item> | undefined =>
  name === undefined
    ? undefined
    : (item) => textsOf(item).some((text) => text?.toLowerCase().includes(name.toLowerCase()));

const tokenTexts = ({ name, symbol, address }: Token) => [name, symbol, address];

type Called = Parameters<typeof selectorOf>[0];

const calls = (selectors: readonly Hex[] | undefined): Condition<Called> | undefined =>
  selectors && ((call) => selectors.includes(selectorOf(call) ?? "0x"));

const roles: Readonly<Record<string, Role>> = { in: "to", out: "from" };

/** Returns undefined if the log is no transfer, or of another standard than its token. */
export function listedTransferOf(chain: ChainWriter, log: Log): Transfer | undefined {
  const transfer = transferIn(log);
  const token = transfer && chain.token(log.address);
  if (transfer === undefined || token === undefined) return undefined;
  const isOfStandard = (transfer.standard ?? token.standard) === token.standard;
  return isOfStandard ? { ...transfer, log, token } : undefined;
}

export const transferLogs = (chain: ChainWriter, token: Address, range: BlockRange = {}) =>
  chain.logs({ ...range, address: token, topics: [TRANSFER_TOPIC], operand: "and" });

/** Lists the transfers of an account, or of a token. A log that is no transfer is undefined. */
function transferList(chain: ChainWriter, filters: ParametersOf<"transfers">) {
  const { account, token } = filters;
  const blocks = rangeOf(filters);
  const { standard = filters.standard } = (token && chain.token(token)) ?? {};
  if (account !== undefined) return chain.transfers(account, standard, blocks);
  if (token === undefined)
    throw new ServiceError(400, "token: expected one where no account is given");
  if (chain.token(token) === undefined) throw new ServiceError(404, `token: no token at ${token}`);
  return mapListing(transferLogs(chain, token, blocks), (log) => listedTransferOf(chain, log));
}

type ListName = keyof typeof listViews;

/** The records of each list view in their order, and the conditions of its filters. */
export const filtered = {
  blocks(chain, { miner, transactions, ...range }): FilteredList<Block> {
    const blocks = rangeOf(range);
    return {
      list:
        miner === undefined
          ? blocksIn(chain, blocks)
          : withinRange(chain.blocksMinedBy(miner), blocks, (block) => block),
      conditions: conditionsOf(transactions && (({ transactionCount }) => transactionCount > 0)),
    };
  },
  transactions(chain, filters): FilteredList<ChainTransaction> {
    const { account, direction, status, method, error } = filters;
    const selectors = selectorsFor(chain, "function", method);
    const errors = selectorsFor(chain, "error", error);
    const isFailed = status === "failed" || errors !== undefined;
    // The index of the chain has a list for each selector, and one of failed transactions.
    const [only, ...others] = account === undefined ? (selectors ?? []) : [];
    const index = others.length === 0 ? only : undefined;
    const isByFailure = account === undefined && index === undefined && isFailed;
    const blocks = rangeOf(filters);
    const wholeList = () => {
      if (index === undefined && !isByFailure) return chain.allTransactions(blocks);
      const { failed } = indexOf(chain);
      const list = index === undefined ? failed : indexOf(chain).calls(index);
      return withinRange(listOf(list), blocks, ({ block }) => block);
    };
    return {
      list:
        account === undefined
          ? wholeList()
          : chain.transactions(account, roles[direction ?? ""] ?? "all", blocks),
      conditions: conditionsOf(
        isFailed && !isByFailure && (({ succeeded }) => succeeded === false),
        status === "success" && (({ succeeded }) => succeeded === true),
        index === undefined && calls(selectors),
        errors && (({ output }) => errors.includes((output ?? "0x").slice(0, 10) as Hex)),
        hasAmount(filters, ({ value }) => value),
      ),
    };
  },
  internal(chain, filters): FilteredList<Frame> {
    const { account, direction, status, method } = filters;
    return {
      list: chain.frames(account, rangeOf(filters)),
      conditions: conditionsOf(
        status && (({ undone }) => undone === (status === "failed")),
        direction === "in" && (({ to, created }) => (to ?? created) === account),
        direction === "out" && (({ from }) => from === account),
        calls(selectorsFor(chain, "function", method)),
        hasAmount(filters, ({ value }) => value),
      ),
    };
  },
  transfers(chain, filters): FilteredList<Transfer | undefined> {
    const { account, token: address, direction, token_id: id } = filters;
    const conditions = conditionsOf<Transfer>(
      account && address && (({ token }) => token.address === address),
      direction === "in" && (({ to }) => to === account),
      direction === "out" && (({ from }) => from === account),
      id && (({ token, value }) => hasIds(token.standard) && value === BigInt(id)),
      // The id of a token is not an amount, so every limit excludes it.
      hasAmount(
        filters,
        ({ token, value }) => (hasIds(token.standard) ? -1n : value),
        ({ token }) => token.decimals,
      ),
    );
    return {
      list: transferList(chain, filters),
      conditions: conditions.map(
        (holds) => (transfer) => transfer !== undefined && holds(transfer),
      ),
    };
  },
  logs(chain, { address, event, values, ...blocks }): FilteredList<Log> {
    const topics = selectorsFor(chain, "event", event) ?? [];
    const [topic, ...others] = topics;
    const refuse = (problem: string) => new ServiceError(400, `event: ${problem}`);
    if (others.length > 0)
      throw refuse(
        `${topics.length} events have this name, give the hash of one: ${topics.join(", ")}`,
      );
    if (values !== undefined && (address === undefined || topic === undefined))
      throw new ServiceError(400, "values: expected none without an address and an event");
    if (address !== undefined) {
      const { topics: all, conditions }: EventFilter =
        topic !== undefined && values !== undefined
          ? eventFilter(chain, address, topic, values)
          : { topics: [topic], conditions: [] };
      const filter = { address, topics: all, operand: "and" } as const;
      return { list: chain.logs({ ...rangeOf(blocks), ...filter }), conditions };
    }
    if (topic === undefined) throw refuse("expected one where no address is given");
    const list = listOf(indexOf(chain).events(topic));
    const inRange = withinRange(list, rangeOf(blocks), ({ transaction }) => transaction.block);
    return { list: inRange, conditions: [] };
  },
  accounts: (chain, { kind, ...amounts }) => ({
    list: listOf(busiestAccounts(chain)),
    conditions: conditionsOf<BusyAccount>(
      kind && (({ address }) => (chain.code(address) === "0x") === (kind === "account")),
      hasAmount(amounts, ({ address }) => chain.balance(address)),
    ),
  }),
  tokens: (chain, { name }) => ({
    list: listOf(wholeChain(chain).tokens),
    conditions: conditionsOf(isNamed(name, tokenTexts)),
  }),
  contracts: (chain, { name }) => ({
    list: listOf(wholeChain(chain).contracts),
    conditions: conditionsOf<ContractVerification>(
      isNamed(name, ({ contractName, address }) => [contractName, address]),
    ),
  }),
  holdings: (chain, { account, standard, name, ...amounts }) => ({
    list: chain.holdings(account, standard),
    conditions: conditionsOf<Holding>(
      isNamed(name, ({ token }) => tokenTexts(token)),
      hasAmount(
        amounts,
        ({ balance }) => balance,
        ({ token }) => token.decimals,
      ),
    ),
  }),
  inventory: (chain, { token, owner, token_id: id }) => ({
    list: chain.nfts(token, owner),
    conditions: conditionsOf<Nft>(id && (({ tokenId }) => tokenId === BigInt(id))),
  }),
  token: (chain, { address, ...amounts }) => ({
    list: listOf(holdersOf(chain, address)),
    conditions: conditionsOf<Holder>(
      hasAmount(
        amounts,
        ({ balance }) => balance,
        () => chain.token(address)?.decimals ?? null,
      ),
    ),
  }),
} satisfies {
  [Name in ListName]: (chain: ChainWriter, filters: ParametersOf<Name>) => object;
};

export interface InspectServices {
  readonly live: LiveChain | undefined;
}

type Own<Name extends ViewName> = Omit<AnswerWireOf<Name>, "head" | "names">;

/** An asynchronous view returns a function that builds the answer from one state of the chain. */
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
    listFor: (chain: ChainWriter, parameters: Parameters) => FilteredList<Item>,
    recordIn: (chain: ChainWriter) => (item: Item) => Row | undefined,
  ) =>
  (chain: ChainWriter, parameters: Parameters) => {
    const { items, next, count } = filledPage(listFor(chain, parameters), parameters);
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
