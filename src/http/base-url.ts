// Checks the address of a service, and reads options from the environment.
import { ParameterError } from "../errors/index.ts";

/** Creates the error for an invalid option of a client or a proxy. */
export const invalidOption = (
  path: readonly (string | number)[],
  expected: string,
  received: unknown,
) => new ParameterError("Invalid options", [{ path, expected, received }]);

/** Returns whether a value is a number above 0, perhaps infinite, as limits are. */
export const isPositive = (value: unknown): value is number =>
  typeof value === "number" && value > 0;

/** Checks the options that limit time, size or requests; undefined stands for the default. */
export function checkLimits(limits: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !isPositive(value))
      throw invalidOption(name.split("."), "a number above 0", value);
}

/** The globals that this module reads. Each may be missing. */
const environment = globalThis as {
  readonly document?: unknown;
  readonly location?: { readonly origin?: string };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
};

/** Describes an option and, outside browsers, the environment variable to set instead. */
export const orVariable = (option: string, variable: string): string =>
  environment.document === undefined
    ? `${option}, or the environment variable ${variable}`
    : option;

/** Returns a trimmed environment variable; undefined if it is empty or cannot be read. */
export function variable(name: string): string | undefined {
  try {
    return environment.process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno throws without --allow-env, and so do edge runtimes that refuse parts of Node.
    return undefined;
  }
}

/** Returns the origin of the page or web worker that runs this code; undefined elsewhere. */
function pageOrigin(): string | undefined {
  const origin = environment.location?.origin;
  // A file or a sandboxed frame has the origin "null".
  return origin?.startsWith("http") ? origin : undefined;
}

const RELATIVE = /^\/(?!\/)/;

/** Returns whether an address is relative to the page's origin, where a proxy adds the API key. */
export const isRelativeToPage = (url: unknown): boolean =>
  typeof url === "string" && RELATIVE.test(url) && pageOrigin() !== undefined;

/** Checks an address. An address that begins with a slash is relative to the page's origin. */
export function checkUrl(address: unknown, path: readonly (string | number)[] = ["baseUrl"]): URL {
  if (address === undefined)
    throw invalidOption(path, orVariable("a URL", "EXPLORER_BASE_URL"), undefined);
  const text = String(address);
  const base = isRelativeToPage(address) ? pageOrigin() : undefined;
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const hint = RELATIVE.test(text) ? ": a relative URL works only in a web page" : "";
    throw invalidOption(path, `an https:// or http:// URL${hint}`, text);
  }
  const expected = "a URL without user, password, query or fragment";
  if (url.username || url.password) throw invalidOption(path, expected, url.origin);
  // Also refuses an empty query or fragment. Hides its text, because a query may hold a key.
  if (/[?#]/.test(url.href)) throw invalidOption(path, expected, text.replace(/([?#]).+/s, "$1…"));
  if (/\/v1\/*$/i.test(url.pathname))
    throw invalidOption(path, "the URL without /v1, which the client adds", text);
  return url;
}

export const baseOf = (url: URL): string => url.href.replace(/\/+$/, "");
