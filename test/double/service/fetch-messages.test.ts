// A fetch request as the service takes it, and its response as fetch gives it, also where it is cut short or comes in drops.
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  aborted,
  normalBase,
  targetBelow,
  toResponseParts,
  toServiceRequest,
} from "../../../mocks/double/service/fetch-messages.ts";
import { jsonHeaders, type ServiceResponse } from "../../../mocks/double/service/message.ts";

afterEach(() => void vi.useRealTimers());

const base = "https://a.test/api";

test.each([
  ["", "/"],
  ["/v1/blocks/1?x=1", "/v1/blocks/1?x=1"],
  ["?x=1", "?x=1"],
  ["/v1#part", "/v1"],
  ["#part", "/"],
  ["2/v1", undefined],
])("below the base, %j is the target %j", (rest, target) => {
  expect(targetBelow(base, base + rest)).toBe(target);
});

test("a URL that is not below the base has no target", () => {
  expect(targetBelow(base, "https://b.test/api/v1")).toBeUndefined();
});

test.each([
  ["https://A.test//", "https://a.test"],
  ["https://a.test/api/", "https://a.test/api"],
  ["https://a.test/a//b", "https://a.test/a//b"],
])("%s as a base is %s", (given, expected) => {
  expect(normalBase(given)).toBe(expected);
});

test("a request keeps its method, headers, bytes and signal", async () => {
  const { signal } = new AbortController();
  const request = new Request(`${base}/x`, {
    ...{ method: "POST", headers: { "api-key": "k", "content-type": "a/b" }, signal },
    body: new Uint8Array([1, 0, 255]),
  });
  expect(await toServiceRequest(request, "/x")).toEqual({
    method: "POST",
    target: "/x",
    headers: { "api-key": "k", "content-type": "a/b" },
    signal: request.signal,
    body: new Uint8Array([1, 0, 255]),
  });
  expect((await toServiceRequest(new Request(base), "/")).body).toBeUndefined();
});

test("waiting for an abort ends with its reason, also where it came before", async () => {
  const controller = new AbortController();
  const waiting = aborted(controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(aborted(controller.signal)).rejects.toThrow("enough");
  for (const none of [null, undefined]) {
    const endless = Promise.race([aborted(none), Promise.resolve("still waiting")]);
    expect(await endless).toBe("still waiting");
  }
});

describe("a response", () => {
  const response = { status: 200, headers: jsonHeaders, body: '{"a":"\u00fc"}' };
  const get = { method: "GET", signal: new AbortController().signal };
  const read = (given: ServiceResponse, { method = "GET", signal = get.signal } = {}) =>
    new Response(...toResponseParts(given, { method, signal }));

  test("has status, headers and body; to HEAD it has no body", async () => {
    const whole = read(response);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await whole.text()).toBe(response.body);
    const [body, init] = toResponseParts(response, { ...get, method: "HEAD" });
    expect(body).toBeNull();
    const { status, headers } = new Response(body, init);
    expect([status, ...headers]).toEqual([
      200,
      ["content-length", "10"],
      ["content-type", "application/json"],
    ]);
    const pieces = read({ ...response, body: ['{"a"', ":1}"] });
    expect(await pieces.json()).toEqual({ a: 1 });
  });

  test("that is cut short names its whole length, and breaks after the bytes that were sent", async () => {
    vi.useFakeTimers();
    for (const [bytes, text] of [
      [3, '{"a'],
      [0, ""],
    ] as const) {
      const cut = read({ ...response, delivery: { kind: "truncated", bytes } });
      expect(cut.headers.get("content-length")).toBe("10");
      expect(cut.headers.get("content-type")).toBe("application/json");
      const reader = (cut.body as ReadableStream<Uint8Array>).getReader();
      let received = "";
      const reading = (async () => {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return;
          received += Buffer.from(value).toString();
        }
      })();
      const broken = expect(reading).rejects.toThrow(new TypeError("terminated"));
      // Whoever reads has the time to take what was sent.
      await vi.advanceTimersByTimeAsync(5);
      expect(received).toBe(text);
      await vi.advanceTimersByTimeAsync(5);
      await broken;
    }
  });

  test("in drops comes so many bytes at a time, so far apart", async () => {
    vi.useFakeTimers();
    for (const [bytes, expected] of [
      [4, "0: 4, 1000: 4, 2000: 2"],
      [5, "0: 5, 1000: 5"],
    ] as const) {
      const dripped = read({ ...response, delivery: { kind: "drip", bytes, everyMs: 1000 } });
      expect(dripped.headers.get("content-type")).toBe("application/json");
      const arrived: string[] = [];
      const start = Date.now();
      const reading = dripped.body?.pipeTo(
        new WritableStream({
          write: (bytes) => void arrived.push(`${Date.now() - start}: ${bytes.length}`),
        }),
      );
      await vi.advanceTimersByTimeAsync(5000);
      await reading;
      expect(arrived.join(", ")).toBe(expected);
    }
  });

  test("in drops ends with its request, or when nobody reads it any more", async () => {
    vi.useFakeTimers();
    const drips = { kind: "drip", bytes: 1, everyMs: 1000 } as const;
    const controller = new AbortController();
    const { signal } = controller;
    const text = read({ ...response, delivery: drips }, { signal }).text();
    const failed = expect(text).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(1500);
    controller.abort(new Error("enough"));
    await failed;
    const left = read({ ...response, delivery: drips });
    const reader = (left.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await reader.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
