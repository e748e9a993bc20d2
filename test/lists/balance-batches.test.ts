// Balances in batches: any number of addresses, each asked once, answers in the order of the
// request.
import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { AnyOperation } from "../../src/contract/index.ts";
import type { Call, CallOptions } from "../../src/http/call.ts";
import {
  type BatchError,
  ExplorerClient,
  type Fetch,
  InvalidRequestError,
  isExplorerError,
  ServerError,
} from "../../src/index.ts";
import { BalanceRequest, balanceLoader } from "../../src/lists/balance-request.ts";
import type { Address } from "../../src/models/primitives.ts";
import { runs } from "../support/runs.ts";

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, "a")}`;
const many = (count: number) => Array.from({ length: count }, (_, index) => addressOf(index));
const balanceOf = (address: string) => BigInt(`0x${address.slice(-6)}`) * 10n ** 18n;

interface Entry {
  address: Address;
  balance: bigint;
}

/** A service that answers A1 in its own way. */
function service(
  answer = (entries: Entry[], _batch: number): Entry[] | Promise<Entry[]> => entries,
) {
  const seen = {
    batches: [] as string[][],
    inFlight: 0,
    most: 0,
    options: [] as CallOptions[],
    signals: [] as AbortSignal[],
  };
  const call = (async (
    _: AnyOperation,
    { addresses }: { addresses: Address[] },
    options: CallOptions = {},
  ) => {
    seen.batches.push(addresses);
    seen.options.push(options);
    if (options.signal) seen.signals.push(options.signal);
    seen.most = Math.max(seen.most, ++seen.inFlight);
    try {
      await new Promise((resolve) => setTimeout(resolve, 0));
      options.signal?.throwIfAborted();
      const entries = addresses.map((address) => ({ address, balance: balanceOf(address) }));
      const data = await answer(entries, seen.batches.length);
      return { data: { data }, response: new Response() };
    } finally {
      seen.inFlight--;
    }
  }) as unknown as Call;
  return { call, seen };
}

const expected = (addresses: readonly Address[]) =>
  addresses.map((address) => ({ address, balance: balanceOf(address.toLowerCase()) }));

/** The error of a request that came in part. */
async function failure(request: BalanceRequest): Promise<BatchError> {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  if (isExplorerError(error, "BATCH")) return error;
  throw new Error("expected a BatchError", { cause: error });
}

describe("balances of many addresses", () => {
  it("are asked 20 at a time, a few batches at a time, and answered in order", async () => {
    const { call, seen } = service();
    const addresses = many(105);
    expect(await new BalanceRequest(call, addresses)).toEqual(expected(addresses));
    expect(seen.batches.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 5]);
    expect(seen.most).toBe(4);
  });

  it("come in the caller's order and spelling, duplicates included, each asked once, however the server answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 150 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom("list", "iterable", "async iterable"),
        fc.boolean(),
        async (picks, concurrency, form, streamed) => {
          const addresses = picks.map(([index, upper]): Address => {
            const address = addressOf(index);
            return upper ? `0x${address.slice(2).toUpperCase()}` : address;
          });
          const { call, seen } = service((entries) => [
            { address: addressOf(999), balance: 1n },
            ...entries.toReversed().map(({ address, balance }) => ({
              address: `0x${address.slice(2).toUpperCase()}` as Address,
              balance,
            })),
          ]);
          const sources = {
            list: () => addresses,
            iterable: () =>
              new Set(addresses).size === addresses.length
                ? new Set(addresses)
                : addresses.values(),
            "async iterable": async function* () {
              yield* addresses;
            },
          } as const;
          const source = sources[form as keyof typeof sources]();
          const request = new BalanceRequest(call, source, { concurrency });
          const got = streamed ? await Array.fromAsync(request) : await request;
          expect(got).toEqual(expected(addresses));
          const asked = seen.batches.flat();
          expect(new Set(asked).size).toBe(asked.length);
          expect(new Set(asked)).toEqual(
            new Set(addresses.map((address) => address.toLowerCase())),
          );
          expect(Math.max(0, ...seen.batches.map(({ length }) => length))).toBeLessThanOrEqual(20);
          expect(seen.most).toBeLessThanOrEqual(concurrency);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("are streamed while more addresses are still to come, and read no further ahead than needed", async () => {
    const { call } = service();
    let read = 0;
    async function* endless() {
      for (;;) yield addressOf(read++);
    }
    const got: Entry[] = [];
    for await (const entry of new BalanceRequest(call, endless(), { concurrency: 2 })) {
      got.push(entry);
      if (got.length === 100) break;
    }
    expect(got).toEqual(expected(many(100)));
    expect(read).toBeLessThanOrEqual(160);
  });

  it("tell what came and what did not when a batch fails", async () => {
    const down = new ServerError("The service failed", { httpStatus: 500, operation: "A1" });
    const { call } = service((entries, batch) => {
      if (batch === 3) throw down;
      return entries;
    });
    const addresses = many(120);
    const error = await failure(new BalanceRequest(call, addresses, { concurrency: 1 }));
    expect(error.failed).toEqual(addresses.slice(40, 60));
    expect(error.succeeded).toEqual(expected([...addresses.slice(0, 40), ...addresses.slice(60)]));
    expect(error.cause).toBe(down);
    expect(error.message).toContain("Failed to fetch 20 of 120 balances: The service failed");
    const { call: working } = service();
    const rest = await new BalanceRequest(working, error.failed);
    expect([...error.succeeded, ...rest]).toHaveLength(120);
  });

  it("do not fail for one address the service refuses", async () => {
    const bad = addressOf(7);
    const { call } = service((entries) => {
      if (entries.some(({ address }) => address === bad))
        throw new InvalidRequestError("Refused", { httpStatus: 400, operation: "A1" });
      return entries;
    });
    const error = await failure(new BalanceRequest(call, many(30)));
    expect(error.failed).toEqual([bad]);
    expect(error.succeeded).toHaveLength(29);
  });

  it("name an address the service left out", async () => {
    const { call } = service((entries) => entries.slice(1));
    const error = await failure(new BalanceRequest(call, many(5)));
    expect(error.failed).toEqual([addressOf(0)]);
    expect(error.message).toContain(`The response has no balance for ${addressOf(0)}`);
    expect(error.cause).toMatchObject({ operation: "A1", httpStatus: 200 });
  });

  it("are refused before anything is sent if one is no address", async () => {
    const { call, seen } = service();
    const addresses = [...many(30), "0x12" as Address];
    await expect(new BalanceRequest(call, addresses)).rejects.toThrow(
      /addresses\.30: expected .*"0x12"/,
    );
    await expect(new BalanceRequest(call, new Set(addresses.slice(-1)))).rejects.toMatchObject({
      issues: [{ path: ["addresses", 0] }],
      operation: "A1",
    });
    expect(seen.batches).toEqual([]);
  });

  it.each([undefined, 5, {}, addressOf(1)])("are refused if %o is no list", async (source) => {
    const { call } = service();
    await expect(new BalanceRequest(call, source as never)).rejects.toMatchObject({
      code: "PARAMETER",
      issues: [{ path: ["addresses"], expected: "a list of addresses", received: source }],
      operation: "A1",
    });
  });

  it.each([{ concurrency: 0 }, { concurrency: Number.NaN }, { signal: 5 as never }])(
    "are refused with %o",
    async (options) => {
      const { call, seen } = service();
      await expect(new BalanceRequest(call, many(2), options)).rejects.toMatchObject({
        code: "PARAMETER",
        issues: [{ path: Object.keys(options) }],
      });
      expect(seen.batches).toEqual([]);
    },
  );

  it("are all there if their source pauses", async () => {
    const { call, seen } = service();
    async function* source() {
      yield* many(20);
      while (!seen.batches.length || seen.inFlight)
        await new Promise((resolve) => setTimeout(resolve, 1));
      yield* many(25).slice(20);
    }
    expect(await new BalanceRequest(call, source())).toEqual(expected(many(25)));
  });

  it("come with the responses to all batches, and wait for the rate limit however long", async () => {
    const { call, seen } = service();
    const request = new BalanceRequest(call, many(45));
    const { response, responses } = await request.withResponse();
    expect(responses).toHaveLength(3);
    expect(responses.every((one) => one instanceof Response)).toBe(true);
    expect(response).toBe(responses[2]);
    expect(seen.options.every(({ isPatient }) => isPatient)).toBe(true);
    expect(String(request)).toBe("[object BalanceRequest]");
  });

  it("end with the signal's reason, and abort what is in flight when the loop is left", async () => {
    const { call, seen } = service();
    const { signal } = new AbortController();
    for await (const _ of new BalanceRequest(call, many(200), { signal })) break;
    expect(seen.signals).toHaveLength(seen.batches.length);
    expect(seen.signals.every(({ aborted }) => aborted)).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const reason = new Error("enough");
    await expect(
      new BalanceRequest(call, many(200), { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });

  it("need no request where there is nothing to ask", async () => {
    const { call, seen } = service();
    const { data, response, responses } = await new BalanceRequest(call, []).withResponse();
    expect({ data, response, responses }).toEqual({ data: [], response: undefined, responses: [] });
    expect(seen.batches).toEqual([]);
  });
});

describe("single balances", () => {
  it("of one tick share batches of 20, each address asked once", async () => {
    const { call, seen } = service();
    const balance = balanceLoader(call);
    const addresses = [
      ...many(45),
      addressOf(3),
      `0x${addressOf(4).slice(2).toUpperCase()}` as Address,
    ];
    const got = await Promise.all(addresses.map((address) => balance(address)));
    expect(got.map(({ data }) => data)).toEqual(expected(addresses).map((entry) => entry.balance));
    expect(seen.batches.map(({ length }) => length)).toEqual([20, 20, 5]);
    await balance(addressOf(0));
    expect(seen.batches).toHaveLength(4);
    await Promise.all(many(20).map((address) => balance(address)));
    expect(seen.batches).toHaveLength(5);
  });

  it("with options of their own have a request of their own, which has them", async () => {
    const down = new ServerError("The service failed", { httpStatus: 500, operation: "A1" });
    const { call, seen } = service((entries, batch) => {
      if (batch > 2) throw down;
      return entries;
    });
    const balance = balanceLoader(call);
    const [one, two] = await Promise.all([
      balance(addressOf(0), { timeout: undefined }),
      balance(addressOf(1)),
      balance(addressOf(2), { timeout: 5 }),
    ]);
    expect([one.data, two.data]).toEqual(many(2).map(balanceOf));
    expect(seen.batches.toSorted((one, other) => one.length - other.length)).toEqual([
      [addressOf(2)],
      many(2),
    ]);
    expect(seen.options.filter(({ timeout }) => timeout === 5)).toHaveLength(1);
    await expect(balance(addressOf(2), { timeout: 5 })).rejects.toBe(down);
    const refused = balance(addressOf(2), { signal: 5 as never });
    await expect(refused).rejects.toMatchObject({ code: "PARAMETER" });
  });

  it("that one call leaves are still there for the others", async () => {
    const controller = new AbortController();
    const { call, seen } = service((entries) => {
      controller.abort();
      expect(seen.signals.at(-1)?.aborted).toBe(false);
      return entries;
    });
    const balance = balanceLoader(call);
    const [first, second] = await Promise.allSettled([
      balance(addressOf(0), { signal: controller.signal }),
      balance(addressOf(1)),
    ]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
  });

  it("that all calls have left before the end of the tick are aborted, and leave no listener behind", async () => {
    const { call, seen } = service();
    const balance = balanceLoader(call);
    await balance(addressOf(0));
    const controller = new AbortController();
    const { signal } = controller;
    const left = balance(addressOf(1), { signal }).catch(() => "left");
    // What waits for the end of the tick waits longer.
    for (let turn = 0; turn < 5; turn++) await null;
    controller.abort();
    expect(await left).toBe("left");
    await expect.poll(() => seen.signals.at(-1)?.aborted).toBe(true);
    await expect.poll(() => getEventListeners(signal, "abort")).toEqual([]);
  });

  it("do not suffer from what another call did wrong", async () => {
    const bad = addressOf(1);
    const { call } = service((entries) => {
      if (entries.some(({ address }) => address === bad))
        throw new InvalidRequestError("Refused", { httpStatus: 400, operation: "A1" });
      return entries.slice(0, 3);
    });
    const balance = balanceLoader(call);
    const asked = [...many(3), "0xzz" as Address].map((address) => balance(address));
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
    ]);
  });
});

describe("a response with invalid entries", () => {
  /** What may stand where a balance should. */
  const junk = fc.constantFrom<unknown>(null, undefined, "abc", "", -1, 1.5, {}, [], "0x10");
  const entry = (address: Address, balance: unknown) =>
    balance === undefined ? { address } : { address, balance };

  it("costs the addresses without a balance, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.nat().map(String), junk), { minLength: 1, maxLength: 45 }),
        fc.array(fc.constantFrom<unknown>(null, 0, "x", [], {}), { maxLength: 3 }),
        fc.boolean(),
        async (balances, noise, single) => {
          const addresses = many(balances.length);
          const fetch: Fetch = async (_, { body = "" }) => {
            const asked: { addresses: Address[] } = JSON.parse(body);
            const data = [
              ...noise,
              ...asked.addresses.map((one) => entry(one, balances[addresses.indexOf(one)])),
            ];
            return Response.json({ status: "200", message: "success", results: { data } });
          };
          const client = new ExplorerClient({
            baseUrl: "https://explorer.test",
            apiKey: "k",
            fetch,
          });
          const isAmount = (balance: unknown) => /^\d+$/.test(String(balance));
          const valid = addresses.filter((_, index) => isAmount(balances[index]));
          const expected = valid.map((address) => ({
            address,
            balance: BigInt(String(balances[addresses.indexOf(address)])),
          }));
          if (single) {
            const settled = await Promise.allSettled(
              addresses.map(async (address) => ({
                address,
                balance: await client.accounts.balance(address),
              })),
            );
            const failed = settled.filter((one) => one.status === "rejected");
            expect(
              settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
            ).toEqual(expected);
            for (const { reason } of failed)
              expect(isExplorerError(reason, "RESPONSE_VALIDATION")).toBe(true);
          } else {
            const request = client.accounts.balances(addresses);
            if (valid.length === addresses.length) expect(await request).toEqual(expected);
            else {
              const error = await failure(request);
              expect(error.succeeded).toEqual(expected);
              expect([...error.failed]).toEqual(addresses.filter((one) => !valid.includes(one)));
            }
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("keeps a field as received with lenient validation, but no null", async () => {
    const paths: string[] = [];
    const client = new ExplorerClient({
      baseUrl: "https://explorer.test",
      apiKey: "k",
      validation: "lenient",
      hooks: { onValidationIssue: ({ path }) => paths.push(path) },
      fetch: async () =>
        Response.json({
          status: "200",
          message: "success",
          results: { data: [entry(addressOf(0), "0x10"), entry(addressOf(1), null)] },
        }),
    });
    const error = await failure(client.accounts.balances(many(2)));
    expect(error.succeeded).toEqual([{ address: addressOf(0), balance: "0x10" }]);
    expect(error.failed).toEqual([addressOf(1)]);
    expect(paths).toEqual(["results.data.0.balance", "results.data.1.balance"]);
    expect(await client.accounts.balance(addressOf(0))).toBe("0x10");
  });
});

it("is requested under fake timers, which run nothing by themselves", async () => {
  const { call, seen } = service();
  const load = balanceLoader(call);
  for (const name of ["setImmediate", "queueMicrotask", "MessageChannel"])
    vi.stubGlobal(name, () => {});
  vi.stubGlobal("process", { nextTick: () => {} });
  const got = await Promise.all(many(2).map((address) => load(address)));
  expect(got.map(({ data }) => data)).toEqual(many(2).map(balanceOf));
  expect(seen.batches).toHaveLength(1);
});
