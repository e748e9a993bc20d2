// A list on a card: its filters, its newest records, older ones on demand, and all of them as a file.
import { useEffect, useRef, useState } from "preact/hooks";
import { type FileKind, fileParts } from "../format/file.ts";
import { grouped } from "../format/values.ts";
import type { AnswerOf, ViewName } from "../inspect/views.ts";
import { headId } from "../service/head.ts";
import { inspect, type ViewInput } from "../service/inspect.ts";
import { MAX_ROWS, type Pages, pagesFrom, usePages } from "../service/pages.ts";
import { Failure, Skeleton } from "./failure.tsx";
import { type FilterField, Filters, useChosen } from "./filters.tsx";
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
  /** The name of the file that "CSV" and "JSON" save, without its ending. */
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
        {rows.length > 0 &&
          (["csv", "json"] as const).map((kind) => (
            <SaveButton key={kind} kind={kind} file={`${file}.${kind}`} open={() => open(1000)} />
          ))}
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

const titles: Readonly<Record<FileKind, string>> = { csv: "CSV", json: "JSON" };

/** Reads the whole list and saves it. */
function SaveButton({ kind, file, open }: SaveProps) {
  const [state, setState] = useState<string>();
  const save = async () => {
    try {
      const onProgress = (count: number) => setState(`${grouped(count)} rows…`);
      const parts = await fileParts(kind, open(), onProgress);
      saveAs(new Blob(parts, { type: kind === "csv" ? "text/csv" : "application/json" }), file);
      setState(undefined);
    } catch {
      setState(`${titles[kind]} failed: retry`);
    }
  };
  return (
    <button
      type="button"
      class="small"
      onClick={save}
      title={`Save the whole list as ${titles[kind]}`}
    >
      {state ?? titles[kind]}
    </button>
  );
}

interface SaveProps {
  readonly kind: FileKind;
  readonly file: string;
  readonly open: () => AsyncIterable<object>;
}

function saveAs(blob: Blob, file: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export interface InspectListProps<Name extends ViewName, Item>
  extends Omit<ListProps<Item>, "open" | "request"> {
  readonly view: Name;
  /** Without those that choose the page. */
  readonly parameters: ViewInput<Name>;
  /** What the reader may add to them. */
  readonly fields?: readonly FilterField[];
  readonly rowsOf: (answer: AnswerOf<Name>) => readonly Item[];
  /** How many there are, if the response says so. */
  readonly totalOf?: (answer: AnswerOf<Name>) => number | null;
  /** Records of a page, if not as many as fit on a screen. */
  readonly pageSize?: number;
  /** How the next page is asked for; undefined where this is the last one. */
  readonly nextOf: (answer: AnswerOf<Name>, read: number) => object | undefined;
}

const none: readonly FilterField[] = [];

export function InspectList<Name extends ViewName, Item extends object>(
  props: InspectListProps<Name, Item>,
) {
  const { view, parameters, fields = none } = props;
  const chosen = useChosen(fields);
  const given = { ...parameters, ...chosen };
  const open = (limit: number) => inspectPages({ ...props, parameters: given }, limit);
  return (
    <>
      {fields.length > 0 && <Filters fields={fields} />}
      <List {...props} request={[view, given]} open={open} />
    </>
  );
}

/** The most records of one answer. */
const MAX_LIMIT = 100;

function inspectPages<Name extends ViewName, Item>(
  { view, parameters, rowsOf, totalOf, nextOf, pageSize = 0 }: InspectListProps<Name, Item>,
  wanted: number,
): Pages<Item> {
  const limit = Math.min(Math.max(wanted, pageSize), MAX_LIMIT);
  async function* pages() {
    let read = 0;
    let place: object | undefined = {};
    while (place) {
      const answer = await inspect(view, { ...parameters, limit, ...place });
      const data = rowsOf(answer);
      read += data.length;
      const next = nextOf(answer, read);
      place = next;
      // A page on which nothing passes the filters is not worth a click.
      if (data.length === 0 && next) continue;
      const count = totalOf?.(answer) ?? (next ? null : read);
      yield { data, count, hasNextPage: () => next !== undefined };
    }
  }
  return pagesFrom(pages);
}

/** Of a list in the order of the chain. */
export const inChainOrder = {
  totalOf: ({ count }: { readonly count: number | null }) => count,
  nextOf: ({ next }: { readonly next: string | null }) =>
    next === null ? undefined : { from: next },
};

/** Of a ranking of so many. */
export const byOffset = (count: number, read: number) =>
  read < count ? { offset: read } : undefined;
