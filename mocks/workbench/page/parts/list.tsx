// A list of the API on a card: its newest records, older ones on demand, and all of them as CSV.
import { useEffect, useRef, useState } from "preact/hooks";
import { csvParts } from "../format/csv.ts";
import { grouped } from "../format/values.ts";
import type { AnswerOf, ViewName } from "../inspect/views.ts";
import { headId } from "../service/head.ts";
import { inspect, type ViewInput } from "../service/inspect.ts";
import { MAX_ROWS, type Pages, usePages } from "../service/pages.ts";
import { Failure, Skeleton } from "./failure.tsx";
import { type Column, Table } from "./table.tsx";

export interface ListProps<Item> {
  readonly label: string;
  /** Everything that the list depends on. */
  readonly request: readonly unknown[];
  /** The list from its beginning, in pages of this size. */
  readonly open: (limit: number) => Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item, index: number) => string;
  readonly classOf?: (item: Item) => string | undefined;
  /** What there is where nothing is. */
  readonly empty: string;
  /** The name of the file that "CSV" saves. */
  readonly file: string;
}

const PAGE_SIZE = 25;

export function List<Item extends object>(props: ListProps<Item>) {
  const { label, request, open, columns, keyOf, classOf, empty, file } = props;
  const list = usePages(request, () => open(PAGE_SIZE));
  const { rows, dropped, count, hasMore, isLoading, error, more, restart } = list;
  const head = headId.use();
  const isOld = list.head !== "" && head !== list.head;
  const isFirstPage = dropped === 0 && (rows?.length ?? 0) <= PAGE_SIZE;

  useEffect(() => {
    if (isOld && isFirstPage && !isLoading) restart();
  }, [isOld, isLoading]);

  if (rows === undefined)
    return error === undefined ? (
      <Skeleton lines={6} />
    ) : (
      <Failure what={`Could not load: ${label}`} error={error} retry={restart} />
    );
  return (
    <div class="list">
      <div class="list-bar">
        <span class="quiet" role="status">
          {count === null && hasMore
            ? `${grouped(dropped + rows.length)} shown`
            : `${grouped(Math.max(count ?? 0, rows.length))} in all`}
          {dropped > 0 && `, the first ${grouped(dropped)} left out (${MAX_ROWS} rows stay)`}
        </span>
        {!isFirstPage && isOld && (
          <button type="button" class="small" onClick={restart}>
            New blocks: show the newest
          </button>
        )}
        {dropped > 0 && (
          <button type="button" class="small" onClick={restart}>
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
      {error !== undefined && <Failure what="Could not load more" error={error} retry={restart} />}
      {hasMore && <More key={dropped + rows.length} load={more} isLoading={isLoading} />}
    </div>
  );
}

/** Pixels below the window within which the next page is loaded. */
const AHEAD = 400;

/** Loads the next page when it is scrolled to, or pressed; each page has one of its own, so that one that failed is not asked for again and again. */
function More({ load, isLoading }: { load: () => void; isLoading: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (!seen?.isIntersecting) return;
        observer.disconnect();
        load();
      },
      { rootMargin: `${AHEAD}px` },
    );
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="more" onClick={load} disabled={isLoading}>
      {isLoading ? "Loading…" : "Show more"}
    </button>
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
      setState("CSV failed: retry");
    }
  };
  return (
    <button type="button" class="small" onClick={save} title="Save the whole list as CSV">
      {state}
    </button>
  );
}

async function saveCsv(
  file: string,
  records: AsyncIterable<object>,
  onProgress: (count: number) => void,
): Promise<void> {
  save(new Blob(await csvParts(records, onProgress), { type: "text/csv" }), file);
}

function save(blob: Blob, file: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export type InspectListProps<Name extends ViewName, Item> = Omit<
  ListProps<Item>,
  "open" | "request"
> &
  InspectedList<Name, Item>;

export function InspectList<Name extends ViewName, Item extends object>({
  view,
  parameters,
  rowsOf,
  countOf,
  isWhole,
  ...list
}: InspectListProps<Name, Item>) {
  const open = (limit: number) =>
    inspectPages({ view, parameters, rowsOf, countOf, isWhole }, limit);
  return <List {...list} request={[view, parameters]} open={open} />;
}

export interface InspectedList<Name extends ViewName, Item> {
  readonly view: Name;
  /** Without those that choose the page. */
  readonly parameters: ViewInput<Name>;
  readonly rowsOf: (answer: AnswerOf<Name>) => readonly Item[];
  /** How many there are, if the response says so. */
  readonly countOf?: ((answer: AnswerOf<Name>) => number) | undefined;
  /** Whether one answer is all there is. */
  readonly isWhole?: boolean | undefined;
}

/** The most records of one answer. */
const MAX_LIMIT = 100;

function inspectPages<Name extends ViewName, Item>(
  { view, parameters, rowsOf, countOf, isWhole }: InspectedList<Name, Item>,
  wanted: number,
): Pages<Item> {
  const limit = isWhole ? MAX_LIMIT : Math.min(wanted, MAX_LIMIT);
  async function* pages() {
    let offset = 0;
    let place: { before?: string; offset?: number } = {};
    for (;;) {
      const answer = await inspect(view, { ...parameters, limit, ...place });
      const { next } = Object(answer) as { next?: string | null };
      const data = rowsOf(answer);
      offset += data.length;
      const isLast = isWhole || next === null || (next === undefined && data.length < limit);
      yield { data, count: countOf?.(answer) ?? null, hasNextPage: () => !isLast };
      if (isLast) return;
      place = typeof next === "string" ? { before: next } : { offset };
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}
