// Home: the head of the chain, and the beginnings of its lists.
import type { AnswerOf } from "../../inspect/views.ts";
import { grouped } from "../format/values.ts";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { Facts } from "../parts/facts.tsx";
import { Loaded, Skeleton } from "../parts/failure.tsx";
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

/** Home has room for fewer columns than the lists. */
const narrow = {
  blocks: blockColumns.filter(({ title }) => title !== "Gas used"),
  transactions: transactionColumns.filter(({ title }) => title !== "Block"),
};

/** "1 block", "2 blocks" */
const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

function Stats({ chain }: { chain: AnswerOf<"head"> }) {
  const { source, node } = chain;
  return (
    <section class="card head">
      <Facts
        kind="figures"
        facts={[
          [
            "Head",
            chain.head ? <BlockLink to={chain.head.block_number} /> : "none yet",
            chain.head && <Time at={chain.head.timestamp} />,
          ],
          node && [
            "Behind the node",
            grouped(node.lag),
            node.node_head === null ? node.state : `its head is ${grouped(node.node_head)}`,
          ],
          ["Transactions", grouped(chain.transactions), `in ${counted(chain.blocks, "block")}`],
          ["Chain id", String(chain.chain_id)],
          [
            "Source",
            sources[source.kind],
            source.name !== null && <ChainText text={source.name} length={40} />,
          ],
        ]}
      />
    </section>
  );
}

interface CardProps<Item> {
  readonly title: string;
  /** The view with the whole list. */
  readonly all: string;
  readonly count?: number;
  readonly columns: readonly Column<Item>[];
  readonly rows: readonly Item[];
}

/** The first rows of a list. Shows nothing if the list is known to be empty. */
const Card = <Item extends object>({ title, all, count, columns, rows }: CardProps<Item>) =>
  count === 0 ? null : (
    <section class="card">
      <h2>
        {title} {count !== undefined && <span class="quiet">{grouped(count)}</span>}
        <a href={href(all)} aria-label={`All: ${title}`}>
          All
        </a>
      </h2>
      {rows.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <Table label={title} columns={columns} rows={rows} />
      )}
    </section>
  );

const PLOT_WIDTH = 600;
const PLOT_HEIGHT = 72;
/** Fewer columns leave room, because wide ones look like a bar chart of totals. */
const MIN_COLUMNS = 40;

interface PlotProps {
  readonly label: string;
  /** `bad` is the part of the value that is drawn in red, at the foot of the column. */
  readonly points: readonly { value: number; bad: number; title: string; to: string }[];
}

function Plot({ label, points }: PlotProps) {
  const top = Math.max(1, ...points.map(({ value }) => value));
  const step = PLOT_WIDTH / Math.max(points.length, MIN_COLUMNS);
  const sizeOf = (value: number) =>
    value === 0 ? 0 : Math.max(2, (value / top) * (PLOT_HEIGHT - 4));
  const viewBox = `0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`;
  return (
    <svg class="plot" viewBox={viewBox} preserveAspectRatio="none" aria-label={label}>
      {points.map(({ value, bad, title, to }, index) => {
        const place = { x: index * step + step * 0.12, width: step * 0.76 };
        const size = Math.max(1, sizeOf(value));
        const red = Math.min(size, sizeOf(bad));
        return (
          <a key={title} href={to} tabIndex={-1} aria-label={title}>
            <title>{title}</title>
            <rect x={index * step} y={0} width={step} height={PLOT_HEIGHT} class="hit" />
            <rect
              {...{ ...place, y: PLOT_HEIGHT - size, height: size }}
              class={value === 0 ? "none" : "column"}
            />
            {red > 0 && <rect {...{ ...place, y: PLOT_HEIGHT - red, height: red }} class="bad" />}
          </a>
        );
      })}
    </svg>
  );
}

/** Transactions of each of the last blocks. */
function Activity({ activity }: { activity: AnswerOf<"overview">["activity"] }) {
  const { first_block, transaction_counts, failed_counts, gas_used } = activity;
  const points = transaction_counts.map((value, index) => {
    const bad = failed_counts[index] ?? 0;
    const block = first_block + index;
    const failed = bad > 0 ? ` (${grouped(bad)} failed)` : "";
    const title = `Block ${block}: ${counted(value, "transaction")}${failed}, ${grouped(gas_used[index] ?? 0)} gas`;
    return { value, bad, title, to: href("block", block) };
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
      <Plot
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
            <div class="columns wide">
              <Card
                {...{ title: "Latest blocks", all: "blocks" }}
                {...{ columns: narrow.blocks, rows: overview.latest_blocks }}
              />
              <Card
                {...{ title: "Latest transactions", all: "transactions" }}
                {...{ columns: narrow.transactions, rows: overview.latest_transactions }}
              />
            </div>
            <div class="columns">
              <Card
                {...{ title: "Busiest accounts", all: "accounts" }}
                {...{ columns: accountColumns, rows: overview.busiest_accounts }}
              />
              <Card
                {...{ title: "Tokens", all: "tokens", count: overview.token_count }}
                {...{ columns: tokenColumns, rows: overview.tokens }}
              />
              <Card
                {...{ title: "Verified contracts", all: "contracts" }}
                {...{ columns: contractColumns, rows: overview.contracts }}
                count={overview.contract_count}
              />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
