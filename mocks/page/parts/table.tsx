// Rows of records: a table with arrow keys, which folds into cards on a phone.
import type { ComponentChildren } from "preact";
import { grouped } from "../format/values.ts";

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** "number" is aligned right, "wide" takes what is left, "text" has several lines. */
  readonly kind?: "number" | "wide" | "text";
}

/** The fields of which some make a record one of its kind. */
const IDENTITY = [
  ...["block_hash", "transaction_hash", "trace_address", "log_index"],
  ...["address", "token_address", "token_id"],
];

const fieldsOf = (record: object): Readonly<Record<string, unknown>> => ({ ...record });

const identityOf = (record: object): string => {
  const fields = fieldsOf(record);
  return IDENTITY.map((name) => `${fields[name]}`).join(" ");
};

/** What failed or was undone is marked. */
const outcomeClass = (record: object): string | undefined => {
  const { tx_status, undone } = fieldsOf(record);
  return tx_status === "0" || undone === true ? "failed" : undefined;
};

/** Says that not all are shown. */
export const FirstOf = ({ shown, count }: { shown: number; count: number }) =>
  count > shown ? (
    <p class="quiet">
      The first {grouped(shown)} of {grouped(count)} are shown.
    </p>
  ) : null;

interface TableProps<Item> {
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly rows: readonly Item[];
  /** Without it, the fields that name a record of the chain. */
  readonly keyOf?: (item: Item) => string;
  /** Marks a row. */
  readonly classOf?: (item: Item) => string | undefined;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus to the first link of the next or previous row. */
export function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = steps[event.key];
  if (step === undefined || event.target instanceof HTMLInputElement) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const row = (event.target as HTMLElement).closest("tr, li");
  const from = links.findIndex((link) => row?.contains(link));
  const next = links[from + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

export function Table<Item extends object>(props: TableProps<Item>) {
  const { label, columns, rows, keyOf = identityOf, classOf = outcomeClass } = props;
  return (
    <table onKeyDown={moveByArrows}>
      <caption class="hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map(({ title, kind }) => (
            <th key={title} scope="col" class={kind}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={classOf(row)}>
            {columns.map(({ title, cell, kind }) => (
              <td key={title} class={kind} data-title={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
