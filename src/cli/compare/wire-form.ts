// Compares a value with the exact form of a schema: the client reads more than the specification says, and each such reading is a departure.

import { placesAt } from "../../../mocks/double/faults/field.ts";
import { formOf } from "../../../mocks/double/profile/forms.ts";
import type { FieldForm } from "../../../mocks/double/profile/profile.ts";
import { functionsOf } from "../../models/codec.ts";
import { check, describe, expectedOf, isObject } from "../../models/issues.ts";
import { readingOf } from "../../models/reading.ts";
import { type AnySchema, definitionOf } from "../../models/schema.ts";

/** A place where a value departs from the specified form. */
export interface Departure {
  /** `data[].value` */
  readonly field: string;
  readonly expected: string;
  readonly received: string;
  /** The decision by which the client reads it anyway; undefined if it cannot. */
  readonly reads?: string | undefined;
  /** How a mock writes it so; undefined if it cannot. */
  readonly form?: FieldForm | undefined;
}

/** How a value is written, whose specified form a schema accepts. */
const formIn = (schema: AnySchema, value: unknown): FieldForm | undefined =>
  formOf(value, (specified) => visit(schema, specified, "", () => false).next().done === true);

const below = (field: string, step: string) => (field === "" ? step : `${field}.${step}`);

/** The decision of another form that a schema reads (R13, R15, R16). */
const readingRule = (value: unknown): string =>
  value === "" ? "R13" : value === null ? "R15" : "R16";

/** Every departure; `beyond` says which fields may be there in addition. */
type Beyond = (field: string) => boolean;

function* visit(
  schema: AnySchema,
  value: unknown,
  field: string,
  beyond: Beyond,
): Generator<Departure> {
  const def = definitionOf(schema);
  const read = readingOf(schema);
  if (read && read(value) !== value) {
    const reads = readingRule(value);
    yield {
      field,
      expected: reads === "R13" ? "null" : "a list",
      received: describe(value),
      reads,
      form: formIn(schema, value),
    };
  } else if (def.type === "optional" || def.type === "default")
    yield* visit(def.innerType, value, field, beyond);
  else if (def.type === "nullable") {
    if (value !== null) yield* visit(def.innerType, value, field, beyond);
  } else if (def.type === "array" && Array.isArray(value))
    for (const item of value) yield* visit(def.element, item, `${field}[]`, beyond);
  else if (def.type === "object" && isObject(value)) {
    yield* known(def.shape, value, field, beyond);
    for (const name of Object.keys(value)) {
      const path = below(field, name);
      if (Object.hasOwn(def.shape, name) || beyond(path)) continue;
      const received = describe(value[name]);
      const form = { value: value[name] };
      yield { field: path, expected: "no such field", received, reads: "R3", form };
    }
  } else yield* simple(schema, value, field);
}

function* known(
  shape: Readonly<Record<string, AnySchema>>,
  value: Readonly<Record<string, unknown>>,
  field: string,
  beyond: Beyond,
): Generator<Departure> {
  for (const [name, schema] of Object.entries(shape)) {
    const path = below(field, name);
    const { type } = definitionOf(schema);
    if (Object.hasOwn(value, name)) yield* visit(schema, value[name], path, beyond);
    else if (type !== "optional") {
      const reads = type === "default" ? "R4" : undefined;
      yield { field: path, expected: "the field", received: "nothing", reads, form: "missing" };
    }
  }
}

/** The departure of a value that has no parts: of another type, or in another form. */
function* simple(schema: AnySchema, value: unknown, field: string): Generator<Departure> {
  const codec = functionsOf(schema);
  const decoded = codec?.decode(value);
  const isRead = codec ? decoded !== undefined : !check(schema, value).issues;
  if (isRead && (codec === undefined || codec.encode(decoded) === value)) return;
  const reads = !isRead ? undefined : decoded instanceof Date ? "R14" : "R7";
  const form = formIn(schema, value);
  yield { field, expected: expectedOf(schema), received: describe(value), reads, form };
}

/** Every departure, of each field once. */
export function departures(schema: AnySchema, value: unknown, beyond: Beyond): Departure[] {
  const found = new Map<string, Departure>();
  for (const one of visit(schema, value, "", beyond)) {
    const key = `${one.field} ${one.expected}`;
    if (!found.has(key)) found.set(key, one);
  }
  for (const [key, one] of found)
    if (
      one.form === "missing" &&
      !placesAt(value, one.field.replaceAll("[]", ".*").split("."), false).next().done
    )
      found.set(key, { ...one, form: "missing for null" });
  return [...found.values()];
}
