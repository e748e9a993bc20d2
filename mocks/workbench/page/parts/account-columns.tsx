// The columns of the lists of an account, and of a token's transfers.
import type { MinedBlock } from "../../../../src/models/block.ts";
import type { EventLog } from "../../../../src/models/event-log.ts";
import type { InternalTransaction } from "../../../../src/models/internal-transaction.ts";
import type { Address, Hex } from "../../../../src/models/primitives.ts";
import type { Transaction } from "../../../../src/models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../../../../src/models/transfer.ts";
import { sameAddress } from "../../../../src/resources/display.ts";
import { grouped, shortHex } from "../format/values.ts";
import type { InspectedTransfer } from "../inspect/records.ts";
import { href } from "../router.ts";
import { useFunction, useMethod } from "../service/inspect.ts";
import { Method } from "./columns.tsx";
import type { Column } from "./table.tsx";
import {
  AddressLink,
  AddressText,
  Amount,
  BlockLink,
  ChainText,
  Time,
  TransactionLink,
} from "./text.tsx";

interface Listed {
  readonly transaction_hash: string;
  readonly block_number: bigint;
  readonly timestamp: Date;
  readonly sender: Address;
  readonly receiver: Address | null;
  /** What an internal transaction creates. */
  readonly contract_address?: Address | null;
}

const block: Column<{ block_number: bigint | number }> = {
  title: "Block",
  cell: ({ block_number }) => <BlockLink to={block_number} />,
};
const time: Column<{ timestamp: Date }> = {
  title: "Time",
  cell: ({ timestamp }) => <Time at={timestamp} />,
};

/** The transaction it is part of, and whether it failed. */
const hash = <Item extends Pick<Listed, "transaction_hash">>(
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

/** The function that is called: the API has no names. */
function MethodOf({ hash }: { hash: string }) {
  const method = useMethod(hash);
  return method && <Method {...method} />;
}

const methodOf: Column<{ transaction_hash: string }> = {
  title: "Method",
  cell: ({ transaction_hash }) => <MethodOf hash={transaction_hash} />,
};

/** The function that a call within a transaction calls. */
function FunctionOf({ receiver, selector }: { receiver: Address; selector: Hex }) {
  const called = useFunction(`${receiver}.${selector}`);
  return <Method method={selector} method_name={called?.name ?? null} />;
}

const feeOf = ({ gas_used, gas_price }: Transaction): bigint | null =>
  gas_used === null || gas_price === null ? null : gas_used * gas_price;

export const transactions = (account: Address): readonly Column<Transaction>[] => [
  hash(({ tx_status }) => tx_status === "0"),
  block,
  time,
  methodOf,
  ...parties(account),
  { title: "Value", kind: "number", cell: ({ value }) => <Amount value={value} /> },
  { title: "Fee", kind: "number", cell: (one) => <Amount paid value={feeOf(one)} /> },
];

export const internalTransactions = (account: Address): readonly Column<InternalTransaction>[] => [
  hash(({ status }) => status === "0"),
  block,
  time,
  { title: "Type", cell: ({ trace_type }) => <span class="badge">{trace_type ?? "call"}</span> },
  {
    title: "Method",
    cell: ({ receiver, input = "0x" }) =>
      receiver !== null &&
      input !== null &&
      input.length >= 10 && <FunctionOf receiver={receiver} selector={`0x${input.slice(2, 10)}`} />,
  },
  ...parties(account),
  { title: "Value", kind: "number", cell: ({ value }) => <Amount value={value} /> },
];

const TokenLink = ({
  transfer: { token_address, token_symbol, token_name },
}: {
  transfer: Pick<Mrc20Transfer, "token_address" | "token_symbol" | "token_name">;
}) => (
  <a class="named" href={href("token", token_address)} title={token_address}>
    <ChainText text={token_symbol || token_name || shortHex(token_address)} length={16} />
  </a>
);

export const mrc20Transfers = (account: Address): readonly Column<Mrc20Transfer>[] => [
  hash(),
  block,
  time,
  methodOf,
  ...parties(account),
  {
    title: "Amount",
    kind: "number",
    cell: ({ value, token_decimals }) => <Amount value={value} decimals={token_decimals} />,
  },
  { title: "Token", cell: (transfer) => <TokenLink transfer={transfer} /> },
];

export const mrc721Transfers = (account: Address): readonly Column<Mrc721Transfer>[] => [
  hash(),
  block,
  time,
  methodOf,
  ...parties(account),
  { title: "Collection", cell: (transfer) => <TokenLink transfer={transfer} /> },
];

export const minedBlocks: readonly Column<MinedBlock>[] = [
  { title: "Block", cell: ({ block_number }) => <BlockLink row to={block_number} /> },
  time,
  {
    title: "Transactions",
    kind: "number",
    cell: ({ transaction_count }) => transaction_count ?? "unknown",
  },
  {
    title: "Gas used",
    kind: "number",
    cell: ({ gas_used }) => (gas_used === null ? "unknown" : grouped(gas_used)),
  },
  { title: "Reward", kind: "number", cell: ({ reward }) => <Amount value={reward} /> },
];

export const eventLogs: readonly Column<EventLog>[] = [
  hash(),
  time,
  {
    title: "Event",
    cell: ({ log_name, topic_0 }) =>
      log_name ? (
        <ChainText text={log_name} length={40} />
      ) : (
        <span class="hex quiet" title={topic_0 ?? ""}>
          {topic_0 ? shortHex(topic_0) : "anonymous"}
        </span>
      ),
  },
  {
    title: "Topics",
    kind: "wide",
    cell: (log) =>
      [log.topic_1, log.topic_2, log.topic_3].map(
        (topic) =>
          topic && (
            <span key={topic} class="hex quiet" title={topic}>
              {shortHex(topic)}{" "}
            </span>
          ),
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

export const transferColumns: readonly Column<InspectedTransfer>[] = [
  {
    title: "Transaction",
    cell: ({ transaction_hash }) => <TransactionLink row to={transaction_hash} />,
  },
  block,
  time,
  methodOf,
  { title: "From", cell: ({ sender }) => <TransferParty address={sender} word="minted" /> },
  { title: "To", cell: ({ receiver }) => <TransferParty address={receiver} word="burned" /> },
  {
    title: "Amount",
    kind: "number",
    cell: ({ value, token_decimals, token_id }) =>
      token_id === null ? (
        <Amount value={value} decimals={token_decimals} />
      ) : (
        <span class="number" title={`${token_id}`}>
          #{`${token_id}`.length > 12 ? `${`${token_id}`.slice(0, 8)}…` : `${token_id}`}
        </span>
      ),
  },
  { title: "Token", cell: (transfer) => <TokenLink transfer={transfer} /> },
];
