// The newest block and the last block at a time, with the number of requests that they take.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildChain, createExplorer } from "../../mocks/index.ts";
import { NotFoundError } from "../../src/errors/index.ts";
import type { Call } from "../../src/http/call.ts";
import { ExplorerClient } from "../../src/index.ts";
import { Blocks } from "../../src/resources/blocks.ts";
import { runs } from "../support/runs.ts";

/** An explorer of blocks at these times in seconds; undefined where it lacks one. */
function explorerOf(count: number, timeOf: (block: number) => number | undefined) {
  const chain = { count, requests: 0 };
  const call = (async (_: unknown, { block_number: number }: { block_number: number }) => {
    chain.requests++;
    const time = number < chain.count ? timeOf(number) : undefined;
    if (time === undefined)
      throw new NotFoundError("Not found", { httpStatus: 404, status: "404" } as never);
    const data = { data: { block_number: BigInt(number), timestamp: new Date(time * 1000) } };
    return { data, response: new Response() };
  }) as unknown as Call;
  const blocks = new Blocks(call);
  const numberAt = async (seconds: number) =>
    Number((await blocks.at(new Date(seconds * 1000))).block_number);
  return { chain, blocks, numberAt };
}

const thrown = (promise: PromiseLike<unknown>) =>
  promise.then(undefined, (error: unknown) => error);

describe("the newest block", () => {
  it("is found by doubling and halving, and then from the block found before", async () => {
    const { blocks, chain } = explorerOf(120_000_000, (block) => block);
    const latest = async () => {
      chain.requests = 0;
      return [Number((await blocks.latest()).block_number), chain.requests];
    };
    const [number, requests] = await latest();
    expect(number).toBe(119_999_999);
    expect(requests).toBeLessThanOrEqual(2 * 27 + 4);
    expect(await latest()).toEqual([119_999_999, 3]);
    chain.count += 1;
    expect(await latest()).toEqual([120_000_000, 3]);
    chain.count += 2;
    expect(await latest()).toEqual([120_000_002, 3]);
  });

  it("is found behind blocks that are missing", async () => {
    const missing = new Set([63, 64, 65, 66, 511, 700, 1000, 1003]);
    const { blocks, chain } = explorerOf(1000, (block) => (missing.has(block) ? undefined : block));
    const latest = async () => Number((await blocks.latest()).block_number);
    expect(await latest()).toBe(999);
    chain.count = 1002;
    expect(await latest()).toBe(1001);
    chain.count = 1005;
    expect(await latest()).toBe(1004);
  });

  it("is found again where the chain has become shorter, and older blocks are other ones", async () => {
    const times = { step: 10 };
    const { blocks, chain, numberAt } = explorerOf(5000, (block) => times.step * block);
    expect(await numberAt(30_005)).toBe(3000);
    expect((await blocks.latest()).block_number).toBe(4999n);
    Object.assign(chain, { count: 4000 });
    expect((await blocks.latest()).block_number).toBe(3999n);
    Object.assign(chain, { count: 2000 });
    times.step = 7;
    expect((await blocks.latest()).timestamp).toEqual(new Date(1999 * 7000));
    expect(await numberAt(7005)).toBe(1000);
  });

  it("is block 1 where an explorer has no block 0 and no other, and missing where it has none", async () => {
    const { blocks } = explorerOf(2, (block) => (block ? 5 : undefined));
    expect((await blocks.latest()).block_number).toBe(1n);
    const empty = explorerOf(0, () => 0);
    expect(await thrown(empty.blocks.latest())).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("neither block 0 nor block 1"),
    });
  });
});

describe("the last block at a time", () => {
  it("takes at most 6 requests on a chain with even times, once the newest is known", async () => {
    const { blocks, chain, numberAt } = explorerOf(
      120_000_000,
      (block) => 1_500_000_000 + 2 * block,
    );
    await blocks.latest();
    for (const block of [1, 77, 12_345_678, 60_000_000, 119_999_990]) {
      chain.requests = 0;
      expect(await numberAt(1_500_000_000 + 2 * block + 1)).toBe(block);
      expect(chain.requests).toBeLessThanOrEqual(6);
    }
    chain.requests = 0;
    expect(await numberAt(1_500_000_000 + 2 * 12_345_678)).toBe(12_345_678);
    expect(chain.requests, "the blocks are known").toBe(0);
  });

  it("is right for any times, in at most 2·log2(n) + 6 requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(1e7)), {
          minLength: 2,
          maxLength: 300,
        }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        async (steps, share) => {
          const times = steps.map(
            (
              (time) => (step) =>
                (time += step)
            )(0),
          );
          const [first = 0, last = 0] = [times[0], times.at(-1)];
          const { blocks, chain, numberAt } = explorerOf(times.length, (block) => times[block]);
          await blocks.latest();
          chain.requests = 0;
          const moment = Math.floor(first + (last - first) * share);
          expect(await numberAt(moment)).toBe(times.findLastIndex((time) => time <= moment));
          expect(chain.requests).toBeLessThanOrEqual(2 * Math.log2(times.length) + 6);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("looks beside a block that is missing", async () => {
    const { numberAt } = explorerOf(1000, (block) => (block % 10 === 6 ? undefined : 10 * block));
    for (const block of [3, 44, 501, 988]) expect(await numberAt(10 * block + 9)).toBe(block);
    expect(await numberAt(10 * 556 + 9)).toBe(555);
  });

  it("looks beyond a hundred blocks that are missing", async () => {
    const isMissing = (block: number) => block >= 450 && block < 550;
    const { numberAt } = explorerOf(1000, (block) => (isMissing(block) ? undefined : 10 * block));
    for (const block of [449, 550, 551, 777]) expect(await numberAt(10 * block + 5)).toBe(block);
    expect(await numberAt(5005)).toBe(449);
  });

  it("is the last of several with the same time, and the newest for a later time", async () => {
    const { chain, numberAt } = explorerOf(100, (block) => 100 * Math.floor(block / 10));
    expect(await numberAt(300)).toBe(39);
    expect(await numberAt(399)).toBe(39);
    expect(await numberAt(1_000_000)).toBe(99);
    chain.count = 120;
    expect(await numberAt(1_000_000), "the chain has grown").toBe(119);
  });

  it("is not one that a reorganisation has replaced", async () => {
    const times = new Map<number, number>();
    const { numberAt } = explorerOf(1000, (block) => times.get(block) ?? 10 * block);
    expect(await numberAt(9955)).toBe(995);
    for (let block = 990; block < 1000; block++) times.set(block, 10 * block + 9);
    expect(await numberAt(9955)).toBe(994);
    expect(await numberAt(9_999_999)).toBe(999);
  });

  it("is refused before the first block, and for what is no time", async () => {
    const { blocks } = explorerOf(10, (block) => 1000 + block);
    expect(await thrown(blocks.at(new Date(999_000)))).toMatchObject({
      code: "PARAMETER",
      issues: [
        {
          path: ["time"],
          expected: "a time at or after that of the first block, 1970-01-01T00:16:40.000Z",
        },
      ],
    });
    for (const time of ["soon", 5, undefined])
      expect(await thrown(blocks.at(time as never))).toMatchObject({
        code: "PARAMETER",
        issues: [{ path: ["time"], received: time }],
      });
  });

  it("comes with its response, from an explorer that mines", async () => {
    const builder = buildChain();
    builder.mine(30);
    const mock = createExplorer({ chain: builder });
    const client = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
    const { timestamp } = await client.blocks.get(20n);
    const { data, response } = await client.blocks.at(timestamp.toISOString()).withResponse();
    expect(data.block_number).toBe(20n);
    expect(await response.json()).toMatchObject({ status: "200" });
    expect((await client.blocks.latest()).block_number).toBe(30n);
    expect(await thrown(client.blocks.latest({ timeout: -1 }))).toMatchObject({
      code: "PARAMETER",
    });
  });
});
