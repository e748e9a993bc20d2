// The columns of token transfers as `/inspect` returns them: with amounts or ids.
import type { InspectedTransfer } from "../../inspect/records.ts";
import { TokenLink } from "./record-columns.tsx";
import type { Column } from "./table.tsx";
import { AddressLink, BlockLink, TransactionLink } from "./text.tsx";
import { Amount, Time } from "./values.tsx";

const zero = /^0x0+$/;

/** The zero address mints and burns. */
const Party = ({ address, word }: { address: string; word: string }) =>
  zero.test(address) ? <span class="badge">{word}</span> : <AddressLink to={address} />;

export const transferColumns: readonly Column<InspectedTransfer>[] = [
  {
    title: "Transaction",
    cell: ({ transaction_hash }) => <TransactionLink row to={transaction_hash} />,
  },
  { title: "Block", cell: ({ block_number }) => <BlockLink to={block_number} /> },
  { title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
  { title: "From", cell: ({ sender }) => <Party address={sender} word="minted" /> },
  { title: "To", cell: ({ receiver }) => <Party address={receiver} word="burned" /> },
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
