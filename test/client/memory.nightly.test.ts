// A body below `maxResponseBytes` costs bounded memory and time, whatever is in it: each in a process whose heap is ten times the body.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const MiB = 2 ** 20;
const SIZE = 31 * MiB;
const fixture = fileURLToPath(new URL("memory.fixture.ts", import.meta.url));

/** What the client makes of a body of `item`s between `prefix` and `suffix`. */
async function outcomeOf(
  id: string,
  [prefix, item, suffix]: readonly [string, string, string],
  validation: "strict" | "lenient" = "strict",
) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      `--max-old-space-size=${(10 * SIZE) / MiB}`,
      fixture,
      id,
      prefix,
      item,
      suffix,
      `${SIZE}`,
      validation,
    ],
    { timeout: 600_000 },
  );
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

const inEnvelope = (prefix: string, item: string, suffix: string) =>
  [
    `{"status":"200","message":"success","results":${prefix}`,
    item,
    `${suffix}}`,
  ] as const satisfies readonly string[];

const frame = '{"timestamp":"2024-01-01T00:00:00Z","value":"1","trace_address":[';

describe("31 MiB of invalid values are 20 issues and a count", () => {
  test.each([
    ["records", "A2", inEnvelope('{"data":[', "0,", "0]}"), "strict"],
    ["records, leniently", "A2", inEnvelope('{"data":[', "0,", "0]}"), "lenient"],
    ["tokens without an envelope", "A6", ['{"mrc_20":{"results":[', "0,", "0]}}"], "strict"],
    ["an inventory", "T3", inEnvelope('{"data":[', '"",', "0]}"), "strict"],
    ["an ABI as text", "C1", inEnvelope('{"data":"[', "0,", '0]"}'), "strict"],
    ["a list in a record", "A3", inEnvelope(`{"data":[${frame}`, "-1,", "0]}]}"), "strict"],
    [
      "a list in a record, leniently",
      "X3",
      inEnvelope(`{"data":[${frame}`, "-1,", "0]}]}"),
      "lenient",
    ],
  ] as const)("%s", async (_, id, parts, validation) => {
    const { issues, issueCount, length, events, message } = await outcomeOf(id, parts, validation);
    const kept = id === "X3";
    expect(message).toEqual(
      kept ? undefined : `Invalid response: ${issueCount} fields are not in the documented form`,
    );
    expect(issues).toBe(kept ? undefined : 20);
    if (!kept) expect(issueCount).toBeGreaterThan(SIZE / 4);
    if (!kept) expect(length).toBeLessThan(10_000);
    expect(events).toBe(kept ? 20 : 0);
  });

  test.each([
    ["objects", "A2", inEnvelope('{"data":[', "{},", "0]}")],
    ["lists", "L1", inEnvelope('{"data":[', "[],", "0]}")],
    ["nested lists", "A9", inEnvelope('{"data":[', "[[[]]],", "0]}")],
    ["fields", "A10", inEnvelope('{"data":[{', '"a":0,', '"b":0}]}')],
  ] as const)(
    "more %s than records have are refused before they are parsed",
    async (_, id, parts) => {
      const { message } = await outcomeOf(id, parts);
      expect(message).toMatch(/more than one object, list or field per 16 characters/);
    },
  );
});
