// The address of a service, and options from the environment.
import { ParameterError } from "../errors/index.ts";

/** The error of an invalid option of a client. */
export const invalidOption = (
  path: readonly (string | number)[],
  expected: string,
  received: unknown,
) => new ParameterError("Invalid client options", [{ path, expected, received }]);

/** An option, or the variable that can be set instead, where there are any. */
export const orVariable = (option: string, variable: string): string =>
  "document" in globalThis ? option : `${option}, or the environment variable ${variable}`;

/** A value of the environment, without the white space around it; undefined where it is empty, or there is no environment. */
export function variable(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name]?.trim() || undefined;
}

/** Checks an address. */
export function checkUrl(given: unknown, path: readonly (string | number)[] = ["baseUrl"]): URL {
  if (given === undefined)
    throw invalidOption(path, orVariable("a URL", "EXPLORER_BASE_URL"), undefined);
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalidOption(path, "an https:// or http:// URL", text);
  // An empty query or fragment is a part of the URL, too.
  if (url.username || url.password || /[?#]/.test(url.href))
    throw invalidOption(path, "a URL without user, password, query or fragment", url.origin);
  if (/\/v1\/*$/i.test(url.pathname))
    throw invalidOption(path, "the URL without /v1, which the client adds", text);
  return url;
}

/** The text that paths are appended to. */
export const baseOf = (url: URL): string => url.href.replace(/\/+$/, "");
