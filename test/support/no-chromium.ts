// Takes the place of the browser tests where there is no Chromium: one skipped test.
import { test } from "vitest";

test.skip("the browser tests did not run: no Chromium on this machine (see vitest.config.ts)");
