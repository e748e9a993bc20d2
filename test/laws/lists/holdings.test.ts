// Lists of what is held now change anywhere: whatever stays in them while they are read comes
// exactly once.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { operations } from "../../../src/contract/index.ts";
import type { Call } from "../../../src/http/call.ts";
import { isExplorerError } from "../../../src/index.ts";
import { paged } from "../../../src/lists/paged-request.ts";
import { runs } from "../../support/runs.ts";

const contract_address = "0x0000000000000000000000000000000000000001";

it("an inventory yields every token that stays exactly once while others are minted and burnt", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 60 }),
      fc.array(
        fc.record({
          mint: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 6 }),
          burn: fc.array(fc.nat(300), { maxLength: 6 }),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      fc.record({ limit: fc.integer({ min: 1, max: 20 }), prefetch: fc.constantFrom(0, 3) }),
      fc.oneof(fc.constant(1000), fc.integer({ min: 2, max: 9 })),
      async (ids, changes, options, cap) => {
        let held = new Set(ids);
        const staying = new Set(ids);
        let answered = 0;
        const call = (async (_: unknown, input: { limit?: number; offset?: number }) => {
          const { limit = 50, offset = 0 } = input;
          await null;
          const change = answered++ === 0 ? undefined : changes[answered - 2];
          for (const id of change?.burn ?? []) {
            held.delete(id);
            staying.delete(id);
          }
          held = new Set([...held, ...(change?.mint ?? [])]);
          const data = [...held]
            .sort((one, other) => one - other)
            .slice(offset, offset + Math.min(limit, cap))
            .map((id) => ({ contract_address, token_id: BigInt(id) }));
          return { data: { count: held.size, data }, response: new Response() };
        }) as unknown as Call;
        const got = await paged(call, operations.A9, { contract_address, ...options }).collect();
        const seen = got.map(({ token_id }) => Number(token_id));
        for (const id of staying)
          expect(
            seen.filter((one) => one === id),
            `token ${id}`,
          ).toEqual([id]);
      },
    ),
    {
      numRuns: runs(500),
      // The last request met a list that had moved by one.
      examples: [[[0, 1, 2, 3, 4], [{ mint: [], burn: [0] }], { limit: 5, prefetch: 0 }, 4]],
    },
  );
});

it("the cursors of both token lists stay within 4 kB, whatever is bought and sold", async () => {
  const address_hash = "0x0000000000000000000000000000000000000001";
  const anyTokens = fc.record({ from: fc.nat(3000), count: fc.integer({ min: 0, max: 400 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyTokens, anyTokens), { minLength: 1, maxLength: 8 }),
      fc.record({ limit: fc.integer({ min: 1, max: 300 }), prefetch: fc.constantFrom(0, 3) }),
      async (moments, options) => {
        let answered = 0;
        const call = (async (_: unknown, input: { limit?: number; offset?: number }) => {
          const { limit = 50, offset = 0 } = input;
          await null;
          const held = moments[Math.min(answered++, moments.length - 1)] ?? [];
          const [mrc_20, mrc_721] = held.map(({ count, from }) => ({
            count,
            results: Array.from({ length: count }, (_, index) => ({
              token_address: from + index,
            })).slice(offset, offset + limit),
          }));
          return { data: { mrc_20, mrc_721 }, response: new Response() };
        }) as unknown as Call;
        const pages = paged(call, operations.A6, { address_hash, ...options }).pages();
        try {
          for await (const { cursor } of pages) expect(cursor.length).toBeLessThanOrEqual(4096);
        } catch (error) {
          // A list that is replaced with each answer cannot be read to its end.
          if (!isExplorerError(error, "LIST")) throw error;
          expect(String(error.cursor).length).toBeLessThanOrEqual(4096);
        }
      },
    ),
    { numRuns: runs(500) },
  );
});
