// The filters of a list: fields that stand in the address of the view, by the names that `/inspect` has for them.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { choose, route } from "../router.ts";
import { Field, formFields, Select } from "./field.tsx";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** The values to choose from; without them it is a text. */
  readonly options?: readonly (readonly [value: string, title: string])[];
}

const status: FilterField = {
  name: "status",
  label: "Status",
  options: [
    ["", "all"],
    ["failed", "failed"],
    ["success", "success"],
  ],
};
const direction: FilterField = {
  name: "direction",
  label: "Direction",
  options: [
    ["", "all"],
    ["in", "in"],
    ["out", "out"],
  ],
};
const method: FilterField = { name: "method", label: "Method", placeholder: "name or 0x…" };
const party: FilterField = { name: "party", label: "Account", placeholder: "0x…" };
const name: FilterField = { name: "name", label: "Name", placeholder: "name, symbol or 0x…" };
const tokenId: FilterField = { name: "token_id", label: "Token id", placeholder: "7" };
const amounts: readonly FilterField[] = [
  { name: "min_amount", label: "At least", placeholder: "1.5" },
  { name: "max_amount", label: "At most", placeholder: "100" },
];
const ordered: readonly FilterField[] = [
  { name: "start_block", label: "From block", placeholder: "first" },
  { name: "end_block", label: "To block", placeholder: "head" },
  {
    name: "order",
    label: "Order",
    options: [
      ["", "newest first"],
      ["asc", "oldest first"],
    ],
  },
];

/** What each kind of list can be filtered by. */
export const filters = {
  blocks: [
    {
      name: "transactions",
      label: "Blocks",
      options: [
        ["", "all"],
        ["some", "with transactions"],
      ],
    },
    ...ordered,
  ],
  accounts: [
    {
      name: "kind",
      label: "Kind",
      options: [
        ["", "all"],
        ["account", "accounts"],
        ["contract", "contracts"],
      ],
    },
    ...amounts,
  ],
  named: [name],
  holdings: [name, ...amounts],
  holders: amounts,
  inventory: [tokenId],
  transactions: [
    status,
    method,
    { name: "error", label: "Error", placeholder: "name or 0x…" },
    ...amounts,
    ...ordered,
  ],
  ofBlock: [status, method, ...amounts],
  ofAccount: [status, method, direction, ...amounts, ...ordered],
  transfers: [
    direction,
    { name: "token", label: "Token", placeholder: "0x…" },
    ...amounts,
    ...ordered,
  ],
  collectibles: [
    direction,
    { name: "token", label: "Collection", placeholder: "0x…" },
    tokenId,
    ...ordered,
  ],
  ofToken: [party, direction, ...amounts, ...ordered],
  ofCollection: [party, direction, tokenId, ...ordered],
  logs: [{ name: "event", label: "Event", placeholder: "name or 0x…" }, ...ordered],
} satisfies Readonly<Record<string, readonly FilterField[]>>;

/** What the address says of these fields. */
export function useChosen(fields: readonly FilterField[]): Readonly<Record<string, string>> {
  const { query } = route.use();
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
}

interface ChoiceFormProps {
  readonly onSubmit: (field: (name: string) => string) => void;
  readonly children: ComponentChildren;
}

/** A form whose fields show what the address says, also after going back. */
export function ChoiceForm({ onSubmit, children }: ChoiceFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { query, entry } = route.use();
  useLayoutEffect(() => {
    for (const field of form.current?.elements ?? [])
      if (field instanceof HTMLInputElement || (field instanceof HTMLSelectElement && field.name))
        field.value = query.get(field.name) ?? "";
  }, [entry]);
  return (
    <form ref={form} class="inline toolbar" onSubmit={(event) => onSubmit(formFields(event))}>
      {children}
    </form>
  );
}

/** The fields, behind a word that says how many are in use. */
export function Filters({ fields }: { fields: readonly FilterField[] }) {
  const count = Object.keys(useChosen(fields)).length;
  const submit = (field: (name: string) => string) =>
    choose(Object.fromEntries(fields.map(({ name }) => [name, field(name)])));
  return (
    <details class="filters" open={count > 0}>
      <summary>Filter{count > 0 && <span class="badge">{count}</span>}</summary>
      <ChoiceForm onSubmit={submit}>
        {fields.map(({ name, label, placeholder, options }) =>
          options ? (
            <Select key={name} label={label} name={name} options={options} />
          ) : (
            <Field key={name} label={label} name={name} placeholder={placeholder ?? ""} />
          ),
        )}
        <button type="submit">Apply</button>
        {count > 0 && (
          <button type="button" onClick={() => submit(() => "")}>
            Clear
          </button>
        )}
      </ChoiceForm>
    </details>
  );
}
