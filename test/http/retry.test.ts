// Which failures are retried, after which delay, and when the client gives up.
import { describe, expect, test, vi } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { operations } from "../../src/contract/index.ts";
import { errorOf } from "../../src/http/error-response.ts";
import { backoff, isSafeToRetry, isTransient, retryPolicy } from "../../src/http/retry.ts";
import { ApiError, ConnectionError, ServerError, TimeoutError } from "../../src/index.ts";
import { ADDRESS, clientOf, thrown } from "./server.ts";

test("every page and hover that lists the statuses to retry lists those that are", () => {
  const context = () => ({ operation: "B1", operationName: "blocks.get" }) as const;
  const isRetried = (status: number) => {
    const response = new Response("{}", { status });
    const received = { response, text: "{}", redact: String, attempts: 1 };
    return isTransient(errorOf(operations.B1, received, context));
  };
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter(isRetried);
  const all5xx = Array.from({ length: 100 }, (_, index) => 500 + index);
  expect(statuses.filter((status) => status >= 500)).toEqual(all5xx.filter((one) => one !== 501));
  const listed = new RegExp(`${statuses.filter((status) => status < 500).join(", ")}(,| and) 5xx`);
  const files = ["docs/reliability.md", "src/http/call.ts"];
  for (const file of files) expect(packageFile(file).read(), file).toMatch(listed);
});

describe("the pause between attempts", () => {
  const pause = (options: Parameters<typeof retryPolicy>[0], attempt = 1) =>
    backoff(retryPolicy(options), attempt);

  test("doubles from 300 ms to backoffLimit, without jitter", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempt) => pause({ jitter: false }, attempt));
    expect(pauses).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000]);
  });

  test("is a random part of its full length by default", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.25);
    expect([pause(undefined), pause(2), pause({ delay: () => 80 })]).toEqual([75, 75, 20]);
  });

  test.each([Number.NaN, -5, Number.NEGATIVE_INFINITY])("is none for a delay of %d", (delay) => {
    expect(pause({ delay: () => delay, jitter: false })).toBe(0);
  });
});

describe("a request that changes something", () => {
  const safe = (error: ConnectionError | ApiError) => isSafeToRetry(operations.C3, error);
  const connection = (cause: unknown) => new ConnectionError("No response", { cause });

  test.each([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
    "UND_ERR_CONNECT_TIMEOUT",
  ])("is repeated after %s, which comes before the request leaves", (code) => {
    const failure = Object.assign(new Error("connect"), { code });
    expect(safe(connection(failure))).toBe(true);
    expect(safe(connection(new TypeError("fetch failed", { cause: failure })))).toBe(true);
  });

  test.each([
    ["a reset", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
    ["an unknown cause", new TypeError("fetch failed")],
    ["a cause that is no error", { code: "ECONNREFUSED" }],
  ])("is not repeated after %s", (_, cause) => {
    expect(safe(connection(cause))).toBe(false);
  });

  test("is not repeated after an API error whose cause is a refused connection", () => {
    const cause = Object.assign(new Error("upstream"), { code: "ECONNREFUSED" });
    expect(safe(new ServerError("Server error", { httpStatus: 502, cause }))).toBe(false);
  });

  test.each([
    [429, true],
    [503, true],
    [500, false],
    [400, false],
  ])("HTTP %i with Retry-After: repeated: %s", (httpStatus, expected) => {
    const headers = new Headers({ "retry-after": "1" });
    expect(safe(new ApiError("Failed", { httpStatus, headers }))).toBe(expected);
    expect(safe(new ApiError("Failed", { httpStatus }))).toBe(false);
  });
});

describe("a failure that cannot get better is not retried", () => {
  const coded = (code: string, message = "failed") => Object.assign(new Error(message), { code });
  const wrapped = (cause: Error) => new TypeError("fetch failed", { cause });
  const attemptsOf = async (failure: Error) => {
    const fetch = () => Promise.reject(failure);
    const { tokens } = clientOf({ url: "https://explorer.example" }, { fetch });
    const error = await thrown(tokens.totalSupply(ADDRESS));
    expect(error.code).toBe("CONNECTION");
    return error.attempts;
  };

  test.each([
    ["a certificate of another authority", wrapped(coded("DEPTH_ZERO_SELF_SIGNED_CERT"))],
    ["an unknown authority", wrapped(coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"))],
    ["a certificate of another host", wrapped(coded("ERR_TLS_CERT_ALTNAME_INVALID"))],
    ["an expired certificate", wrapped(coded("CERT_HAS_EXPIRED"))],
    ["TLS with a plain port", wrapped(coded("ERR_SSL_WRONG_VERSION_NUMBER"))],
    ["a port that fetch blocks", wrapped(new Error("bad port"))],
    ["a mistake in the given fetch", new TypeError("options.agent is not a function")],
    ["another one", new TypeError("Cannot read properties of undefined (reading 'x')")],
    ["a name it does not know", new ReferenceError("axios is not defined")],
  ])("%s", async (_, failure) => {
    expect(await attemptsOf(failure)).toBe(1);
  });

  test.each([
    ["a reset", wrapped(coded("ECONNRESET"))],
    ["a connection that TLS lost", wrapped(coded("UND_ERR_SOCKET", "other side closed"))],
    ["Chrome", new TypeError("Failed to fetch")],
    ["Firefox", new TypeError("NetworkError when attempting to fetch resource.")],
    ["Safari", new TypeError("Load failed")],
    ["React Native", new TypeError("Network request failed")],
  ])("but %s is", async (_, failure) => {
    expect(await attemptsOf(failure)).toBe(4);
  });
});

test("a total timeout is final, that of an attempt is not", () => {
  const timeout = (scope: "attempt" | "total") => isTransient(new TimeoutError(scope, 5, {}));
  expect([timeout("attempt"), timeout("total")]).toEqual([true, false]);
});
