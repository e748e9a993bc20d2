// The sizes of lists in models.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { list } from "../../src/models/model.ts";

test.each([
  { min: 0, max: 2, accepted: [[], [1, 2]], refused: [[1, 2, 3]] },
  { min: 1, max: 2, accepted: [[1], [1, 2]], refused: [[], [1, 2, 3]] },
])("a list of $min to $max values has neither fewer nor more", ({ min, max, ...given }) => {
  const schema = list(z.number(), min, max);
  const fits = (values: readonly number[]) => z.safeParse(schema, values).success;
  expect(given.accepted.filter((values) => !fits(values))).toEqual([]);
  expect(given.refused.filter(fits)).toEqual([]);
});
