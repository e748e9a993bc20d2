// A table of records, which stay still under the pointer.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { grouped } from "../format/values.ts";
import { past } from "../service/head.ts";

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** "number" and "exact" are aligned right, "exact" has all digits, "text" may have several lines. */
  readonly kind?: "number" | "exact" | "wide" | "text";
}

/** Fields that identify a record. Each kind of record has some of them. */
const IDENTITY = [
  ...["block_hash", "transaction_hash", "trace_address", "log_index"],
  ...["address", "token_address", "token_id"],
];

const fieldsOf = (record: object): Readonly<Record<string, unknown>> => ({ ...record });

const identityOf = (record: object): string => {
  const fields = fieldsOf(record);
  return IDENTITY.map((name) => `${fields[name]}`).join(" ");
};

const outcomeClass = (record: object): string | undefined => {
  const { tx_status, undone } = fieldsOf(record);
  return tx_status === "0" || undone === true ? "failed" : undefined;
};

/** Says that a list is cut. */
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
  /** Defaults to the fields that identify a record of the chain. */
  readonly keyOf?: (item: Item) => string;
  /** Defaults to marking what failed. */
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

/** Keeps rows still under the pointer, so that a click hits the intended row. */
function useHeldRows<Item>(rows: readonly Item[], keyOf: (item: Item) => string) {
  const [held, setHeld] = useState<readonly Item[]>();
  const release = () => setHeld(undefined);
  // A reorganisation may have removed rows.
  const version = past.use();
  useEffect(release, [version]);
  const shown = held ?? rows;
  const keys = new Set(shown.map(keyOf));
  const fresh = held === undefined ? 0 : rows.filter((row) => !keys.has(keyOf(row))).length;
  return { shown, fresh, release, hold: () => setHeld(rows) };
}

export function Table<Item extends object>(props: TableProps<Item>) {
  const { label, columns, rows, keyOf = identityOf, classOf = outcomeClass } = props;
  const { shown, fresh, hold, release } = useHeldRows(rows, keyOf);
  return (
    <div class={`rows columns-${columns.length}`} onPointerEnter={hold} onPointerLeave={release}>
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={release}>
          {grouped(fresh)} new
        </button>
      )}
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
          {shown.map((row) => (
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
    </div>
  );
}
