// The promise of a result is used as any promise, or with its response, and a rejection handled either way is handled.
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ADDRESS, clientOf, refusal, supply, thrown } from "./server.ts";

const call = (body: unknown, status = 200) =>
  clientOf(
    { url: "https://explorer.example" },
    { retry: 0, fetch: async () => Response.json(body, { status }) },
  ).tokens.totalSupply(ADDRESS);
const failing = () => call(refusal(404, "no"), 404);

test("a result is awaited, chained, and settled like that of any promise", async () => {
  const settled = vi.fn();
  expect(await call(supply("7"))).toBe(7n);
  expect(await call(supply("7")).then((amount) => [amount])).toEqual([7n]);
  expect(await call(supply("7")).catch(() => 0n)).toBe(7n);
  expect(await call(supply("7")).finally(settled)).toBe(7n);
  expect(await failing().then(null, ({ code }) => code)).toBe("NOT_FOUND");
  expect(await failing().catch(({ code }) => code)).toBe("NOT_FOUND");
  expect(await thrown(failing().finally(settled))).toMatchObject({ code: "NOT_FOUND" });
  expect(settled).toHaveBeenCalledTimes(2);
  expect(String(call(supply("7")))).toBe("[object ResultPromise]");
});

test("a rejection that is handled with its response does not count as unhandled", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  expect(await thrown(failing().withResponse())).toMatchObject({ code: "NOT_FOUND" });
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
  const { data, response } = await call(supply("7")).withResponse();
  expect([data, response.status]).toEqual([7n, 200]);
});
