// JSON: parsed although it may be hostile, with limited depth and density and no `__proto__`; and
// frozen where several callers hold it.

/** The deepest JSON to accept; an ABI of nested tuples reaches about 20 levels. */
const MAX_DEPTH = 64;

/** Texts of this length cannot fill the memory, however dense they are. */
const ANY_DENSITY = 2 ** 20;

/**
 * The fewest characters per object, list or field of a longer text: `{}` needs 20 times its length
 * in memory. Records have 30 and more.
 */
const MIN_CHARACTERS = 16;

/** The message says why a text is not accepted. */
export class InvalidJsonError extends Error {}

/** The value of a text that is JSON; undefined if it is not. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The fields of an object; none of any other value. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};

/** A copy of what JSON can hold. jest's environment of happy-dom has no `structuredClone`. */
export const jsonCopy = <Json>(value: Json): Json =>
  value === undefined ? value : JSON.parse(JSON.stringify(value));

/** Parses the JSON of a body. */
export function parseJson(text: string): unknown {
  if (text.length > ANY_DENSITY && structures(text) > text.length / MIN_CHARACTERS)
    throw new InvalidJsonError(
      `the body has more than one object, list or field per ${MIN_CHARACTERS} characters`,
    );
  const value = jsonIn(text);
  if (value === undefined)
    throw new InvalidJsonError(text.trim() === "" ? "the body is empty" : "the body is not JSON");
  if (isNested(value)) inspect(value, 1);
  return value;
}

const [QUOTE, COLON, BRACKET, BACKSLASH, BRACE] = [0x22, 0x3a, 0x5b, 0x5c, 0x7b];

/** The number of objects, lists and fields in a JSON text. */
function structures(text: string): number {
  let count = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) index++;
    } else if (code === BRACE || code === BRACKET || code === COLON) count++;
  }
  return count;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Rejects what is nested too deeply, and fields that would set a prototype. */
function inspect(value: object, depth: number): void {
  if (depth > MAX_DEPTH)
    throw new InvalidJsonError(`the body is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === "object" && item !== null) inspect(item, depth + 1);
    return;
  }
  for (const key in value) {
    // Copying it by assignment would set the prototype of the copy.
    if (key === "__proto__") throw new InvalidJsonError('the body has a field "__proto__"');
    const field = (value as Record<string, unknown>)[key];
    if (typeof field === "object" && field !== null) inspect(field, depth + 1);
  }
}

/** Freezes a JSON value and everything in it; without recursion, as a store may hold anything. */
export function deepFreeze(json: unknown): void {
  const open = [json];
  for (const value of open)
    if (isNested(value) && !Object.isFrozen(value))
      for (const nested of Object.values(Object.freeze(value))) open.push(nested);
}
