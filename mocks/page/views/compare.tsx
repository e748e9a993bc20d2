// Two transactions side by side: their facts, with those that differ marked, and what each logged.
import type { ComponentChildren } from "preact";
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped } from "../format/values.ts";
import { CallWords } from "../parts/code.tsx";
import { Receiver } from "../parts/columns.tsx";
import { FullTime, StatusBadge } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { AddressLink, Amount, BlockLink, TransactionLink } from "../parts/text.tsx";
import { route } from "../router.ts";
import { useInspect } from "../service/queries.ts";
import { Reason } from "./calls.tsx";

type Transaction = AnswerOf<"transaction">;

interface Fact {
  readonly name: string;
  /** The same text: the same fact. */
  readonly textOf: (one: Transaction) => string;
  readonly cell?: (one: Transaction) => ComponentChildren;
}

const number = (name: string, of: (one: Transaction) => number | null): Fact => ({
  name,
  textOf: (one) => grouped(of(one)),
});

const amount = (name: string, of: (one: Transaction) => bigint | null): Fact => ({
  name,
  textOf: (one) => `${of(one)}`,
  cell: (one) => <Amount exact value={of(one)} />,
});

/** What it called, with its arguments. */
const Called = ({ one: { call, transaction } }: { one: Transaction }) =>
  call ? (
    <CallWords named decoded={call} />
  ) : (
    <span class="hex">{transaction.method ?? "none"}</span>
  );

const facts: readonly Fact[] = [
  {
    name: "Status",
    textOf: ({ transaction }) => `${transaction.tx_status}`,
    cell: ({ transaction }) => <StatusBadge status={transaction.tx_status} />,
  },
  {
    name: "Why it failed",
    textOf: ({ failure }) => failure?.reason ?? "",
    cell: ({ failure }) => failure && <Reason of={failure} length={200} />,
  },
  {
    name: "Block",
    textOf: ({ block }) => `${block.block_number}`,
    cell: ({ block }) => <BlockLink to={block.block_number} />,
  },
  {
    name: "Time",
    textOf: ({ block }) => block.timestamp.toISOString(),
    cell: ({ block }) => <FullTime at={block.timestamp} />,
  },
  {
    name: "From",
    textOf: ({ transaction }) => transaction.sender,
    cell: ({ transaction }) => <AddressLink to={transaction.sender} />,
  },
  {
    name: "To",
    textOf: ({ transaction }) => `${transaction.receiver ?? transaction.contract_address}`,
    cell: ({ transaction }) => <Receiver transaction={transaction} />,
  },
  {
    name: "Call",
    textOf: ({ call, input }) => JSON.stringify(call) ?? input,
    cell: (one) => <Called one={one} />,
  },
  amount("Value", ({ transaction }) => transaction.value),
  amount("Fee", ({ transaction }) => transaction.tx_fee),
  amount("Gas price", ({ gas_price }) => gas_price),
  number("Gas used", ({ gas_used }) => gas_used),
  number("Gas limit", ({ gas_limit }) => gas_limit),
  number("Nonce", ({ nonce }) => nonce),
  number("Calls", ({ internal_transaction_count }) => internal_transaction_count),
  number("Transfers", ({ transfers }) => transfers.length),
  number("Logs", ({ log_count }) => log_count),
  {
    name: "Events",
    textOf: ({ logs }) => JSON.stringify(logs.map(({ event, topics }) => event ?? topics)),
    cell: ({ logs }) => <Events logs={logs} />,
  },
];

/** The events that are shown of each. */
const MAX_EVENTS = 30;

const Events = ({ logs }: Pick<Transaction, "logs">) => (
  <ol class="plain">
    {logs.slice(0, MAX_EVENTS).map(({ log_index, event, topics: [topic] }) => (
      <li key={log_index}>
        {event ? <CallWords named decoded={event} /> : <span class="hex">{topic}</span>}
      </li>
    ))}
    {logs.length > MAX_EVENTS && <li>and {grouped(logs.length - MAX_EVENTS)} more</li>}
  </ol>
);

function Compared({ pair }: { pair: readonly [Transaction, Transaction] }) {
  const differs = ({ textOf }: Fact) => textOf(pair[0]) !== textOf(pair[1]);
  const columns: readonly Column<Fact>[] = [
    { title: "Of", cell: ({ name }) => name },
    ...pair.map(
      (one, index): Column<Fact> => ({
        title: index === 0 ? "First" : "Second",
        kind: "text",
        cell: ({ textOf, cell }) => (cell ? cell(one) : textOf(one)),
      }),
    ),
  ];
  return (
    <section class="card">
      <h1 class="small">Two transactions</h1>
      <p class="subject">
        <TransactionLink to={pair[0].transaction.transaction_hash} /> and{" "}
        <TransactionLink to={pair[1].transaction.transaction_hash} />{" "}
        <span class="quiet" role="status">
          {grouped(facts.filter(differs).length)} of {grouped(facts.length)} differ
        </span>
      </p>
      <Table
        label="Facts of the two transactions; those that differ are marked"
        columns={columns}
        rows={facts}
        keyOf={({ name }) => name}
        classOf={(fact) => (differs(fact) ? "miss" : undefined)}
      />
    </section>
  );
}

export function CompareView({ subject }: { subject: string }) {
  const other = route.use().query.get("with") ?? "";
  const first = useInspect("transaction", { hash: subject });
  const second = useInspect("transaction", { hash: other });
  return (
    <Loaded of={first} what="Could not load the first transaction" lines={8}>
      {(one) => (
        <Loaded of={second} what="Could not load the second transaction" lines={8}>
          {(two) => <Compared pair={[one, two]} />}
        </Loaded>
      )}
    </Loaded>
  );
}
