// The law of recordings at length.
import { test } from "vitest";
import { runs } from "../support/runs.ts";
import { expectSameBytes } from "./recorded.ts";

test("10,000 drawn requests are replayed byte for byte as they were answered", async () => {
  await expectSameBytes(runs(10_000));
});
