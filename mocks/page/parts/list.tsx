// A list on a card: its filters, one page of it, which the address names, and all of it as a file.
import { useState } from "preact/hooks";
import type { AnswerOf, ViewName } from "../../inspect/views.ts";
import { type FileKind, fileParts } from "../format/file.ts";
import { grouped } from "../format/values.ts";
import { choose, href, route } from "../router.ts";
import { headId, past } from "../service/head.ts";
import { inspect, type ViewInput } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { Loaded } from "./failure.tsx";
import { formFields } from "./field.tsx";
import { type FilterField, Filters, useChosen } from "./filters.tsx";
import { type Column, Table } from "./table.tsx";

/** Where a page begins: after another one, or by its number. */
export interface Place {
  readonly from?: string | undefined;
  readonly page?: number;
  readonly limit: number;
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly rows: readonly Item[];
  /** How many there are in all, where that is known. */
  readonly count: number | null;
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

export interface ListProps<Item> {
  readonly label: string;
  /** Everything that the list depends on, but for the page. */
  readonly request: readonly unknown[];
  readonly load: (place: Place, signal?: AbortSignal) => Promise<ListPage<Item>>;
  readonly columns: readonly Column<Item>[];
  /** What the rows are: "transactions". */
  readonly noun: string;
  /** What the file is called that "CSV" and "JSON" save, before what the view is of. */
  readonly file: string;
}

const PAGE_SIZE = 50;

/** The page that the address names. */
function usePlace(): { readonly page: number; readonly from: string | undefined } {
  const { query } = route.use();
  const page = Number(query.get("page"));
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    from: query.get("from") ?? undefined,
  };
}

export function List<Item extends object>(props: ListProps<Item>) {
  const { label, request, load, columns, noun, file } = props;
  const { page, from } = usePlace();
  const { subject } = route.use();
  // The first page follows the head; others stay under the eyes of who reads them.
  const [head, changed] = [headId.use(), past.use()];
  const isFirst = page === 1;
  const loading = useQuery(
    [...request, page, from],
    (signal) => load({ from, page, limit: PAGE_SIZE }, signal),
    isFirst ? { version: head } : { version: changed, once: true },
  );
  return (
    <Loaded of={loading} what={`Could not load: ${label}`} lines={6}>
      {({ rows, count, next }) => (
        <div class="list">
          <div class="list-bar">
            <span class="quiet" role="status">
              {totalText(page, rows.length, count)}
            </span>
            {rows.length > 0 &&
              (["csv", "json"] as const).map((kind) => (
                <SaveButton
                  key={kind}
                  kind={kind}
                  file={`${[file, subject.slice(0, 10)].join("-").replace(/-$/, "")}.${kind}`}
                  open={() => allRows(load)}
                />
              ))}
          </div>
          {rows.length === 0 ? (
            <p class="empty">{isFirst ? `No such ${noun}.` : "There is nothing on this page."}</p>
          ) : (
            <Table label={label} columns={columns} rows={rows} />
          )}
          {(next !== null || !isFirst) && <PageLinks {...{ page, count, next }} />}
        </div>
      )}
    </Loaded>
  );
}

/** "1,234 in all"; where only some records were looked at, which page it is. */
const totalText = (page: number, shown: number, count: number | null): string =>
  count === null ? `page ${grouped(page)}: ${grouped(shown)}` : `${grouped(count)} in all`;

type PageLinksProps = Pick<ListPage<unknown>, "count" | "next"> & { readonly page: number };

/** Links to the pages around, and a field for any other, where their number is known. */
function PageLinks({ page, count, next }: PageLinksProps) {
  const { view, subject, query } = route.use();
  const { page: _, from: __, ...others } = Object.fromEntries(query);
  const to = (place: Record<string, string>) => href(view, subject, { ...others, ...place });
  const numbered = (number: number) => to(number <= 1 ? {} : { page: `${number}` });
  const last = count === null ? undefined : Math.max(1, Math.ceil(count / PAGE_SIZE));
  const jump = (event: SubmitEvent) => {
    const wanted = Number(formFields(event)("page"));
    if (Number.isSafeInteger(wanted) && wanted > 0)
      choose({ from: "", page: `${Math.min(wanted, last ?? 1)}` });
  };
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={numbered(1)}>First</a>}
      {page > 1 && last !== undefined && <a href={numbered(Math.min(page - 1, last))}>Previous</a>}
      {last === undefined ? (
        <span>Page {grouped(page)}</span>
      ) : (
        <form onSubmit={jump} key={page}>
          <label>
            Page <input name="page" inputMode="numeric" value={page} />
          </label>{" "}
          of {grouped(last)}
        </form>
      )}
      {next !== null && <a href={to({ page: `${page + 1}`, from: next })}>Next</a>}
    </nav>
  );
}

/** The most records of one answer. */
const MAX_LIMIT = 100;

/** Every record of a list. */
async function* allRows<Item>(load: ListProps<Item>["load"]): AsyncGenerator<Item> {
  let from: string | undefined;
  do {
    const { rows, next } = await load({ from, limit: MAX_LIMIT });
    yield* rows;
    from = next ?? undefined;
  } while (from !== undefined);
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

type ListAnswer = { readonly count: number | null; readonly next: string | null };

/** The views that are lists. */
export type ListView = {
  [Name in ViewName]: AnswerOf<Name> extends ListAnswer ? Name : never;
}[ViewName];

/** What the rows are where the view has another name. */
const nouns: { readonly [Name in ListView]?: string } = {
  internal: "internal transactions",
  holdings: "tokens",
  inventory: "tokens",
  contracts: "verified contracts",
  token: "holders",
};

/** The field of an answer that has its rows: most are called like their view. */
type RowsField<Name extends ListView> = Name extends "token" ? "holders" : Name;

export type RowOf<Name extends ListView> =
  AnswerOf<Name> extends Readonly<Record<RowsField<Name>, readonly (infer Row extends object)[]>>
    ? Row
    : never;

export interface InspectListProps<Name extends ListView>
  extends Pick<ListProps<RowOf<Name>>, "label" | "columns" | "file"> {
  readonly view: Name;
  /** Without those that choose the page. */
  readonly parameters: ViewInput<Name>;
  /** What the reader may add to them. */
  readonly fields: readonly FilterField[];
}

export function InspectList<Name extends ListView>(props: InspectListProps<Name>) {
  const { view, parameters, fields: filters } = props;
  const given = { ...parameters, ...useChosen(filters) };
  const load: ListProps<RowOf<Name>>["load"] = async ({ from, page, limit }, signal) => {
    let place: object =
      from !== undefined ? { from } : page !== undefined && page > 1 ? { page } : {};
    for (;;) {
      const answer: AnswerOf<Name> & ListAnswer = await inspect(
        view,
        { ...given, ...place, limit },
        signal ? { signal } : {},
      );
      // The types do not relate a name to the field of its answer.
      const fields: object = answer;
      const rows: readonly RowOf<Name>[] = Reflect.get(fields, view === "token" ? "holders" : view);
      const { count, next } = answer;
      // A page on which nothing passes the filters is not worth a click.
      if (rows.length > 0 || next === null) return { rows, count, next };
      place = { from: next };
    }
  };
  return (
    <>
      <Filters fields={filters} />
      <List {...props} noun={nouns[view] ?? view} request={[view, given]} load={load} />
    </>
  );
}
