// The address of a service, and options from the environment.
import { ParameterError } from "../errors/index.ts";

/** The error of an invalid option of a client or a proxy. */
export const invalidOption = (
  path: readonly (string | number)[],
  expected: string,
  received: unknown,
) => new ParameterError("Invalid options", [{ path, expected, received }]);

/** Whether a value can limit time, size or requests: a number above 0, perhaps infinite. */
export const isPositive = (value: unknown): value is number =>
  typeof value === "number" && value > 0;

/** Checks the options that limit something; undefined stands for the default. */
export function checkLimits(limits: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !isPositive(value))
      throw invalidOption(name.split("."), "a number above 0", value);
}

/** Parts of the environment, each of which may be missing. */
const environment = globalThis as {
  readonly document?: unknown;
  readonly location?: { readonly origin?: string };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
};

/** Describes an option, and the variable that can be set instead, where there are variables. */
export const orVariable = (option: string, variable: string): string =>
  environment.document === undefined
    ? `${option}, or the environment variable ${variable}`
    : option;

/**
 * A value of the environment, without the white space around it; undefined where it is empty, or
 * may not be read.
 */
export function variable(name: string): string | undefined {
  try {
    return environment.process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno throws without --allow-env, and so do edge runtimes that refuse parts of Node.
    return undefined;
  }
}

/** The origin of the page or web worker that runs this program; undefined in other programs. */
function pageOrigin(): string | undefined {
  const origin = environment.location?.origin;
  // The origin of a file or a sandboxed frame is "null".
  return origin?.startsWith("http") ? origin : undefined;
}

const RELATIVE = /^\/(?!\/)/;

/** Whether an address is relative to the page's origin, where a proxy adds the API key. */
export const isRelativeToPage = (url: unknown): boolean =>
  typeof url === "string" && RELATIVE.test(url) && pageOrigin() !== undefined;

/** Checks an address; one that begins with a slash is relative to the page's origin. */
export function checkUrl(given: unknown, path: readonly (string | number)[] = ["baseUrl"]): URL {
  if (given === undefined)
    throw invalidOption(path, orVariable("a URL", "EXPLORER_BASE_URL"), undefined);
  const text = String(given);
  const base = isRelativeToPage(given) ? pageOrigin() : undefined;
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const hint = RELATIVE.test(text) ? ": only a page has relative ones" : "";
    throw invalidOption(path, `an https:// or http:// URL${hint}`, text);
  }
  const expected = "a URL without user, password, query or fragment";
  if (url.username || url.password) throw invalidOption(path, expected, url.origin);
  // An empty query or fragment is a part of the URL, too. A query may hold a key.
  if (/[?#]/.test(url.href)) throw invalidOption(path, expected, text.replace(/([?#]).+/s, "$1…"));
  if (/\/v1\/*$/i.test(url.pathname))
    throw invalidOption(path, "the URL without /v1, which the client adds", text);
  return url;
}

export const baseOf = (url: URL): string => url.href.replace(/\/+$/, "");
