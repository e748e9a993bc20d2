// The laws of the models: what is written reads back as it was, and what is read is written back as it came.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { models, recordOf } from "../models/arbitraries.ts";
import { runs } from "../support/runs.ts";

test("all models are here", () => expect(models).toHaveLength(19));

describe.each(models)("%s", (_, model) => {
  test("reads back what it writes, through JSON, unknown fields included", () => {
    fc.assert(
      fc.property(recordOf(model), (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(z.encode(model, value)));
        expect(z.decode(model, wire as object as never)).toEqual(value);
      }),
      { numRuns: runs(100) },
    );
  });

  test("writes back what it read, and leaves its input alone", () => {
    fc.assert(
      fc.property(recordOf(model), (value) => {
        const wire = Object.freeze(z.encode(model, value));
        const copy = structuredClone(wire);
        expect(z.encode(model, z.decode(model, wire))).toEqual(copy);
        expect(wire).toEqual(copy);
      }),
      { numRuns: runs(100) },
    );
  });
});
