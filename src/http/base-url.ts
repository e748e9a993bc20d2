// The address of a service.
import { ParameterError } from "../errors/index.ts";

/** The error of an invalid option of a client. */
export const invalidOption = (
  path: readonly (string | number)[],
  expected: string,
  received: unknown,
) => new ParameterError("Invalid client options", [{ path, expected, received }]);

/** Checks an address. */
export function checkUrl(given: unknown, path: readonly (string | number)[] = ["baseUrl"]): URL {
  if (given === undefined)
    throw invalidOption(path, "a URL, or the environment variable EXPLORER_BASE_URL", undefined);
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
