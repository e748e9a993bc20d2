// Rows of records: a table with arrow keys, which folds into cards on a phone.
import type { ComponentChildren } from "preact";

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** "number" is aligned right, "wide" takes what is left, "text" has several lines. */
  readonly kind?: "number" | "wide" | "text";
}

interface TableProps<Item> {
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly rows: readonly Item[];
  readonly keyOf: (item: Item, index: number) => string;
  /** Marks a row: "failed". */
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

export function Table<Item>({ label, columns, rows, keyOf, classOf }: TableProps<Item>) {
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
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} class={classOf?.(row)}>
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
