// A request that is made to cost much is refused or answered in few words; test/bench/service.bench.ts measures its CPU.
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import { ignoredNames, largeBodies, wrongFields } from "../../support/costly-requests.ts";

const { dispatch, journal } = createExplorer();

test.each(Object.entries(ignoredNames))(
  "query names that are ignored: %s ones",
  async (_, request) => {
    const { status } = await dispatch(request);
    expect(status).toBe(200);
    expect(journal.entries.at(-1)?.notes.length).toBeLessThanOrEqual(20);
  },
);

test.each(Object.entries(largeBodies))(
  "a body of 1 MiB with %s is refused",
  async (_, [request, reason]) => {
    const { status, message } = await dispatch(request);
    expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
    expect(message?.length).toBeLessThan(5000);
  },
);

test("thousands of wrong fields are explained up to the first 20", async () => {
  const { status, message } = await dispatch(wrongFields);
  expect(status).toBe(400);
  expect(message).toMatch(/; and \d+ more$/);
  expect(message?.length).toBeLessThan(5000);
});
