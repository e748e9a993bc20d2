// What the browser project runs where there is no Chromium: a skipped test that says so.
import { test } from "vitest";

test.skip("the browser tests did not run: no Chromium on this machine (see vitest.config.ts)");
