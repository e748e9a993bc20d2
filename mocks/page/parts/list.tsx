// A list of the API on a card: its newest records, older ones on demand, and all of them as CSV.
import { useEffect, useState } from "preact/hooks";
import { grouped } from "../format/numbers.ts";
import { headId } from "../service/head.ts";
import { saveCsv } from "./csv.ts";
import { Failure, Skeleton } from "./failure.tsx";
import { type Column, Table } from "./table.tsx";
import { maxRows, type Pages, usePages } from "./use-pages.ts";

export interface ListProps<Item> {
  readonly label: string;
  /** The list from its beginning, in pages of this size. */
  readonly open: (limit: number) => Pages<Item> & AsyncIterable<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item, index: number) => string;
  readonly classOf?: (item: Item) => string | undefined;
  /** What there is where nothing is. */
  readonly empty: string;
  /** The name of the file that "CSV" saves. */
  readonly file: string;
}

const pageSize = 25;

export function List<Item extends object>(props: ListProps<Item>) {
  const { label, open, columns, keyOf, classOf, empty, file } = props;
  const list = usePages(() => open(pageSize), []);
  const { rows, dropped, count, hasMore, isLoading, error, more, restart } = list;
  const head = headId.use();
  const [shownHead, setShownHead] = useState(head);
  const isFirstPage = dropped === 0 && (rows?.length ?? 0) <= pageSize;

  const renew = () => {
    setShownHead(headId.get());
    restart();
  };
  useEffect(() => {
    if (shownHead === "") setShownHead(head);
    else if (head !== shownHead && isFirstPage && !isLoading) renew();
  }, [head, isLoading]);

  if (rows === undefined)
    return error === undefined ? (
      <Skeleton lines={6} />
    ) : (
      <Failure what={`Could not load: ${label}`} error={error} retry={renew} />
    );
  return (
    <div class="list">
      <div class="list-bar">
        <span class="quiet" role="status">
          {count === null && hasMore
            ? `${grouped(dropped + rows.length)} shown`
            : `${grouped(Math.max(count ?? 0, rows.length))} in all`}
          {dropped > 0 && `, the first ${grouped(dropped)} left out (${maxRows} rows stay)`}
        </span>
        {!isFirstPage && head !== shownHead && (
          <button type="button" class="small" onClick={renew}>
            New blocks: show the newest
          </button>
        )}
        {dropped > 0 && (
          <button type="button" class="small" onClick={renew}>
            Back to the start
          </button>
        )}
        {rows.length > 0 && <CsvButton file={file} open={() => open(1000)} />}
      </div>
      {rows.length === 0 ? (
        <p class="empty">{empty}</p>
      ) : (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          {...(classOf ? { classOf } : {})}
        />
      )}
      {error !== undefined && <Failure what="Could not load more" error={error} retry={renew} />}
      {hasMore && (
        <button type="button" class="more" onClick={more} disabled={isLoading}>
          {isLoading ? "Loading…" : "Show more"}
        </button>
      )}
    </div>
  );
}

/** Reads the whole list and saves it. */
function CsvButton({ file, open }: { file: string; open: () => AsyncIterable<object> }) {
  const [state, setState] = useState("CSV");
  const save = async () => {
    try {
      await saveCsv(file, open(), (count) => setState(`${grouped(count)} rows…`));
      setState("CSV");
    } catch {
      setState("CSV failed: again");
    }
  };
  return (
    <button type="button" class="small" onClick={save} title="Save the whole list as CSV">
      {state}
    </button>
  );
}
