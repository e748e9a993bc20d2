// A field of a form with its label, and reading the fields of a form.
import type { InputHTMLAttributes } from "preact";
import { apiKey } from "../store.ts";

type FieldProps = InputHTMLAttributes & {
  readonly label: string;
  readonly name: string;
};

export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input autocomplete="off" spellcheck={false} {...input} />
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

export function Select({ label, name, options, value, onChange }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Reads the submitted form: the text of a field, trimmed; "" where it is empty or missing. */
export function formFields(event: SubmitEvent): (name: string) => string {
  event.preventDefault();
  const data = new FormData(event.currentTarget as HTMLFormElement);
  return (name) => {
    const value = data.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
}

export function KeyForm({ onDone }: { onDone?: () => void }) {
  const submit = (event: SubmitEvent) => {
    apiKey.set(formFields(event)("key"));
    onDone?.();
  };
  return (
    <form class="inline" onSubmit={submit}>
      <Field label="api-key" name="key" type="password" value={apiKey.get()} />
      <button type="submit">Use this key</button>
    </form>
  );
}
