// The times of --since, --until and `blocks at`, in the time zone of --tz.
import { expect, test } from "vitest";
import { timeOption } from "../../src/cli/parameters.ts";

test.each([
  ["2026-07-01", "America/New_York", "2026-07-01T04:00:00.000Z"],
  ["2026-01-01 12:30", "Asia/Kolkata", "2026-01-01T07:00:00.000Z"],
  // The clocks of Berlin go forward at 02:00, and back at 03:00.
  ["2026-03-29T01:30", "Europe/Berlin", "2026-03-29T00:30:00.000Z"],
  ["2026-03-29T03:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-10-25T04:00", "Europe/Berlin", "2026-10-25T03:00:00.000Z"],
  ["2026-07-01T00:00:00+02:00", "America/New_York", "2026-06-30T22:00:00.000Z"],
  ["2026-07-01T00:00:00Z", "America/New_York", "2026-07-01T00:00:00.000Z"],
  ["2026-07-01", undefined, "2026-07-01T00:00:00.000Z"],
])("%s in %s is %s", (text, timeZone, expected) => {
  expect(timeOption(text)(timeZone).toISOString()).toBe(expected);
});
