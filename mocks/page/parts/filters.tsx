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

const text = (name: string, label: string, placeholder: string): FilterField => ({
  name,
  label,
  placeholder,
});

/** The value "" comes first: it is that of no filter. */
const choice = (
  name: string,
  label: string,
  titles: Readonly<Record<string, string>>,
): FilterField => ({ name, label, options: Object.entries(titles) });

const status = choice("status", "Status", { "": "all", failed: "failed", success: "success" });
const direction = choice("direction", "Direction", { "": "all", in: "in", out: "out" });
const method = text("method", "Method", "name or 0x…");
const error = text("error", "Error", "name or 0x…");
const party = text("party", "Account", "0x…");
const name = text("name", "Name", "name, symbol or 0x…");
const tokenId = text("token_id", "Token id", "7");
const amounts = [text("min_amount", "At least", "1.5"), text("max_amount", "At most", "100")];
const ordered = [
  text("start_block", "From block", "first"),
  text("end_block", "To block", "head"),
  choice("order", "Order", { "": "newest first", asc: "oldest first" }),
];
const kinds = { "": "all", account: "accounts", contract: "contracts" };

/** What each kind of list can be filtered by. */
export const filters = {
  blocks: [choice("transactions", "Blocks", { "": "all", some: "with transactions" }), ...ordered],
  accounts: [choice("kind", "Kind", kinds), ...amounts],
  named: [name],
  holdings: [name, ...amounts],
  holders: amounts,
  inventory: [tokenId],
  transactions: [status, method, error, ...amounts, ...ordered],
  ofBlock: [status, method, ...amounts],
  ofAccount: [status, method, direction, ...amounts, ...ordered],
  transfers: [direction, text("token", "Token", "0x…"), ...amounts, ...ordered],
  collectibles: [direction, text("token", "Collection", "0x…"), tokenId, ...ordered],
  ofToken: [party, direction, ...amounts, ...ordered],
  ofCollection: [party, direction, tokenId, ...ordered],
  logs: [text("event", "Event", "name or 0x…"), ...ordered],
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
    for (const field of form.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const chosen = query.get(field.name) ?? "";
      // A choice that has no "all" is as it was drawn.
      if (!("options" in field) || [...field.options].some(({ value }) => value === chosen))
        field.value = chosen;
    }
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
