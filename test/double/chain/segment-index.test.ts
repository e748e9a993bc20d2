// The packed index: the same as an array of ids per key, however the lists grow together.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PairIds } from "../../../mocks/double/chain/interned.ts";
import { LogMatches } from "../../../mocks/double/chain/segment-index.ts";
import { runs } from "../../support/runs.ts";

test("each pair of numbers has a number of its own", () => {
  const word = fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 200 }), (pairs) => {
      const ids = new PairIds();
      const expected = new Map<string, number>();
      for (const [left, right] of pairs) {
        const known = expected.get(`${left} ${right}`);
        expect(ids.find(left, right)).toBe(known ?? -1);
        expect(ids.intern(left, right)).toBe(known ?? expected.size);
        expected.set(`${left} ${right}`, known ?? expected.size);
      }
      for (const [left, right] of pairs)
        expect(ids.find(left, right)).toBe(expected.get(`${left} ${right}`));
    }),
    { numRuns: runs(200) },
  );
});

describe("the matches that are kept", () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

  test("are extended when the segment has grown, not found again", () => {
    const matches = new LogMatches();
    const starts: number[] = [];
    const find = (end: number) => (start: number) => {
      starts.push(start);
      return upTo(end).slice(start);
    };
    expect(matches.of("a", 3, find(3))).toEqual([0, 1, 2]);
    expect(matches.of("a", 3, find(3))).toEqual([0, 1, 2]);
    expect(matches.of("a", 5, find(5))).toEqual([0, 1, 2, 3, 4]);
    expect(starts).toEqual([0, 3]);
  });

  test("stay below their limit: the ones not asked for longest go first", () => {
    const matches = new LogMatches(500);
    const found: string[] = [];
    const ask = (filter: string, count: number) =>
      matches.of(filter, 100, () => {
        found.push(filter);
        return upTo(count);
      });
    for (const filter of ["a", "b", "c"]) ask(filter, 100);
    ask("a", 100);
    ask("d", 100);
    for (const filter of ["a", "c", "d", "b"]) ask(filter, 100);
    expect(found).toEqual(["a", "b", "c", "d", "b"]);
    ask("all", 1000);
    expect(matches.size).toBeLessThanOrEqual(500);
    for (let filter = 0; filter < 1000; filter++) ask(`none ${filter}`, 0);
    expect(matches.size).toBeLessThanOrEqual(500);
  });
});
