// Home: the head, the latest blocks and transactions as they arrive, and the accounts, tokens and contracts of the chain.
import type { ComponentChildren } from "preact";
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped } from "../format/values.ts";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { Loaded, Skeleton } from "../parts/failure.tsx";
import { Columns } from "../parts/plot.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { BlockLink, ChainText, Time } from "../parts/text.tsx";
import { href } from "../router.ts";
import { head } from "../service/head.ts";
import { useInspect } from "../service/queries.ts";

const sources = {
  demo: "the demo chain",
  folder: "a folder",
  generated: "generated",
  node: "a node",
  built: "built in a program",
} as const;

/** Half as wide as a list of its own. */
const narrow = {
  blocks: blockColumns.filter(({ title }) => title !== "Gas used"),
  transactions: transactionColumns.filter(({ title }) => title !== "Block"),
};

function Stat({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Stats({ chain }: { chain: AnswerOf<"head"> }) {
  const { source, node } = chain;
  return (
    <dl class="stats">
      <Stat name="Head">
        {chain.head ? <BlockLink to={chain.head.block_number} /> : "none yet"}
        {chain.head && (
          <small>
            <Time at={chain.head.timestamp} />
          </small>
        )}
      </Stat>
      {node && (
        <Stat name="Behind the node">
          {node.lag === null ? "unknown" : grouped(node.lag)}
          <small>
            {node.node_head === null ? node.state : `its head is ${grouped(node.node_head)}`}
          </small>
        </Stat>
      )}
      <Stat name="Transactions">
        {grouped(chain.transactions)}
        <small>in {grouped(chain.blocks)} blocks</small>
      </Stat>
      <Stat name="Chain id">{String(chain.chain_id)}</Stat>
      <Stat name="Source">
        <span class="text">{sources[source.kind]}</span>
        {source.name !== null && (
          <small>
            <ChainText text={source.name} length={40} />
          </small>
        )}
      </Stat>
    </dl>
  );
}

interface CardProps<Item> {
  readonly title: string;
  /** The view that has all of it. */
  readonly all: string;
  readonly count?: number;
  readonly columns: readonly Column<Item>[];
  readonly rows: readonly Item[];
  /** What there is where nothing is. */
  readonly empty: string;
}

/** The first rows of a list. */
function Card<Item extends object>({ title, all, count, columns, rows, empty }: CardProps<Item>) {
  return (
    <section class="card">
      <h2>
        {title} {count !== undefined && <span class="quiet">{grouped(count)}</span>}
        <a href={href(all)} aria-label={`All: ${title}`}>
          All
        </a>
      </h2>
      {rows.length === 0 && <p class="empty">{empty}</p>}
      <Table label={title} columns={columns} rows={rows} />
    </section>
  );
}

/** Transactions of each of the last blocks. */
function Activity({ activity }: { activity: AnswerOf<"overview">["activity"] }) {
  const { first_block, transaction_counts, failed_counts, gas_used } = activity;
  const points = transaction_counts.map((value, index) => {
    const bad = failed_counts[index] ?? 0;
    const failed = bad > 0 ? ` (${grouped(bad)} failed)` : "";
    return {
      value,
      bad,
      title: `Block ${first_block + index}: ${grouped(value)} transactions${failed}, ${grouped(gas_used[index] ?? 0)} gas`,
    };
  });
  const failures = failed_counts.reduce((sum, count) => sum + count, 0);
  const last = first_block + points.length - 1;
  const most = Math.max(0, ...transaction_counts);
  return (
    <section class="card">
      <h2>
        Transactions per block{" "}
        <span class="quiet">
          {first_block} to {last}, at most {grouped(most)}
        </span>
        {failures > 0 && (
          <a
            class="badge bad"
            href={href("transactions", "", { status: "failed", start_block: `${first_block}` })}
          >
            {grouped(failures)} failed
          </a>
        )}
      </h2>
      <Columns
        label={`Transactions per block from ${first_block} to ${last}: at most ${most}, ${failures} failed in all`}
        points={points}
      />
    </section>
  );
}

export function Home() {
  const chain = head.use();
  const loading = useInspect("overview", {});
  return (
    <>
      <h1 class="hidden">The chain</h1>
      {chain ? <Stats chain={chain} /> : <Skeleton lines={2} />}
      <Loaded of={loading} what="Could not load the latest blocks" lines={8}>
        {(overview) => (
          <>
            <Activity activity={overview.activity} />
            <div class="columns">
              <Card
                {...{ title: "Latest blocks", all: "blocks", empty: "None yet." }}
                {...{ columns: narrow.blocks, rows: overview.latest_blocks }}
              />
              <Card
                {...{ title: "Latest transactions", all: "transactions", empty: "None yet." }}
                {...{ columns: narrow.transactions, rows: overview.latest_transactions }}
              />
            </div>
            <div class="columns three">
              <Card
                {...{ title: "Busiest accounts", all: "accounts", empty: "None yet." }}
                {...{ columns: accountColumns, rows: overview.busiest_accounts }}
              />
              <Card
                {...{ title: "Tokens", all: "tokens", empty: "No tokens." }}
                {...{ columns: tokenColumns, rows: overview.tokens, count: overview.token_count }}
              />
              <Card
                {...{
                  title: "Verified contracts",
                  all: "contracts",
                  count: overview.contract_count,
                }}
                {...{ columns: contractColumns, rows: overview.contracts }}
                empty="No contract is verified."
              />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
