// The columns of the lists that Home shows: blocks, transactions, accounts, tokens and contracts of the whole chain.

import {
  hasIds,
  type InspectedAccount,
  type InspectedBlock,
  type InspectedContract,
  type InspectedToken,
  type InspectedTransaction,
} from "../../inspect/records.ts";
import { grouped, shortHex } from "../format/values.ts";
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

/** The name of the function that is called, else its selector. */
const Method = ({ method, method_name }: Pick<InspectedTransaction, "method" | "method_name">) =>
  (method_name ?? method) ? (
    <span class="badge" title={method ?? ""}>
      <ChainText text={method_name ?? method ?? ""} length={18} />
    </span>
  ) : null;

/** Of a list whose rows are parts of transactions. */
export const blockColumn: Column<{ block_number: bigint | number }> = {
  title: "Block",
  cell: ({ block_number }) => <BlockLink to={block_number} />,
};
export const timeColumn: Column<{ timestamp: Date }> = {
  title: "Time",
  cell: ({ timestamp }) => <Time at={timestamp} />,
};
export const methodColumn: Column<Pick<InspectedTransaction, "method" | "method_name">> = {
  title: "Method",
  cell: (called) => <Method {...called} />,
};
export const valueColumn: Column<{ value: bigint }> = {
  title: "Value",
  kind: "number",
  cell: ({ value }) => <Amount value={value} />,
};

/** The transaction, and whether it failed. */
export const hashColumn = <Item extends { readonly transaction_hash: string }>(
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

/** The first columns of transactions. */
export const calledColumns: readonly Column<InspectedTransaction>[] = [
  hashColumn(({ tx_status }) => tx_status === "0"),
  ...[blockColumn, timeColumn, methodColumn],
];

export const transactionColumns: readonly Column<InspectedTransaction>[] = [
  ...calledColumns,
  { title: "From", cell: ({ sender }) => <AddressLink to={sender} /> },
  // The others have a bounded width; a name may be long.
  { title: "To", kind: "wide", cell: (transaction) => <Receiver transaction={transaction} /> },
  valueColumn,
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
    title: "Proof",
    cell: ({ verify_level }) => <span class="badge">{verify_level ?? "loaded"}</span>,
  },
];
