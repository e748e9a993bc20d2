// Parses JSON that may be hostile: limits its depth and density, and refuses `__proto__`. Freezes
// JSON that several callers share.

/** The deepest nesting to accept; an ABI of nested tuples reaches about 20 levels. */
const MAX_DEPTH = 64;

/** A text up to this length cannot fill the memory, however dense it is. */
const ANY_DENSITY = 2 ** 20;

/**
 * The fewest characters per object, list or field of a longer text, because `{}` takes 20 times its
 * length in memory. Records have at least 30.
 */
const MIN_CHARACTERS = 16;

/** Thrown for a text that is not accepted. The message says why. */
export class InvalidJsonError extends Error {}

/** Parses a text; undefined if it is not JSON. */
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

/** Returns an object as it is, and an empty object for any other value. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};

/** Copies a JSON value. jest's happy-dom environment lacks `structuredClone`. */
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

/** Counts the objects, lists and fields in a JSON text. */
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

/** Refuses values that are nested too deeply, and fields that would set a prototype. */
function inspect(value: object, depth: number): void {
  if (depth > MAX_DEPTH)
    throw new InvalidJsonError(`the body is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === "object" && item !== null) inspect(item, depth + 1);
    return;
  }
  for (const key in value) {
    // Copying this field by assignment would set the prototype of the copy.
    if (key === "__proto__") throw new InvalidJsonError('the body has a field "__proto__"');
    const field = (value as Record<string, unknown>)[key];
    if (typeof field === "object" && field !== null) inspect(field, depth + 1);
  }
}

/** Freezes a JSON value and its parts. Not recursive, because a store may return deep values. */
export function deepFreeze(json: unknown): void {
  const open = [json];
  for (const value of open)
    if (isNested(value) && !Object.isFrozen(value))
      for (const nested of Object.values(Object.freeze(value))) open.push(nested);
}
