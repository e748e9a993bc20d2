// The columns of every list of records: those of `/inspect`, of an account, and of a token's transfers.

import type { MinedBlock } from "../../../src/models/block.ts";
import type { EventLog } from "../../../src/models/event-log.ts";
import type { InternalTransaction } from "../../../src/models/internal-transaction.ts";
import type { Address } from "../../../src/models/primitives.ts";
import type { Transaction } from "../../../src/models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../../../src/models/transfer.ts";
import { sameAddress } from "../../../src/resources/display.ts";
import type {
  InspectedAccount,
  InspectedBlock,
  InspectedContract,
  InspectedToken,
  InspectedTransaction,
  InspectedTransfer,
} from "../../inspect/records.ts";
import { grouped, shortHex } from "../format/values.ts";
import { href } from "../router.ts";
import type { Column } from "./table.tsx";
import { AddressLink, BlockLink, ChainText, TransactionLink } from "./text.tsx";
import { Amount, Time } from "./values.tsx";

export const failedClass = ({ tx_status }: { tx_status: string | null }) =>
  tx_status === "0" ? "failed" : undefined;

export const blockColumns: readonly Column<InspectedBlock>[] = [
  { title: "Block", cell: (block) => <BlockLink row to={block.block_number} /> },
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
  { title: "Miner", cell: ({ miner }) => <AddressLink to={miner} /> },
  { title: "Transactions", kind: "number", cell: (block) => grouped(block.transaction_count) },
  { title: "Gas used", kind: "number", cell: ({ gas_used }) => grouped(gas_used) },
];

/** Who receives it: an account, or the contract it creates. */
export function Receiver({ transaction }: { transaction: InspectedTransaction }) {
  const { receiver, contract_address } = transaction;
  if (receiver !== null) return <AddressLink to={receiver} />;
  return (
    <>
      <span class="badge">new</span> {contract_address && <AddressLink to={contract_address} />}
    </>
  );
}

export const transactionColumns: readonly Column<InspectedTransaction>[] = [
  {
    title: "Transaction",
    cell: ({ transaction_hash, tx_status }) => (
      <>
        <TransactionLink row to={transaction_hash} />
        {tx_status === "0" && <span class="badge bad">failed</span>}
      </>
    ),
  },
  { title: "Block", cell: ({ block_number }) => <BlockLink to={block_number} /> },
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    title: "Method",
    cell: ({ method, method_name }) =>
      (method_name ?? method) && (
        <span class="badge" title={method ?? ""}>
          <ChainText text={method_name ?? method ?? ""} length={18} />
        </span>
      ),
  },
  { title: "From", cell: ({ sender }) => <AddressLink to={sender} /> },
  // The others have a bounded width; a name may be long.
  { title: "To", kind: "wide", cell: (transaction) => <Receiver transaction={transaction} /> },
  { title: "Value", kind: "number", cell: ({ value }) => <Amount value={value} /> },
];

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
  { title: "Transactions", kind: "number", cell: (one) => grouped(one.transaction_count) },
  { title: "Balance", kind: "number", cell: ({ balance }) => <Amount value={balance} /> },
];

export const tokenColumns: readonly Column<InspectedToken>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name, token_symbol, standard }) => (
      <>
        <a class="named" data-row href={href("token", token_address)} title={token_address}>
          <ChainText text={token_name || "Unnamed token"} length={28} />
        </a>{" "}
        <span class="quiet">
          {standard === "mrc721" ? (
            "collection"
          ) : (
            <ChainText text={token_symbol ?? ""} length={10} />
          )}
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

export const contractColumns: readonly Column<InspectedContract>[] = [
  {
    title: "Contract",
    kind: "wide",
    cell: ({ address, contract_name }) => (
      <a class="named" data-row href={href("contract", address)} title={address}>
        <ChainText text={contract_name} length={28} />
      </a>
    ),
  },
  {
    title: "Compiler",
    cell: ({ compiler }) => <ChainText text={compiler.replace(/\+commit.*/, "")} length={16} />,
  },
  {
    title: "Proof",
    cell: ({ verify_level }) => <span class="badge">{verify_level ?? "loaded"}</span>,
  },
];

interface Listed {
  readonly transaction_hash: string;
  readonly block_number: bigint;
  readonly timestamp: Date;
  readonly sender: Address;
  readonly receiver: Address | null;
}

const block: Column<{ block_number: bigint }> = {
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
    cell: ({ receiver }) =>
      receiver === null ? (
        <span class="quiet">new contract</span>
      ) : (
        <Party address={receiver} account={account} />
      ),
  },
];

/** The account itself needs no link. */
function Party({ address, account }: { address: Address; account: Address }) {
  return sameAddress(address, account) ? (
    <span class="hex quiet" title={address}>
      {shortHex(address)}
    </span>
  ) : (
    <AddressLink to={address} />
  );
}

const feeOf = ({ gas_used, gas_price }: Transaction): bigint | null =>
  gas_used === null || gas_price === null ? null : gas_used * gas_price;

export const transactions = (account: Address): readonly Column<Transaction>[] => [
  hash(({ tx_status }) => tx_status === "0"),
  block,
  time,
  ...parties(account),
  { title: "Value", kind: "number", cell: ({ value }) => <Amount value={value} /> },
  { title: "Fee", kind: "number", cell: (one) => <Amount paid value={feeOf(one)} /> },
];

export const internalTransactions = (account: Address): readonly Column<InternalTransaction>[] => [
  hash(({ status }) => status === "0"),
  block,
  time,
  { title: "Type", cell: ({ trace_type }) => <span class="badge">{trace_type ?? "call"}</span> },
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
  { title: "Block", cell: ({ block_number }) => <BlockLink to={block_number} /> },
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
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
