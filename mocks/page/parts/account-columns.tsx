// The columns of the lists of an account, of a token's transfers and of logs.
import type { Address } from "../../../src/models/primitives.ts";
import { sameAddress } from "../../../src/resources/display.ts";
import type {
  InspectedBlock,
  InspectedInternal,
  InspectedTransaction,
  InspectedTransfer,
  ListedLog,
} from "../../inspect/records.ts";
import { grouped, shortHex } from "../format/values.ts";
import { CallWords } from "./code.tsx";
import {
  blockColumn,
  blockColumns,
  calledColumns,
  hashColumn,
  methodColumn,
  timeColumn,
  valueColumn,
} from "./columns.tsx";
import type { Column } from "./table.tsx";
import { AddressLink, AddressText, Amount, NamedLink } from "./text.tsx";

interface Listed {
  readonly transaction_hash: string;
  readonly sender: Address;
  readonly receiver: Address | null;
  /** What it creates. */
  readonly contract_address?: Address | null;
}

/** In, out, to itself, or neither: the account's part in it. */
function direction({ sender, receiver }: Listed, account: Address): string {
  const isSender = sameAddress(sender, account);
  if (sameAddress(receiver, account)) return isSender ? "self" : "in";
  return isSender ? "out" : "";
}

const parties = (account: Address): readonly Column<Listed>[] => [
  { title: "From", cell: ({ sender }) => <Party address={sender} account={account} /> },
  {
    title: "Direction",
    cell: (item) => {
      const word = direction(item, account);
      return word && <span class={`badge ${word}`}>{word}</span>;
    },
  },
  {
    title: "To",
    cell: ({ receiver, contract_address }) =>
      receiver !== null ? (
        <Party address={receiver} account={account} />
      ) : contract_address ? (
        <>
          <span class="badge">new</span> <Party address={contract_address} account={account} />
        </>
      ) : (
        <span class="quiet">new contract</span>
      ),
  },
];

/** The account itself needs no link. */
function Party({ address, account }: { address: Address; account: Address }) {
  return sameAddress(address, account) ? (
    <span class="address quiet" title={address}>
      <AddressText address={address} />
    </span>
  ) : (
    <AddressLink to={address} />
  );
}

export const transactions = (account: Address): readonly Column<InspectedTransaction>[] => [
  ...calledColumns,
  ...parties(account),
  valueColumn,
  { title: "Fee", kind: "number", cell: ({ tx_fee }) => <Amount paid value={tx_fee} /> },
];

export const internalTransactions = (account: Address): readonly Column<InspectedInternal>[] => [
  hashColumn(({ undone }) => undone),
  ...[blockColumn, timeColumn],
  { title: "Type", cell: ({ type }) => <span class="badge">{type}</span> },
  methodColumn,
  ...parties(account),
  valueColumn,
];

/** The first columns of transfers. */
const transferred: readonly Column<InspectedTransfer>[] = [
  hashColumn(),
  ...[blockColumn, timeColumn, methodColumn],
];

const ofToken: Column<InspectedTransfer> = {
  title: "Token",
  cell: ({ token_address: to, token_symbol, token_name }) => (
    <NamedLink to={to} text={token_symbol || token_name || shortHex(to)} length={16} />
  ),
};

const amount: Column<InspectedTransfer> = {
  title: "Amount",
  kind: "number",
  cell: ({ value, token_decimals }) => <Amount value={value} decimals={token_decimals} />,
};

/** An id may have 78 digits. */
export const shortId = (id: bigint): string => {
  const digits = `${id}`;
  return digits.length > 12 ? `#${digits.slice(0, 5)}…${digits.slice(-4)}` : `#${digits}`;
};

export const TokenId = ({ id }: { id: bigint }) => (
  <span class="number" title={`${id}`}>
    {shortId(id)}
  </span>
);

const tokenId: Column<InspectedTransfer> = {
  title: "Token id",
  kind: "number",
  cell: ({ token_id }) => token_id !== null && <TokenId id={token_id} />,
};

/** Of an account: those of tokens, or of collectibles. */
export const accountTransfers = (
  account: Address,
  areIds: boolean,
): readonly Column<InspectedTransfer>[] => [
  ...transferred,
  ...parties(account),
  areIds ? tokenId : amount,
  ofToken,
];

export const minedBlocks: readonly Column<InspectedBlock>[] = [
  ...blockColumns.filter(({ title }) => title !== "Miner"),
  {
    title: "Reward",
    kind: "number",
    cell: ({ fees, mining_reward }) => <Amount value={fees + mining_reward} />,
  },
];

export const eventLogs: readonly Column<ListedLog>[] = [
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

const ZERO = /^0x0+$/;

/** The zero address mints and burns. */
const TransferParty = ({ address, word }: { address: string; word: string }) =>
  ZERO.test(address) ? <span class="badge">{word}</span> : <AddressLink to={address} />;

const transferParties: readonly Column<InspectedTransfer>[] = [
  { title: "From", cell: ({ sender }) => <TransferParty address={sender} word="minted" /> },
  { title: "To", cell: ({ receiver }) => <TransferParty address={receiver} word="burned" /> },
];

/** Of a token, or of a collection. */
export const tokenTransferColumns = (areIds: boolean): readonly Column<InspectedTransfer>[] => [
  ...transferred,
  ...transferParties,
  areIds ? tokenId : amount,
];

/** Of a transaction: those of tokens and of collectibles. */
export const transactionTransfers = (
  transfers: readonly InspectedTransfer[],
): readonly Column<InspectedTransfer>[] => [
  ...transferParties,
  ...(transfers.some(({ value }) => value !== null)
    ? [{ ...amount, cell: (one: InspectedTransfer) => one.value !== null && amount.cell(one) }]
    : []),
  ...(transfers.some(({ token_id }) => token_id !== null) ? [tokenId] : []),
  ofToken,
];
