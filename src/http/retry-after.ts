// How long a server asks to wait: Retry-After in both forms, and the common rate-limit headers.

const HTTP_DATE = /^[A-Za-z]{3,9},? /;
/** Seconds from here on are a Unix time (2001), not a duration. */
const MIN_UNIX_TIME = 1_000_000_000;

/** Milliseconds to wait by a header with seconds, a Unix time or an HTTP date; undefined for anything else. */
function delayOf(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,12}(\.\d{1,9})?$/.test(trimmed)) {
    const seconds = Number(trimmed);
    return seconds < MIN_UNIX_TIME ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
  }
  if (!HTTP_DATE.test(trimmed)) return undefined;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/**
 * Milliseconds the server asks to wait. The reset of a rate limit counts only if no request remains, or if the response is a 429.
 */
export function retryAfter(
  headers: Headers,
  rateLimited: boolean,
  now: number,
): number | undefined {
  const explicit = delayOf(headers.get("retry-after"), now);
  if (explicit !== undefined) return explicit;
  for (const prefix of ["ratelimit", "x-ratelimit", "x-rate-limit"]) {
    const remaining = headers.get(`${prefix}-remaining`);
    if (!rateLimited && remaining?.trim() !== "0") continue;
    const reset = delayOf(headers.get(`${prefix}-reset`), now);
    if (reset !== undefined) return reset;
  }
  return undefined;
}
