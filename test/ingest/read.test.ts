// Values of a node: bytes of any case, and the forms of numbers.
import { expect, test } from "vitest";
import { address } from "../../mocks/ingest/read.ts";
import { check } from "../../src/models/issues.ts";

test("bytes of any case are read in lower case", () => {
  const lower = `0x${"ab".repeat(20)}`;
  for (const given of [lower, `0x${"AB".repeat(20)}`, `0x${"aB".repeat(20)}`])
    expect(check(address, given).value).toBe(lower);
  for (const given of [`0x${"ag".repeat(20)}`, `${lower}00`, `${lower}0`, lower.slice(2)])
    expect(check(address, given).issues).toHaveLength(1);
});
