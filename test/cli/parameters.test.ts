// The times of --since, --until and `blocks at`, in the time zone of --tz; JSON files of options.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { momentOption, readJson, timeOption } from "../../src/cli/parameters.ts";
import { temporaryFolder } from "../support/project.ts";

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

test.each([
  ["812", 812],
  ["3h", "2026-03-29T09:34:56.000Z"],
  ["5d", "2026-03-24T12:34:56.000Z"],
  ["2w", "2026-03-15T12:34:56.000Z"],
])("the moment %s is %s", (text, expected) => {
  vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 2, 29, 12, 34, 56));
  const moment = momentOption(text);
  const time = typeof moment === "number" ? moment : moment(undefined).toISOString();
  expect(time).toBe(expected);
});

test.each(["2m", "w", "1.5d", "2026-02-30", "yesterday"])("%s is no moment", (text) => {
  expect(() => momentOption(text)).toThrow(`received "${text}"`);
});

test("a JSON file may begin with a byte order mark", () => {
  const file = join(temporaryFolder("json", onTestFinished), "abi.json");
  writeFileSync(file, '\ufeff{"abi":[]}');
  expect(readJson(file)).toEqual({ abi: [] });
  writeFileSync(file, "abi");
  expect(() => readJson(file, "; see --help")).toThrow(`${file} is not JSON; see --help`);
});
