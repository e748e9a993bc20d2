// The requests that a fetch function takes and passes on, and how it fails.
import { expect, test } from "vitest";
import {
  jsonHeaders,
  type ServiceRequest,
  type ServiceResponse,
} from "../../mocks/message/message.ts";
import { createFetch } from "../../mocks/service/fetch.ts";

const base = "https://a.test/api";
const ok: ServiceResponse = { status: 200, headers: jsonHeaders, body: "{}" };

/** A fetch function whose service gives this response, and the requests it received. */
function serving(response: ServiceResponse | Promise<ServiceResponse>) {
  const received: ServiceRequest[] = [];
  const fetch = createFetch(base, (request) => {
    received.push(request);
    return response;
  });
  return { fetch, received };
}

test("it takes a URL, a request, or both a request and what to change of it", async () => {
  const { fetch, received } = serving(ok);
  const request = new Request(`${base}/x`, { method: "POST", body: "1" });
  expect((await fetch(`${base}/x?y#z`)).status).toBe(200);
  await fetch(request.clone());
  await fetch(request.clone(), { method: "PUT", headers: { "api-key": "k" } });
  expect(
    received.map(({ method, target, headers }) => [method, target, headers["api-key"]]),
  ).toEqual([
    ["GET", "/x?y", undefined],
    ["POST", "/x", undefined],
    ["PUT", "/x", "k"],
  ]);
});

test.each([
  ["", "/"],
  ["?x=1", "?x=1"],
  ["/v1#part", "/v1"],
])("below the base, %j is the target %j", async (rest, target) => {
  const { fetch, received } = serving(ok);
  await fetch(base + rest);
  expect(received[0]?.target).toBe(target);
});

test("another address is refused by name, and a call that was aborted is not sent", async () => {
  const { fetch, received } = serving(ok);
  const signal = AbortSignal.abort(new Error("enough"));
  for (const other of ["https://b.test/x", `${base}2/v1`])
    await expect(fetch(other)).rejects.toThrow(`expected a URL below ${base}`);
  await expect(fetch(`${base}/x`, { signal })).rejects.toThrow("enough");
  expect(received).toEqual([]);
});

test("an abort ends a call whose response does not come", async () => {
  const never = { status: 0, headers: {}, body: "", delivery: { kind: "never" } } as const;
  for (const response of [new Promise<never>(() => {}), never]) {
    const controller = new AbortController();
    const { fetch } = serving(response);
    const call = fetch(`${base}/x`, { signal: controller.signal });
    const early = await Promise.race([
      call,
      new Promise((resolve) => setImmediate(resolve, "still waiting")),
    ]);
    expect(early).toBe("still waiting");
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  }
});

test("a broken connection fails as fetch does", async () => {
  const { fetch } = serving({ status: 0, headers: {}, body: "", delivery: { kind: "reset" } });
  const error = await fetch(`${base}/x`).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
});
