// Lists of transactions, calls, transfers and logs with filters: by an index of the chain where there is one, else by conditions on each record.
import { listOf } from "../../../double/chain/listing.ts";
import type { BusyAccount, Role } from "../../../double/chain/reader.ts";
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
  type TokenStandard,
} from "../../../double/chain/records.ts";
import { TRANSFER_TOPIC, transferIn } from "../../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { range } from "../../../double/operations/format.ts";
import { ServiceError } from "../../../double/service/api.ts";
import { blocksIn, type FilteredList, withinRange } from "./pages.ts";
import { type SignatureKind, signaturesFor } from "./signatures.ts";
import type { ParametersOf } from "./views.ts";
import { busiestAccounts, type Holder, holdersOf, wholeChain } from "./whole-chain.ts";

type Condition<Item> = (item: Item) => boolean;

const rangeOf = (given: {
  readonly start_block?: number | undefined;
  readonly end_block?: number | undefined;
}) =>
  range({
    startBlock: given.start_block === undefined ? undefined : BigInt(given.start_block),
    endBlock: given.end_block === undefined ? undefined : BigInt(given.end_block),
  });

/** The selectors that a name or selector means. */
function selectorsFor(chain: ChainWriter, kind: SignatureKind, text: string): readonly Hex[] {
  const found = new Set(signaturesFor(chain, kind, text).map(({ selector }) => selector));
  if (found.size > 0) return [...found];
  const [name, digits] =
    kind === "event" ? ["event", 64] : kind === "error" ? ["error", 8] : ["method", 8];
  throw new ServiceError(
    400,
    `${name}: expected the name of a known ${kind}, or 0x and ${digits} digits, received "${text.slice(0, 60)}"`,
  );
}

const COIN_DECIMALS = 18;

/** "1.5" in the smallest unit; what is smaller than that is rounded up. */
function unitsOf(amount: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return /[1-9]/.test(fraction.slice(decimals)) ? kept + 1n : kept;
}

interface Amounts {
  readonly min_amount?: string | undefined;
  readonly max_amount?: string | undefined;
}

/** Whether an amount is in the given range. */
function isWithin({ min_amount: least, max_amount: most }: Amounts, decimals: number) {
  const from = least === undefined ? undefined : unitsOf(least, decimals);
  const to = most === undefined ? undefined : unitsOf(most, decimals);
  return (value: bigint) =>
    (from === undefined || value >= from) && (to === undefined || value <= to);
}

const hasAmounts = ({ min_amount, max_amount }: Amounts) =>
  min_amount !== undefined || max_amount !== undefined;

/** What is wanted of an amount of coins. */
const coinConditions = (given: Amounts): Condition<{ readonly value: bigint }>[] => {
  if (!hasAmounts(given)) return [];
  const isWanted = isWithin(given, COIN_DECIMALS);
  return [({ value }) => isWanted(value)];
};

const roles: Readonly<Record<string, Role>> = { in: "to", out: "from" };

export function filteredTransactions(
  chain: ChainWriter,
  given: ParametersOf<"transactions">,
): FilteredList<ChainTransaction> {
  const { account, direction, status, method, error } = given;
  const selectors = method === undefined ? undefined : selectorsFor(chain, "function", method);
  const errors = error === undefined ? undefined : selectorsFor(chain, "error", error);
  const conditions: Condition<ChainTransaction>[] = [];
  const isFailed = status === "failed" || errors !== undefined;
  const [only, ...others] = selectors ?? [];
  const isByMethod = account === undefined && only !== undefined && others.length === 0;
  const isByFailure = account === undefined && !isByMethod && isFailed;
  if (isFailed && !isByFailure) conditions.push(({ succeeded }) => succeeded === false);
  if (status === "success") conditions.push(({ succeeded }) => succeeded === true);
  if (selectors && !isByMethod)
    conditions.push((one) => selectors.includes(selectorOf(one) ?? "0x"));
  if (errors)
    conditions.push(({ output }) => errors.includes((output ?? "0x").slice(0, 10) as Hex));
  conditions.push(...coinConditions(given));
  const list =
    account === undefined
      ? chain.allTransactions(
          rangeOf(given),
          isByMethod ? only : isByFailure ? "failed" : undefined,
        )
      : chain.transactions(account, roles[direction ?? ""] ?? "all", rangeOf(given));
  return { list, conditions };
}

export function filteredBlocks(
  chain: ChainWriter,
  given: ParametersOf<"blocks">,
): FilteredList<Block> {
  const { miner, transactions } = given;
  const blocks = rangeOf(given);
  return {
    list:
      miner === undefined
        ? blocksIn(chain, blocks)
        : withinRange(chain.blocksMinedBy(miner), blocks),
    conditions: transactions ? [({ transactionCount }) => transactionCount > 0] : [],
  };
}

/** What is wanted of the names and the address of something. */
function nameConditions<Item>(
  name: string | undefined,
  textsOf: (item: Item) => readonly (string | null)[],
): Condition<Item>[] {
  if (name === undefined) return [];
  const wanted = name.toLowerCase();
  return [(item) => textsOf(item).some((text) => text?.toLowerCase().includes(wanted))];
}

const tokenTexts = ({ name, symbol, address }: Token) => [name, symbol, address];

/** The token itself has its amounts in the smallest unit, of ids their number. */
const balanceConditions = <Item extends { readonly balance: bigint }>(
  given: Amounts,
  tokenOf: (item: Item) => Token,
): Condition<Item>[] =>
  hasAmounts(given) ? [(item) => isWithin(given, tokenOf(item).decimals ?? 0)(item.balance)] : [];

export const filteredTokens = (
  chain: ChainWriter,
  { name }: ParametersOf<"tokens">,
): FilteredList<Token> => ({
  list: listOf(wholeChain(chain).tokens),
  conditions: nameConditions(name, tokenTexts),
});

export const filteredContracts = (
  chain: ChainWriter,
  { name }: ParametersOf<"contracts">,
): FilteredList<ContractVerification> => ({
  list: listOf(wholeChain(chain).contracts),
  conditions: nameConditions(name, ({ contractName, address }) => [contractName, address]),
});

export const filteredAccounts = (
  chain: ChainWriter,
  { kind, ...amounts }: ParametersOf<"accounts">,
): FilteredList<BusyAccount> => {
  const isWanted = isWithin(amounts, COIN_DECIMALS);
  return {
    list: listOf(busiestAccounts(chain)),
    conditions: [
      ...(kind
        ? [({ address }: BusyAccount) => (chain.code(address) === "0x") === (kind === "account")]
        : []),
      ...(hasAmounts(amounts)
        ? [({ address }: BusyAccount) => isWanted(chain.balance(address))]
        : []),
    ],
  };
};

export const filteredHoldings = (
  chain: ChainWriter,
  { account, standard, name, ...amounts }: ParametersOf<"holdings">,
): FilteredList<Holding> => ({
  list: chain.holdings(account, standard),
  conditions: [
    ...nameConditions<Holding>(name, ({ token }) => tokenTexts(token)),
    ...balanceConditions<Holding>(amounts, ({ token }) => token),
  ],
});

export const filteredHolders = (
  chain: ChainWriter,
  token: Token,
  amounts: Amounts,
): FilteredList<Holder> => ({
  list: listOf(holdersOf(chain, token.address)),
  conditions: balanceConditions<Holder>(amounts, () => token),
});

export function filteredInventory(
  chain: ChainWriter,
  { token, owner, token_id: id }: ParametersOf<"inventory">,
): FilteredList<Nft> {
  const wanted = id === undefined ? undefined : BigInt(id);
  return {
    list: chain.nfts(token, owner),
    conditions: wanted === undefined ? [] : [({ tokenId }) => tokenId === wanted],
  };
}

export function filteredFrames(
  chain: ChainWriter,
  given: ParametersOf<"internal">,
): FilteredList<Frame> {
  const { account, direction, status, method } = given;
  const selectors = method === undefined ? undefined : selectorsFor(chain, "function", method);
  const conditions: Condition<Frame>[] = [];
  if (status !== undefined) conditions.push(({ undone }) => undone === (status === "failed"));
  if (direction === "in") conditions.push(({ to, created }) => (to ?? created) === account);
  if (direction === "out") conditions.push(({ from }) => from === account);
  if (selectors) conditions.push((one) => selectors.includes(selectorOf(one) ?? "0x"));
  conditions.push(...coinConditions(given));
  return { list: chain.frames(account, rangeOf(given)), conditions };
}

/** A transfer that a log records. */
export interface ListedTransfer {
  readonly log: Log;
  readonly token: Token;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** The transfer a log records, if its contract is a token of that standard. */
export function listedTransferOf(chain: ChainWriter, log: Log): ListedTransfer | undefined {
  const transfer = transferIn(log);
  const token = transfer && chain.token(log.address);
  if (transfer === undefined || token === undefined) return undefined;
  const isOfStandard = (transfer.standard ?? token.standard) === token.standard;
  return isOfStandard ? { ...transfer, log, token } : undefined;
}

/** The Transfer events of a contract. */
export const transferLogs = (
  chain: ChainWriter,
  token: Address,
  range: ReturnType<typeof rangeOf> = {},
) => chain.logs({ ...range, address: token, topics: [TRANSFER_TOPIC], operand: "and" });

type TransferFilters = Amounts &
  Pick<ParametersOf<"transfers">, "direction" | "party" | "token_id" | "start_block" | "end_block">;

/** What is wanted of a transfer; `account`: whose direction counts. */
function transferConditions(
  given: TransferFilters,
  account: Address | undefined,
): readonly Condition<ListedTransfer>[] {
  const { direction, party, token_id: id } = given;
  const conditions: Condition<ListedTransfer>[] = [];
  if (party !== undefined) conditions.push(({ from, to }) => from === party || to === party);
  const whose = account ?? party;
  if (direction === "in") conditions.push(({ to }) => to === whose);
  if (direction === "out") conditions.push(({ from }) => from === whose);
  if (id !== undefined) {
    const wanted = BigInt(id);
    conditions.push(({ token, value }) => hasIds(token.standard) && value === wanted);
  }
  if (hasAmounts(given)) {
    const byDecimals = new Map<number, (value: bigint) => boolean>();
    conditions.push(({ token, value }) => {
      const decimals = token.decimals ?? 0;
      const isWanted = byDecimals.get(decimals) ?? isWithin(given, decimals);
      byDecimals.set(decimals, isWanted);
      return !hasIds(token.standard) && isWanted(value);
    });
  }
  return conditions;
}

/** Of an account: those of a standard. */
export const filteredTransfers = (
  chain: ChainWriter,
  account: Address,
  standard: TokenStandard,
  given: ParametersOf<"transfers">,
): FilteredList<ListedTransfer> => {
  const { token } = given;
  const conditions = transferConditions(given, account);
  return {
    list: chain.transfers(account, standard, rangeOf(given)),
    conditions:
      token === undefined
        ? conditions
        : [({ token: { address } }) => address === token, ...conditions],
  };
};

/** Of a token: its logs, of which some may be no transfers. */
export function filteredTransferLogs(
  chain: ChainWriter,
  token: Address,
  given: ParametersOf<"transfers">,
): FilteredList<Log> {
  const conditions = transferConditions(given, undefined);
  const isWanted = (log: Log) => {
    const transfer = listedTransferOf(chain, log);
    return transfer !== undefined && conditions.every((holds) => holds(transfer));
  };
  const list = transferLogs(chain, token, rangeOf(given));
  return { list, conditions: conditions.length === 0 ? [] : [isWanted] };
}

export function filteredLogs(chain: ChainWriter, given: ParametersOf<"logs">): FilteredList<Log> {
  const { address, event } = given;
  const topics = event === undefined ? [] : selectorsFor(chain, "event", event);
  const [topic, ...others] = topics;
  if (others.length > 0 || (address === undefined && topic === undefined))
    throw new ServiceError(
      400,
      topic === undefined
        ? "event: expected one where no address is given"
        : `event: ${topics.length} events have this name, give the hash of one: ${topics.join(", ")}`,
    );
  const blocks = rangeOf(given);
  const list =
    address !== undefined
      ? chain.logs({ ...blocks, address, topics: [topic], operand: "and" })
      : chain.logsOfEvent(topic as Hex, blocks);
  return { list, conditions: [] };
}
