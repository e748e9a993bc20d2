// The packed index: the same as an array of ids per key, however the lists grow together.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PairIds } from "../../../mocks/double/chain/interned.ts";
import { LogMatches, Postings } from "../../../mocks/double/chain/segment-index.ts";
import { randomNumbers } from "../../../mocks/double/service/random.ts";
import { runs } from "../../support/runs.ts";

test("gives the ids of each key as they were added, at any position", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), fc.nat(3000), (seed, keys, adds) => {
      const postings = new Postings();
      const expected = new Map<number, number[]>();
      const below = (draw: number, end: number) => Math.floor(randomNumbers(seed, draw) * end);
      let id = 0;
      for (let at = 0; at < adds; at++) {
        // Low keys come more often, and some records have a key twice.
        const key = below(3 * at, 1 + below(3 * at + 1, keys));
        id += below(3 * at + 2, 3);
        postings.add(key, id);
        const ids = expected.get(key) ?? [];
        if (ids.at(-1) !== id) ids.push(id);
        expected.set(key, ids);
      }
      expect(postings.size).toBe(expected.size);
      expect([...postings.keys()].sort()).toEqual([...expected.keys()].sort());
      for (let key = -1; key <= keys; key++) {
        const list = postings.of(key);
        const ids = expected.get(key) ?? [];
        expect(list.length).toBe(ids.length);
        expect(Array.from(list.slice(0, ids.length))).toEqual(ids);
        expect(ids.map((_, position) => list.at(position))).toEqual(ids);
        for (let draw = 0; draw < 20; draw++) {
          const start = below(draw, ids.length + 2);
          const end = below(draw + 50, ids.length + 2);
          expect(Array.from(list.slice(start, end))).toEqual(ids.slice(start, end));
          const bound = below(draw + 100, id + 2);
          expect(list.countBelow(bound)).toBe(ids.filter((one) => one < bound).length);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test("a list that was given out grows with the index", () => {
  const postings = new Postings();
  const list = postings.of(7);
  expect(list.length).toBe(0);
  for (let id = 0; id < 100; id++) postings.add(7, id);
  expect(list.length).toBe(100);
  expect(list.at(99)).toBe(99);
});

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
