// How long a server asks to wait: Retry-After in both forms, and the usual rate-limit headers.

const HTTP_DATE = /^[A-Za-z]{3,9},? /;
/** Larger figures in seconds are moments since 1970, not spans: 2001 came before any rate limit of today. */
const EARLIEST_MOMENT = 1_000_000_000;

/** Milliseconds to wait by a header of seconds, of a moment in seconds, or of an HTTP date; nothing if it is none of these. */
function delayOf(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,12}(\.\d{1,9})?$/.test(trimmed)) {
    const seconds = Number(trimmed);
    return seconds < EARLIEST_MOMENT ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
  }
  if (!HTTP_DATE.test(trimmed)) return undefined;
  const moment = Date.parse(trimmed);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/**
 * Milliseconds the server asks to wait. The reset of a rate limit counts only where nothing is left of it, or
 * where the answer is the refusal itself.
 */
export function retryAfter(headers: Headers, refused: boolean, now: number): number | undefined {
  const asked = delayOf(headers.get("retry-after"), now);
  if (asked !== undefined) return asked;
  for (const prefix of ["ratelimit", "x-ratelimit", "x-rate-limit"]) {
    const left = headers.get(`${prefix}-remaining`);
    if (!refused && left?.trim() !== "0") continue;
    const reset = delayOf(headers.get(`${prefix}-reset`), now);
    if (reset !== undefined) return reset;
  }
  return undefined;
}
