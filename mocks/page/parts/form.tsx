// The form of every view: fields as data, one button, each error beside its field.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isAddress as isHexAddress } from "../../../src/models/hex.ts";
import { findOwnNames, resolveName } from "../service/inspect.ts";
import { Failure } from "./failure.tsx";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: "search" | "number" | "password" | "datetime-local" | "textarea" | "checkbox";
  readonly placeholder?: string | undefined;
  readonly title?: string | undefined;
  readonly required?: boolean;
  /** A change of this value replaces what was typed. */
  readonly value?: string | undefined;
  readonly options?: readonly (readonly [value: string, title: string])[];
  /** Whether several options can be chosen. */
  readonly multiple?: boolean;
  /** Suggestions that do not exclude other texts. */
  readonly suggestions?: readonly string[];
  /** Accepts the name of an account, a token or a contract, too. */
  readonly isAddress?: boolean;
  readonly onInput?: (value: string) => void;
}

/** An error about one field. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The texts of a submitted form, trimmed; empty for a field that is missing. */
export interface Texts {
  (name: string): string;
  readonly all: (name: string) => readonly string[];
}

export interface Action {
  readonly isBusy: boolean;
  /** Why the last run failed. */
  readonly error: unknown;
  readonly run: (act: () => unknown) => void;
  /** Repeats the last run. */
  readonly retry: () => void;
}

export function useAction(): Action {
  const [{ isBusy, error }, setState] = useState<{ isBusy: boolean; error?: unknown }>({
    isBusy: false,
  });
  const last = useRef<() => unknown>(() => {});
  const run = (act: () => unknown) => {
    last.current = act;
    setState({ isBusy: true });
    // Inside a promise, so that a synchronous throw is shown like any other error.
    Promise.resolve()
      .then(act)
      .then(
        () => setState({ isBusy: false }),
        (error: unknown) => setState({ isBusy: false, error }),
      );
  };
  return { isBusy, error, run, retry: () => run(last.current) };
}

/** The field that an error is about: errors of the service begin with the parameter's name. */
function mistakeIn(error: unknown, fields: readonly Field[]) {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof FieldError) return { field: error.field, text: error.message };
  const lines = error.message.split("\n");
  for (const line of lines)
    for (const { name } of fields) {
      const at = line.indexOf(`${name}: `);
      if (at >= 0 && !/[\w.]/.test(line[at - 1] ?? " "))
        return { field: name, text: line.slice(at + name.length + 2) };
    }
  return undefined;
}

interface InputProps {
  readonly field: Field;
  readonly mistake?: string | undefined;
}

/** One field with its label, and what is wrong with its value. */
export function FieldInput({ field, mistake }: InputProps) {
  const { name, label, type, options, multiple, suggestions = [], onInput, value, ...rest } = field;
  const { isAddress, ...attributes } = rest;
  const id = useId();
  const control = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = control.current;
    if (element === null || value === undefined || multiple) return;
    // A select keeps its choice if the value is not among its options.
    const isOffered = options === undefined || options.some(([option]) => option === value);
    if (type === "checkbox") element.checked = value === "on";
    else if (isOffered) element.value = value;
  }, [value, options?.length]);
  const listed = isAddress
    ? [...suggestions, ...findOwnNames("").map(({ name }) => name)]
    : suggestions;
  const shared = {
    ...attributes,
    ...{ ref: control, id, name, spellcheck: false },
    ...(mistake !== undefined && { "aria-invalid": true, "aria-describedby": `${id}-mistake` }),
    onInput: ({ currentTarget }: { currentTarget: { value: string; checked?: boolean } }) =>
      onInput?.(type === "checkbox" && !currentTarget.checked ? "" : currentTarget.value),
  };
  return (
    <div class={type === "checkbox" ? "field check" : type === "textarea" ? "field all" : "field"}>
      <label for={id}>{label}</label>
      {options !== undefined ? (
        <select {...shared} {...(multiple && { multiple, size: 5 })}>
          {options.map(([option, title]) => (
            <option key={option} value={option}>
              {title}
            </option>
          ))}
        </select>
      ) : type === "textarea" ? (
        <textarea {...shared} rows={8} />
      ) : (
        <input
          {...shared}
          // The types of preact tie each input type to other attributes.
          type={(type === "number" ? "text" : (type ?? "text")) as "text"}
          {...(type === "number" && { inputMode: "decimal" as const })}
          {...(type === "datetime-local" && { step: 1 })}
          // A field with a list is wide enough for an address.
          {...((isAddress || listed.length > 0) && { list: `${id}-list` })}
          autocomplete="off"
        />
      )}
      {listed.length > 0 && (
        <datalist id={`${id}-list`}>
          {listed.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {mistake !== undefined && (
        <small class="mistake" id={`${id}-mistake`} role="alert">
          <bdi>{mistake}</bdi>
        </small>
      )}
    </div>
  );
}

export interface FormProps {
  /** Accessible name, where several forms are on a view. */
  readonly label?: string;
  readonly fields?: readonly Field[];
  /** Fields that few need, folded below a title. */
  readonly folded?: { readonly title: string; readonly fields: readonly Field[] };
  /** Words on the button. */
  readonly action: string;
  readonly busy?: string;
  /** Confirms an action that destroys something. */
  readonly question?: string;
  /** "inline" on one line, "grid" in columns. */
  readonly layout?: "inline" | "grid";
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
  /** The error of the last request with these fields. It is shown beside the field it is about. */
  readonly error?: unknown;
  /** First words of the message, if the failure is not about one field. */
  readonly what?: string;
  readonly before?: ComponentChildren;
  /** Further buttons, and the result. */
  readonly children?: ComponentChildren;
  readonly run: (texts: Texts) => unknown;
}

function textsOf(form: HTMLFormElement): Texts {
  const data = new FormData(form);
  const textsNamed = (name: string) =>
    data.getAll(name).filter((value) => typeof value === "string");
  return Object.assign((name: string) => (textsNamed(name)[0] ?? "").trim(), { all: textsNamed });
}

/** Replaces names in address fields. The check of the field reports unknown ones. */
async function withAddresses(texts: Texts, fields: readonly Field[]): Promise<Texts> {
  const resolved = new Map<string, string>();
  for (const { name, isAddress } of fields) {
    const text = texts(name);
    if (isAddress && text !== "" && !isHexAddress(text))
      resolved.set(name, (await resolveName(text)) ?? text);
  }
  if (resolved.size === 0) return texts;
  return Object.assign((name: string) => resolved.get(name) ?? texts(name), { all: texts.all });
}

export function Form(props: FormProps) {
  const {
    label,
    fields: shown = [],
    folded,
    action,
    busy,
    question,
    layout = "inline",
    what = "Not done",
  } = props;
  const fields = [...shown, ...(folded?.fields ?? [])];
  const { isBusy, error, run, retry } = useAction();
  const [isAsking, setAsking] = useState(false);
  const mistake = mistakeIn(error ?? props.error, fields);
  const isShown = fields.some(({ name }) => name === mistake?.field);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (question !== undefined && !isAsking) return setAsking(true);
    setAsking(false);
    const texts = textsOf(event.currentTarget as HTMLFormElement);
    const takesNames = fields.some((field) => field.isAddress);
    run(
      takesNames
        ? async () => props.run(await withAddresses(texts, fields))
        : () => props.run(texts),
    );
  };
  const hasMistake = ({ name }: Field) => mistake?.field === name;
  const inputFor = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      mistake={hasMistake(field) ? mistake?.text : undefined}
    />
  );
  const kind = props.isPrimary ? "primary" : undefined;
  return (
    <form onSubmit={submit} aria-label={label}>
      <div class={layout === "grid" ? "fields" : "inline"}>
        {props.before}
        {shown.map(inputFor)}
        {folded && (
          <details class="all" open={folded.fields.some(hasMistake) || undefined}>
            <summary>{folded.title}</summary>
            <div class="fields">{folded.fields.map(inputFor)}</div>
          </details>
        )}
        <div class="buttons">
          {isAsking ? (
            <span class="asked" role="alert">
              {question}{" "}
              <button type="submit" class="danger">
                Yes
              </button>{" "}
              <button type="button" onClick={() => setAsking(false)} autofocus>
                No
              </button>
            </span>
          ) : (
            <button type="submit" class={kind} disabled={isBusy || props.isDisabled}>
              {isBusy && busy ? busy : action}
            </button>
          )}
          {props.children}
        </div>
      </div>
      {!isShown && <Failure error={error} what={what} retry={retry} />}
    </form>
  );
}
