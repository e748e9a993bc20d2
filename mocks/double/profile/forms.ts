// Other forms of a value that explorers send: each way from the specified form, and back.

import { isObject } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { isoTime } from "../../../src/models/primitives.ts";

interface Form {
  /** The specified value in this form; undefined for one that has none. */
  readonly to: (value: unknown) => unknown;
  /** The specified value of this form; undefined for any other form. */
  readonly from: (value: unknown) => unknown;
}

const isDigits = (value: unknown): value is string =>
  typeof value === "string" && /^\d+$/.test(value);
const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);

/** A time in whole seconds, with another end than `Z`. */
const timeEnding = (ending: string): Form => ({
  to: (value) => (isTime(value) ? value.replace("Z", ending) : undefined),
  from: (value) =>
    typeof value === "string" && value.endsWith(ending) && isTime(value.replace(ending, "Z"))
      ? value.replace(ending, "Z")
      : undefined,
});

const isoOf = (seconds: number): string => isoTime(new Date(1000 * seconds));

const forms = {
  "a number": {
    to: (value) =>
      isDigits(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined,
    from: (value) => (Number.isSafeInteger(value) ? `${value}` : undefined),
  },
  "a text": {
    to: (value) => (typeof value === "boolean" ? `${value}` : undefined),
    from: (value) => (value === "true" || value === "false" ? value === "true" : undefined),
  },
  "0 or 1": {
    to: (value) => (typeof value === "boolean" ? Number(value) : undefined),
    from: (value) => (value === 0 || value === 1 ? value === 1 : undefined),
  },
  "an empty text for null": {
    to: (value) => (value === null ? "" : undefined),
    from: (value) => (value === "" ? null : undefined),
  },
  "null for an empty list": {
    to: (value) => (Array.isArray(value) && value.length === 0 ? null : undefined),
    from: (value) => (value === null ? [] : undefined),
  },
  "JSON text": {
    to: (value) => (Array.isArray(value) || isObject(value) ? JSON.stringify(value) : undefined),
    from(value) {
      const json = typeof value === "string" ? jsonIn(value) : undefined;
      return typeof json === "object" && json !== null ? json : undefined;
    },
  },
  hexadecimal: {
    to: (value) => (isDigits(value) ? `0x${BigInt(value).toString(16)}` : undefined),
    from: (value) =>
      typeof value === "string" && /^0x[0-9a-f]{1,64}$/.test(value)
        ? BigInt(value).toString()
        : undefined,
  },
  "seconds since 1970": {
    to: (value) => (isTime(value) ? Date.parse(value) / 1000 : undefined),
    from: (value) =>
      Number.isSafeInteger(value) && Math.abs(Number(value)) < 1e10
        ? isoOf(Number(value))
        : undefined,
  },
  "seconds since 1970 in digits": {
    to: (value) => (isTime(value) ? `${Date.parse(value) / 1000}` : undefined),
    from: (value) => (isDigits(value) && value.length <= 10 ? isoOf(Number(value)) : undefined),
  },
  milliseconds: timeEnding(".000Z"),
  "an offset": timeEnding("+00:00"),
  "milliseconds and an offset": timeEnding(".000+00:00"),
  microseconds: timeEnding(".000000Z"),
  /** The field is left out. */
  missing: { to: () => undefined, from: () => undefined },
  "missing for null": { to: () => undefined, from: () => undefined },
} satisfies Readonly<Record<string, Form>>;

export type FormName = keyof typeof forms;

export const formNames = Object.keys(forms) as [FormName, ...FormName[]];

/** The form of a value that is not in the specified one: `isExact` says which values are. */
export const formOf = (
  value: unknown,
  isExact: (value: unknown) => boolean,
): FormName | undefined =>
  formNames.find((name) => {
    const specified = forms[name].from(value);
    if (specified === undefined || !isExact(specified)) return false;
    return JSON.stringify(forms[name].to(specified)) === JSON.stringify(value);
  });

/** A value in a form; undefined where the form has none for it. */
export const inForm = (name: FormName, value: unknown): unknown => forms[name].to(value);
