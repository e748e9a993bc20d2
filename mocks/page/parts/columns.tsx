// The columns of all lists: blocks, transactions, transfers, logs, accounts, tokens and contracts.
import type { Address } from "../../../src/models/primitives.ts";
import { sameAddress } from "../../../src/resources/display.ts";
import {
  hasIds,
  type InspectedAccount,
  type InspectedBlock,
  type InspectedContract,
  type InspectedHolding,
  type InspectedInternal,
  type InspectedToken,
  type InspectedTransaction,
  type InspectedTransfer,
  type ListedLog,
} from "../../inspect/records.ts";
import { grouped, shortHex } from "../format/values.ts";
import { CallWords } from "./code.tsx";
import type { Column } from "./table.tsx";
import {
  AddressLink,
  Amount,
  BlockLink,
  ChainText,
  NamedLink,
  Time,
  TransactionLink,
} from "./text.tsx";

export const blockColumns: readonly Column<InspectedBlock>[] = [
  { title: "Block", cell: (block) => <BlockLink row to={block.block_number} /> },
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
  { title: "Miner", kind: "wide", cell: ({ miner }) => <AddressLink to={miner} /> },
  { title: "Transactions", kind: "number", cell: (block) => grouped(block.transaction_count) },
  { title: "Gas used", kind: "number", cell: ({ gas_used }) => grouped(gas_used) },
];

export const minedBlocks: readonly Column<InspectedBlock>[] = [
  ...blockColumns.filter(({ title }) => title !== "Miner"),
  {
    title: "Reward",
    kind: "number",
    cell: ({ fees, mining_reward }) => <Amount value={fees + mining_reward} />,
  },
];

interface Parties {
  readonly sender: Address;
  readonly receiver: Address | null;
  /** Contract that a creation creates. */
  readonly contract_address?: Address | null;
}

/** The receiver of a call, or the contract that a creation creates. */
export const Receiver = ({ of: { receiver, contract_address } }: { of: Parties }) =>
  receiver !== null ? (
    <AddressLink to={receiver} />
  ) : (
    <>
      <span class="badge">new</span> {contract_address && <AddressLink to={contract_address} />}
    </>
  );

/** The other side of a transaction, and the direction as an account sees it. */
const otherSide = (account: Address): Column<Parties> => ({
  title: "From / to",
  kind: "wide",
  cell(item) {
    const isSender = sameAddress(item.sender, account);
    const isReceiver = sameAddress(item.receiver, account);
    const direction = !isSender ? "in" : isReceiver ? "self" : "out";
    return (
      <>
        <span class={`badge ${direction}`}>{direction}</span>{" "}
        {isSender ? <Receiver of={item} /> : <AddressLink to={item.sender} />}
      </>
    );
  },
});

type Called = Pick<InspectedTransaction, "method" | "method_name">;

const blockColumn: Column<{ block_number: bigint | number }> = {
  title: "Block",
  cell: ({ block_number }) => <BlockLink to={block_number} />,
};
const timeColumn: Column<{ timestamp: Date }> = {
  title: "Time",
  cell: ({ timestamp }) => <Time at={timestamp} />,
};
const methodColumn: Column<Called> = {
  title: "Method",
  cell: ({ method, method_name }) =>
    (method_name ?? method) && (
      <span class="badge" title={method ?? ""}>
        <ChainText text={method_name ?? method ?? ""} length={18} />
      </span>
    ),
};
const valueColumn: Column<{ value: bigint }> = {
  title: "Value",
  kind: "number",
  cell: ({ value }) => <Amount value={value} />,
};

const hashColumn = <Item extends { readonly transaction_hash: string }>(
  hasFailed: (item: Item) => boolean = () => false,
): Column<Item> => ({
  title: "Transaction",
  cell: (item) => (
    <>
      <TransactionLink row to={item.transaction_hash} />
      {hasFailed(item) && <span class="badge bad">failed</span>}
    </>
  ),
});

const calledColumns: readonly Column<InspectedTransaction>[] = [
  hashColumn(({ tx_status }) => tx_status === "0"),
  ...[blockColumn, timeColumn, methodColumn],
];

export const transactionColumns: readonly Column<InspectedTransaction>[] = [
  ...calledColumns,
  { title: "From", cell: ({ sender }) => <AddressLink to={sender} /> },
  { title: "To", kind: "wide", cell: (transaction) => <Receiver of={transaction} /> },
  valueColumn,
];

export const accountTransactions = (account: Address): readonly Column<InspectedTransaction>[] => [
  ...calledColumns,
  otherSide(account),
  valueColumn,
  { title: "Fee", kind: "number", cell: ({ tx_fee }) => <Amount paid value={tx_fee} /> },
];

export const internalTransactions = (account: Address): readonly Column<InspectedInternal>[] => [
  hashColumn(({ undone }) => undone),
  ...[blockColumn, timeColumn],
  { title: "Type", cell: ({ type }) => <span class="badge">{type}</span> },
  methodColumn,
  otherSide(account),
  valueColumn,
];

const tokenColumn: Column<InspectedTransfer> = {
  title: "Token",
  cell: ({ token_address: to, token_symbol, token_name }) => (
    <NamedLink to={to} text={token_symbol || token_name || shortHex(to)} length={16} />
  ),
};

const amountColumn = (kind: "number" | "exact"): Column<InspectedTransfer> => ({
  title: "Amount",
  kind,
  cell: ({ value, token_decimals: decimals }) =>
    value !== null && <Amount {...{ value, decimals }} exact={kind === "exact"} />,
});

/** Cuts an id, which may have 78 digits. */
export const shortId = (id: bigint): string => {
  const digits = `${id}`;
  return digits.length > 12 ? `#${digits.slice(0, 5)}…${digits.slice(-4)}` : `#${digits}`;
};

export const TokenId = ({ id }: { id: bigint }) => (
  <span class="number" title={`${id}`}>
    {shortId(id)}
  </span>
);

const idColumn: Column<InspectedTransfer> = {
  title: "Token id",
  kind: "number",
  cell: ({ token_id }) => token_id !== null && <TokenId id={token_id} />,
};

const transferStart: readonly Column<InspectedTransfer>[] = [
  hashColumn(),
  ...[blockColumn, timeColumn, methodColumn],
];

/** Transfers of an account, of tokens or of collectibles. */
export const accountTransfers = (
  account: Address,
  areIds: boolean,
): readonly Column<InspectedTransfer>[] => [
  ...transferStart,
  otherSide(account),
  areIds ? idColumn : amountColumn("number"),
  tokenColumn,
];

const ZERO = /^0x0+$/;

/** A transfer from the zero address mints, one to it burns. */
const TransferParty = ({ address, word }: { address: string; word: string }) =>
  ZERO.test(address) ? <span class="badge">{word}</span> : <AddressLink to={address} />;

const transferParties: readonly Column<InspectedTransfer>[] = [
  { title: "From", cell: ({ sender }) => <TransferParty address={sender} word="minted" /> },
  {
    title: "To",
    kind: "wide",
    cell: ({ receiver }) => <TransferParty address={receiver} word="burned" />,
  },
];

export const tokenTransferColumns = (areIds: boolean): readonly Column<InspectedTransfer>[] => [
  ...transferStart,
  ...transferParties,
  areIds ? idColumn : amountColumn("number"),
];

/** Transfers of one transaction, of all kinds of tokens. */
export const transactionTransfers = (
  transfers: readonly InspectedTransfer[],
): readonly Column<InspectedTransfer>[] => [
  ...transferParties,
  ...(transfers.some(({ value }) => value !== null) ? [amountColumn("exact")] : []),
  ...(transfers.some(({ token_id }) => token_id !== null) ? [idColumn] : []),
  tokenColumn,
];

export const logColumns: readonly Column<ListedLog>[] = [
  hashColumn(),
  ...[blockColumn, timeColumn],
  { title: "Contract", cell: ({ address }) => <AddressLink to={address} /> },
  {
    title: "Event",
    kind: "text",
    cell: ({ event, topics: [topic] }) =>
      event ? (
        <CallWords named decoded={event} />
      ) : (
        <span class="hex quiet" title={topic ?? ""}>
          {topic ? shortHex(topic) : "anonymous"}
        </span>
      ),
  },
  {
    title: "Data",
    kind: "number",
    cell: ({ data }) => (
      <span title={data.slice(0, 500)}>{grouped((data.length - 2) / 2)} bytes</span>
    ),
  },
];

export const logStart = logColumns.filter(({ title }) => /Transaction|Time/.test(title));

export const accountColumns: readonly Column<InspectedAccount>[] = [
  {
    title: "Account",
    kind: "wide",
    cell: ({ address, is_contract }) => (
      <>
        <AddressLink row to={address} />
        {is_contract && <span class="badge">contract</span>}
      </>
    ),
  },
  { title: "Transactions", kind: "number", cell: (item) => grouped(item.transaction_count) },
  { title: "Balance", kind: "number", cell: ({ balance }) => <Amount value={balance} /> },
];

export const tokenColumns: readonly Column<InspectedToken>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name, token_symbol, standard }) => (
      <>
        <NamedLink row to={token_address} text={token_name || "Unnamed token"} length={28} />{" "}
        <span class="quiet">
          {hasIds(standard) ? "collection" : <ChainText text={token_symbol ?? ""} length={10} />}
        </span>
      </>
    ),
  },
  { title: "Holders", kind: "number", cell: ({ holder_count }) => grouped(holder_count) },
  {
    title: "Supply",
    kind: "number",
    cell: (token) => <Amount value={token.total_supply} decimals={token.token_decimals} />,
  },
];

export const holdingColumns: readonly Column<InspectedHolding>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name }) => (
      <NamedLink row to={token_address} text={token_name || shortHex(token_address)} length={48} />
    ),
  },
  {
    title: "Balance",
    kind: "number",
    cell: ({ balance, token_decimals, standard }) => (
      <Amount value={balance} decimals={hasIds(standard) ? 0 : token_decimals} />
    ),
  },
  {
    title: "Symbol",
    cell: ({ token_symbol }) => <ChainText text={token_symbol ?? ""} length={12} />,
  },
];

export const contractColumns: readonly Column<InspectedContract>[] = [
  {
    title: "Contract",
    kind: "wide",
    cell: ({ address, contract_name, token_symbol }) => (
      <>
        <NamedLink row view="contract" to={address} text={contract_name} length={28} />{" "}
        <span class="quiet">
          {token_symbol && <ChainText text={token_symbol} length={10} />}{" "}
          <span class="hex">{shortHex(address, 4)}</span>
        </span>
      </>
    ),
  },
  {
    title: "Compiler",
    cell: ({ compiler }) => <ChainText text={compiler.replace(/\+commit.*/, "")} length={16} />,
  },
  {
    title: "Match",
    cell: ({ verify_level }) => <span class="badge">{verify_level ?? "not checked"}</span>,
  },
];
