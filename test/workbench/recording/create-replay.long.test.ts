// The law of recordings at length.
import { test } from "vitest";
import { limit, runs } from "../../support/runs.ts";
import { expectSameBytes } from "./recorded.ts";

test("10,000 drawn requests are replayed byte for byte as they were answered", {
  timeout: limit(1_200_000),
}, async () => {
  await expectSameBytes(runs(10_000));
});
