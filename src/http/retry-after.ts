// Reads how long a server asks to wait, from the common rate-limit headers and from Retry-After in
// both forms: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after

/** Matches an HTTP date, which contains a comma, or any other value up to a comma. */
const VALUES = /\s*(?:[A-Za-z]{3,9}, \d\d[ -][^,]+|[^,]+)/g;
const HTTP_DATE = /^[A-Za-z]{3,9},? /;
/** A larger number is a Unix time in seconds (2001 or later), not a duration. */
const MIN_UNIX_TIME = 1_000_000_000;

/** Returns the longest delay in a header, in milliseconds; undefined if no value is valid. */
function delayOf(header: string | null, now: number): number | undefined {
  const delays = header?.match(VALUES)?.flatMap((value) => delayOfOne(value.trim(), now));
  return delays?.length ? Math.max(...delays) : undefined;
}

/** Reads seconds, a Unix time in seconds or milliseconds, or an HTTP date. */
function delayOfOne(value: string, now: number): number | [] {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number < MIN_UNIX_TIME) return number * 1000;
    // A time in milliseconds, because in seconds it would be in the far future.
    if (number >= now) return Math.min(number - now, Number.MAX_SAFE_INTEGER);
    return Math.max(0, number * 1000 - now);
  }
  if (!HTTP_DATE.test(value)) return [];
  // A date in asctime form names no time zone, but is in GMT like the others.
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? [] : Math.max(0, time - now);
}

/**
 * Returns the milliseconds that the server asks to wait, counted from the response's `Date` if it
 * has one (R22). The reset of a rate limit counts only if no request remains, or for a 429.
 */
export function retryAfter(headers: Headers, rateLimited: boolean): number | undefined {
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const explicit = delayOf(headers.get("retry-after"), now);
  if (explicit !== undefined) return explicit;
  for (const prefix of ["ratelimit", "x-ratelimit", "x-rate-limit"]) {
    const remaining = headers.get(`${prefix}-remaining`);
    if (!rateLimited && remaining !== "0") continue;
    const reset = delayOf(headers.get(`${prefix}-reset`), now);
    if (reset !== undefined) return reset;
  }
  return undefined;
}
