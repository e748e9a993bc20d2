// How long a server asks to wait, in every form.
import { describe, expect, test, vi } from "vitest";
import { retryAfter } from "../../src/http/retry-after.ts";
import { ADDRESS, clientOf, refusal, supply } from "./server.ts";

const DAY = 86_400_000;

describe("the pause a server asks for", () => {
  const now = Date.UTC(2026, 0, 1);
  /** By the clock of the server, which is not ours. */
  const pauseOf = (headers: Headers, isRateLimited: boolean) => {
    headers.set("date", new Date(now).toUTCString());
    return retryAfter(headers, isRateLimited);
  };
  const inSeconds = (ms: number) => String((now + ms) / 1000);

  test.each<[string, string, number | undefined]>([
    ["twice", "2, 5", 5000],
    ["twice, once as a date", `${new Date(now + 9000).toUTCString()}, 3`, 9000],
    [
      "twice as dates",
      `${new Date(now + 1000).toUTCString()}, ${new Date(now + 4000).toUTCString()}`,
      4000,
    ],
    ["twice, once malformed", "soon, 3", 3000],
    ["as a Unix time", inSeconds(7000), 7000],
    ["as a Unix time in milliseconds", String(now + 7000), 7000],
    ["twice without a space", "2,5", 5000],
    ["with a fraction", "1.25", 1250],
    ["as a Unix time of ten digits, the first", "1000000000", 0],
    ["as this moment in milliseconds", String(now), 0],
    ["as a Unix time that has passed", inSeconds(-7000), 0],
    ["as a date that has passed", new Date(now - 9000).toUTCString(), 0],
    ["as a date in the form of RFC 850", "Thursday, 01-Jan-26 00:00:09 GMT", 9000],
    ["as a date that is none", "Thu, 99 Jan 2026 00:00:09 GMT", undefined],
    ["as a date of another form", "1 January 2026 00:00:09 GMT", undefined],
    ["as a number and a word", "5s", undefined],
    ["as a word and a number", "s5", undefined],
    ["malformed", "soon", undefined],
    ["without a value", ",", undefined],
    ["negative", "-5", undefined],
  ])("given %s", (_, header, expected) => {
    expect(pauseOf(new Headers({ "retry-after": header }), true)).toBe(expected);
  });

  test("as a date in the form of asctime is in GMT, wherever the client is", () => {
    vi.stubEnv("TZ", "America/New_York");
    const headers = new Headers({ "retry-after": "Thu Jan  1 00:00:09 2026" });
    expect(pauseOf(headers, true)).toBe(9000);
  });

  test.each<[Record<string, string>, boolean, number | undefined]>([
    [{}, true, undefined],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": "3" }, false, 3000],
    [{ "ratelimit-remaining": "1", "ratelimit-reset": "3" }, false, undefined],
    [{ "ratelimit-remaining": "1", "ratelimit-reset": "3" }, true, 3000],
    [{ "ratelimit-reset": "3" }, false, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4" }, false, 4000],
    [{ "x-rate-limit-remaining": "0", "x-rate-limit-reset": "5" }, false, 5000],
    [{ "ratelimit-remaining": "0", "x-ratelimit-reset": "4" }, true, 4000],
    [{ "retry-after": "2", "ratelimit-reset": "3" }, true, 2000],
    [{ "retry-after": "soon", "ratelimit-reset": "3" }, true, 3000],
  ])("%j, rate limited: %s", (headers, rateLimited, expected) => {
    expect(pauseOf(new Headers(headers), rateLimited)).toBe(expected);
  });

  test.each([13, 14, 20, 400])("of %i digits is never short", (digits) => {
    for (const digit of ["1", "9"]) {
      const headers = new Headers({ "retry-after": digit.repeat(digits) });
      expect(pauseOf(headers, true)).toBeGreaterThan(365 * DAY);
    }
  });

  test("of 30 days after a 429 is waited to its end, if it may be", async () => {
    vi.useFakeTimers();
    let sent = 0;
    const client = clientOf(
      { url: "https://explorer.example" },
      {
        retry: { limit: 5, maxRetryAfter: Number.POSITIVE_INFINITY },
        fetch: async () => {
          sent++;
          return sent > 1
            ? Response.json(supply("7"))
            : Response.json(refusal(429, "later"), {
                status: 429,
                headers: { "retry-after": String((30 * DAY) / 1000) },
              });
        },
      },
    );
    const answer = client.tokens.totalSupply(ADDRESS);
    for (const days of [0.001, 24, 1, 4.9]) {
      await vi.advanceTimersByTimeAsync(days * DAY);
      expect(sent).toBe(1);
    }
    await vi.advanceTimersByTimeAsync(DAY);
    expect(await answer).toBe(7n);
  });
});
