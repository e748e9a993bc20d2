// A fetch request as the service takes it, and its response as fetch gives it, also where it is cut short or comes in drops.
import { afterEach, expect, test, vi } from "vitest";
import {
  aborted,
  normalBase,
  targetBelow,
  toServiceRequest,
} from "../../../mocks/double/service/fetch-messages.ts";

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
