// Lists that break off, by a rate limit or an abort, at any request: they continue from the
// error's cursor, and nothing is lost or repeated.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { operations } from "../../../src/contract/index.ts";
import { ExplorerError, RateLimitError } from "../../../src/errors/index.ts";
import type { Call } from "../../../src/http/call.ts";
import { paged } from "../../../src/lists/paged-request.ts";
import { runs } from "../../support/runs.ts";
import * as habits from "./habits.ts";
import { anyAccount, type ListId, ListServer, tally } from "./list-server.ts";

const limited = () =>
  new RateLimitError("Too many requests", { httpStatus: 429, status: "429" } as never);

it.each(["a rate limit", "an abort"] as const)(
  "a list that %s breaks off again and again is read exactly from its cursors",
  async (cause) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<ListId>("A2", "A5", "L1", "A10"),
        fc.constantFrom(habits.newestFirst, habits.oldestFirst),
        fc.constantFrom([], [habits.countOfPage], [habits.noCount]),
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0, 4),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 30, maxLength: 60 }),
        // Enough answers to come to new records, those of pages requested ahead included.
        fc.integer({ min: 20, max: 30 }),
        async (id, order, counts, limit, prefetch, blocks, answers) => {
          const server = new ListServer(id, [order, ...counts], blocks);
          const got: object[] = [];
          let resume: string | undefined;
          for (let done = false, attempts = 0; !done; attempts++) {
            expect(attempts).toBeLessThan(100);
            let left = answers;
            const controller = new AbortController();
            // Another process knows nothing of the server.
            const call = (async (...given: Parameters<Call>) => {
              if (left-- > 0) return server.call(...given);
              if (cause === "a rate limit") throw limited();
              controller.abort(new Error("enough"));
              return server.call(...given);
            }) as Call;
            const { signal } = controller;
            const input = { ...anyAccount(id), limit, prefetch, resume };
            try {
              for await (const page of paged(call, operations[id], input as never, {
                signal,
              }).pages()) {
                got.push(...(page.data as object[]));
                resume = page.cursor;
              }
              done = true;
            } catch (error) {
              if (error instanceof ExplorerError) {
                expect(error.code).toBe("RATE_LIMIT");
                resume = error.cursor;
              } else expect(error).toBe(signal.reason);
            }
          }
          expect(tally(got)).toEqual(tally(server.records));
        },
      ),
      { numRuns: runs(200) },
    );
  },
);
