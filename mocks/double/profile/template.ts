// Bodies as templates: JSON with `{message}` and the like in the places of what differs each time.
import { isObject } from "../../../src/models/issues.ts";

type Values = Readonly<Record<string, unknown>>;

const nameIn = (template: unknown): string | undefined =>
  typeof template === "string" ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined;

/** A template with values in its places. */
export function filled(template: unknown, values: Values): unknown {
  const name = nameIn(template);
  if (name !== undefined && Object.hasOwn(values, name)) return values[name];
  if (Array.isArray(template)) return template.map((one) => filled(one, values));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, one]) => [key, filled(one, values)]),
  );
}

/** The values that make a template this JSON; undefined where none do. */
export function valuesIn(template: unknown, json: unknown): Values | undefined {
  const name = nameIn(template);
  if (name !== undefined) return { [name]: json };
  if (!isObject(template) || !isObject(json))
    return JSON.stringify(template) === JSON.stringify(json) ? {} : undefined;
  const keys = Object.keys(template);
  if (keys.join() !== Object.keys(json).join()) return undefined;
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const below = valuesIn(template[key], json[key]);
    if (below === undefined) return undefined;
    Object.assign(found, below);
  }
  return found;
}

/** The names under which services write what is wrong. */
const MESSAGES = ["message", "error", "msg", "detail", "reason", "title", "description"];

/** The template of an error, whose status is one of these. */
export function templateOf(json: unknown, statuses: readonly number[], key = ""): unknown {
  if (isObject(json))
    return Object.fromEntries(
      Object.entries(json).map(([name, one]) => [name, templateOf(one, statuses, name)]),
    );
  if (typeof json === "number") return statuses.includes(json) ? "{code}" : json;
  if (typeof json !== "string") return json;
  if (statuses.some((status) => `${status}` === json)) return "{status}";
  return MESSAGES.includes(key.toLowerCase()) ? "{message}" : json;
}
