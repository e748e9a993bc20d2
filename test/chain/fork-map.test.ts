// More keys than a Map holds (2^24), in layers: the limit of a layer is lowered here.
import { expect, test } from "vitest";
import { ForkMap } from "../../mocks/chain/fork-map.ts";

test("a map is the same in several layers, one after each is full", () => {
  const [one, several] = [new ForkMap<number, number>(), new ForkMap<number, number>([], 10)];
  for (const map of [one, several]) {
    for (let key = 0; key < 100; key++) map.set(key, key);
    for (let key = 0; key < 100; key += 3) map.set(key, -key);
    for (let key = 0; key < 100; key += 7) map.delete(key);
  }
  const sorted = (map: ForkMap<number, number>) =>
    [...map.entries()].sort(([left], [right]) => left - right);
  expect(sorted(several)).toEqual(sorted(one));
  for (let key = 0; key < 101; key++) expect(several.get(key)).toBe(one.get(key));
  expect(sorted(several.fork())).toEqual(sorted(one));
});
