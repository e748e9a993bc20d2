// A list of `/inspect`: filters, a page that the address names, and a CSV file.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csvLine, guarded } from "../../../src/models/csv.ts";
import { isoTime } from "../../../src/models/primitives.ts";
import { type AnswerOf, type ViewName, views } from "../../inspect/views.ts";
import { grouped } from "../format/values.ts";
import { choose, href, route } from "../router.ts";
import { headId, past } from "../service/head.ts";
import { inspect, type ViewInput } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { Loaded } from "./failure.tsx";
import { type Field, Form } from "./form.tsx";
import { type Column, Table } from "./table.tsx";

type ListAnswer = { readonly count: number | null; readonly next: string | null };

export type ListView = {
  [Name in ViewName]: AnswerOf<Name> extends ListAnswer ? Name : never;
}[ViewName];

/** The field of an answer that holds its rows. */
type RowsField<Name extends ListView> = Name extends "token" ? "holders" : Name;

export type RowOf<Name extends ListView> =
  AnswerOf<Name> extends Readonly<Record<RowsField<Name>, readonly (infer Row extends object)[]>>
    ? Row
    : never;

export interface ListProps<Name extends ListView> {
  readonly view: Name;
  /** The reader can filter by the other parameters of the view. */
  readonly parameters: ViewInput<Name>;
  /** Parameters that make no sense in this list. */
  readonly hidden?: readonly string[];
  readonly columns: readonly Column<RowOf<Name>>[];
  readonly label: string;
  /** A further filter form, which receives the error of the list. */
  readonly form?: (error: unknown) => ComponentChildren;
}

/** The label of each parameter, and an example or the titles of its values. */
const labels: Readonly<
  Record<string, readonly [string, string | Readonly<Record<string, string>>]>
> = {
  status: ["Status", {}],
  method: ["Method", "name or 0x…"],
  error: ["Error", "name or 0x…"],
  event: ["Event", "name or 0x…"],
  direction: ["Direction", {}],
  account: ["Account", "name or 0x…"],
  address: ["Contract", "name or 0x…"],
  miner: ["Miner", "name or 0x…"],
  owner: ["Owner", "name or 0x…"],
  token: ["Token", "name or 0x…"],
  token_id: ["Token id", "7"],
  name: ["Name", "name, symbol or 0x…"],
  kind: ["Kind", { contract: "contracts", account: "accounts" }],
  transactions: ["Blocks", { some: "with transactions" }],
  min_amount: ["At least", "1.5"],
  max_amount: ["At most", "100"],
  start_block: ["From block", "first"],
  end_block: ["To block", "head"],
  order: ["Order", { desc: "newest first", asc: "oldest first" }],
};

/** Parameters that name an account or a contract. */
const ADDRESSES = ["account", "address", "miner", "owner", "token"];

/** A field for each parameter of a view that a list leaves to the reader. */
function filterFields(
  view: ListView,
  fixed: object,
  hidden: readonly string[] = [],
): readonly Field[] {
  return Object.entries(views[view].input.shape).flatMap(([name, schema]): readonly Field[] => {
    const described = labels[name];
    if (described === undefined || name in fixed || hidden.includes(name)) return [];
    const [label, about] = described;
    if (typeof about === "string")
      return [{ name, label, placeholder: about, isAddress: ADDRESSES.includes(name) }];
    const { innerType, defaultValue } = schema._zod.def as EnumDefinition;
    const values = Object.keys(innerType._zod.def.entries).filter(
      (value) => value !== defaultValue,
    );
    const first = defaultValue === undefined ? "all" : (about[defaultValue] ?? defaultValue);
    const options = values.map((value) => [value, about[value] ?? value] as const);
    return [{ name, label, options: [["", first], ...options] as const }];
  });
}

/** An optional enum of zod, or one with a default. */
interface EnumDefinition {
  readonly innerType: { readonly _zod: { readonly def: { readonly entries: object } } };
  readonly defaultValue?: string;
}

/** The values of fields in the page's address. */
function useChosen(fields: readonly Field[]): Readonly<Record<string, string>> {
  const { query } = route.use();
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
}

const PAGE_SIZE = 50;
/** The largest page of the service. */
const MAX_LIMIT = 100;

export function InspectList<Name extends ListView>(props: ListProps<Name>) {
  const { view, parameters, columns, label, hidden } = props;
  const fields = filterFields(view, parameters, hidden);
  const chosen = useChosen(fields);
  const filters = { ...parameters, ...chosen };
  const { query } = route.use();
  const page = Math.max(1, Number(/^\d{1,9}$/.exec(query.get("page") ?? "")?.[0] ?? 1));
  const from = query.get("from") ?? undefined;
  const load = async (place: object, limit: number) => {
    for (let at = place; ; ) {
      const input = { ...filters, ...at, limit };
      const answer: AnswerOf<Name> & ListAnswer = await inspect(view, input);
      const answered: object = answer;
      // The types do not relate the name of a view to the field with its rows.
      const rows: readonly RowOf<Name>[] = Reflect.get(
        answered,
        view === "token" ? "holders" : view,
      );
      const { count, next } = answer;
      // A filter may leave a page empty before the last one.
      if (rows.length > 0 || next === null) return { rows, count, next };
      at = { from: next };
    }
  };
  // Only the first page follows the head. The others keep their rows until the chain goes back.
  const [head, changed] = [headId.use(), past.use()];
  const place = from !== undefined ? { from } : page > 1 ? { page } : {};
  const loading = useQuery(
    [view, filters, page, from],
    () => load(place, PAGE_SIZE),
    page === 1 ? { version: head } : { version: changed, once: true },
  );
  async function* all() {
    for (let at: object | undefined = {}; at !== undefined; ) {
      const { rows, next } = await load(at, MAX_LIMIT);
      yield* rows;
      at = next === null ? undefined : { from: next };
    }
  }
  const count = Object.keys(chosen).length;
  const filter = (text: (name: string) => string) =>
    choose(Object.fromEntries(fields.map(({ name }) => [name, text(name)])));
  return (
    <div class="list">
      {props.form?.(loading.error)}
      {fields.length > 0 && (
        <details class="filters" open={count > 0}>
          <summary>Filter{count > 0 && <span class="badge">{count}</span>}</summary>
          <Form
            fields={fields.map((field) => ({ ...field, value: chosen[field.name] ?? "" }))}
            action="Apply"
            error={loading.error}
            run={filter}
          >
            {count > 0 && (
              <button type="button" onClick={() => filter(() => "")}>
                Clear
              </button>
            )}
          </Form>
        </details>
      )}
      <Loaded of={loading} what={`Could not load: ${label}`} lines={6}>
        {({ rows, count, next }) => (
          <>
            <div class="list-bar">
              <span class="quiet" role="status">
                {totalText(view, page, rows.length, count)}
              </span>
              {rows.length > 0 && <SaveButton name={view} rows={all} />}
            </div>
            {rows.length > 0 ? (
              <Table key={`${page} ${from}`} label={label} columns={columns} rows={rows} />
            ) : (
              <p class="empty">{page > 1 ? "There is nothing on this page." : "None."}</p>
            )}
            {(next !== null || page > 1) && <PageLinks {...{ page, count, next }} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Lists that the service limits. */
const capped: { readonly [Name in ListView]?: readonly [count: number, words: string] } = {
  accounts: [100, "the 100 busiest"],
  token: [1000, "the 1,000 largest"],
};

/** "1,234 in all"; the number of the page if only some records were looked at. */
function totalText(view: ListView, page: number, shown: number, count: number | null): string {
  if (count === null) return `page ${grouped(page)}: ${grouped(shown)}`;
  const [most, words] = capped[view] ?? [];
  return words !== undefined && count === most ? words : `${grouped(count)} in all`;
}

/** Links to the pages around, and a field for any other if their number is known. */
function PageLinks({ page, count, next }: ListAnswer & { readonly page: number }) {
  const { view, subject, query } = route.use();
  const { page: _, from: __, ...others } = Object.fromEntries(query);
  const to = (place: Record<string, string>) => href(view, subject, { ...others, ...place });
  const numbered = (number: number) => to(number <= 1 ? {} : { page: `${number}` });
  const last = count === null ? undefined : Math.max(1, Math.ceil(count / PAGE_SIZE));
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={numbered(1)}>First</a>}
      {page > 1 && last !== undefined && <a href={numbered(Math.min(page - 1, last))}>Previous</a>}
      {last === undefined ? (
        <span>Page {grouped(page)}</span>
      ) : (
        <Form
          fields={[{ name: "page", label: "Page", type: "number", value: `${page}` }]}
          action={`of ${grouped(last)}`}
          run={(texts) => {
            const number = Number(texts("page"));
            if (Number.isSafeInteger(number) && number > 0)
              choose({ from: "", page: `${Math.min(number, last)}` });
          }}
        />
      )}
      {next !== null && <a href={to({ page: `${page + 1}`, from: next })}>Next</a>}
    </nav>
  );
}

const wireValue = (value: unknown): unknown =>
  typeof value === "bigint" ? `${value}` : value instanceof Date ? isoTime(value) : value;

/** Writes records as lines of CSV, with their fields as on the wire. */
async function csvLines(records: AsyncIterable<object>, onRow: (count: number) => void) {
  const lines: string[] = [];
  for await (const record of records) {
    if (lines.length === 0) lines.push(csvLine(Object.keys(record)));
    lines.push(csvLine(Object.values(record).map((value) => guarded(wireValue(value)))));
    onRow(lines.length - 1);
  }
  return lines;
}

/** Reads the whole list and saves it as a file named after the list and the subject of the view. */
function SaveButton({ name, rows }: { name: string; rows: () => AsyncIterable<object> }) {
  const { subject } = route.use();
  const [state, setState] = useState("CSV");
  const save = async () => {
    try {
      const lines = await csvLines(rows(), (count) => setState(`${grouped(count)} rows…`));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(lines, { type: "text/csv" }));
      link.download = `${[name, subject.slice(0, 10)].join("-").replace(/-$/, "")}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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
