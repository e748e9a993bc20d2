// Cursors, parts and breaks of an iteration: where it continues, what an error has, and what is
// refused.
import { describe, expect, it } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import {
  ignoresBlocks,
  newestFirst,
  oldestFirst,
  windowClamp,
  windowEmpty,
  windowError,
} from "../laws/lists/habits.ts";
import { ListServer, tally } from "../laws/lists/list-server.ts";

const blocks = Array.from({ length: 40 }, (_, block) => block % 4);
const decoded = (cursor: string) => JSON.parse(Buffer.from(cursor, "base64url").toString());
const encoded = (contents: unknown) => Buffer.from(JSON.stringify(contents)).toString("base64url");
const thrown = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("a cursor", () => {
  it("is refused by name if another release made it, or if it was damaged", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    const [version, name, contents] = decoded(cursor);
    const read = (resume: unknown) =>
      thrown(
        server.read({ resume: typeof resume === "string" ? resume : encoded(resume) }).collect(),
      );
    for (const old of [
      [name, { lists: [] }],
      [version - 1, name, contents],
    ])
      expect(String(await read(old))).toContain("made by an older release; start again from");
    expect(String(await read([version + 1, name, contents]))).toContain("made by a newer release");
    expect(String(await read([version - 1, "another list", contents]))).not.toContain("release");
    expect(await read("")).toMatchObject({
      issues: [{ path: ["resume"], expected: `a cursor of a page of ${name}`, received: "" }],
      operation: "A2",
    });
    for (const bad of [
      "{}",
      [version, name, []],
      [version, name, { lists: [] }],
      [version, name, { ...contents, part: { from: "x" } }],
    ])
      expect(isExplorerError(await read(bad), "PARAMETER"), JSON.stringify(bad)).toBe(true);
    expect(server.requests).toBe(1);
  });

  it("is refused whichever of its fields has another type, and taken in every state", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    const [version, name, { lists }] = decoded(cursor);
    const [progress] = lists;
    const isRefused = async (changed: object) => {
      const resume = encoded([version, name, { lists: [{ ...progress, ...changed }] }]);
      return isExplorerError(await thrown(server.read({ resume }).collect()), "PARAMETER");
    };
    expect(Object.keys(progress)).toHaveLength(15);
    for (const field of Object.keys(progress))
      expect(await isRefused({ [field]: { to: "x" } }), field).toBe(true);
    for (const state of ["reading", "searching", "closing", "ended"])
      expect(await isRefused({ state }), state).toBe(false);
  });

  it("that is null, as an empty database cell, starts at the beginning", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const all = await server.read({}).collect();
    expect(await server.read({ resume: null }).collect()).toEqual(all);
  });

  it("continues in fewer blocks where the server refuses its first page, or returns nothing", async () => {
    for (const window of [windowError(12), windowEmpty(12), windowClamp(12)]) {
      const list = () => new ListServer("A2", [newestFirst, window], Array(40).fill(1));
      const pages = await list().read({ limit: 6, maxItems: 11 }).pages();
      const before = await Array.fromAsync(pages);
      const resume = before.at(-1)?.cursor;
      const rest = await list().read({ limit: 6, resume }).collect();
      const all = [...before.flatMap(({ data }) => data), ...rest];
      expect(all).toEqual(list().records.toReversed());
    }
  });

  it("knows the offset at which its list began", async () => {
    const server = new ListServer("A2", [newestFirst], Array(50).fill(1));
    const expected = server.records.toReversed();
    const { cursor } = await server.read({ offset: 20, limit: 10 });
    const reports: unknown[] = [];
    const options = { resume: cursor, limit: 10, onShortfall: (one: unknown) => reports.push(one) };
    const pages = await Array.fromAsync(server.read(options).pages());
    expect(pages[0]?.offset).toBe(30);
    expect(pages.flatMap(({ data }) => data)).toEqual(expected.slice(30));
    expect(await server.read({ ...options, offset: 5 }).collect()).toEqual(expected.slice(30));
    expect(reports).toEqual([]);
  });

  it("tells another client that the count is the total", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    const other = new ListServer("A2", [newestFirst], blocks);
    await other.read({ resume: cursor }).collect();
    expect(other.requests).toBe(1);
  });
});

it("an error of a list has what collect read, and a cursor that continues after it", async () => {
  const server = new ListServer("A10", [newestFirst, windowEmpty(13)], blocks);
  const error = await thrown(server.read({ limit: 5 }).collect());
  if (!isExplorerError(error, "LIST")) throw error;
  expect(error.reason).toBe("RESULT_WINDOW");
  expect(error.records).toEqual(server.records.toReversed().slice(0, error.records?.length));
  expect(error.records?.length).toBeGreaterThan(12);
  const honest = new ListServer("A10", [newestFirst], blocks);
  const rest = await honest.read({ resume: error.cursor }).collect();
  expect([...(error.records ?? []), ...rest]).toEqual(honest.records.toReversed());
  expect(String(error)).toContain("Operation: accounts.minedBlocks (A10)");
  expect(String(error)).toContain("`cursor` continues after them");
});

describe("split", () => {
  it.each([
    ["newest first", newestFirst],
    ["oldest first", oldestFirst],
  ])("gives parts that together are the list (%s)", async (_, order) => {
    for (const id of ["A2", "A5", "L1"] as const)
      for (const parts of [1, 3, 7, 100]) {
        const server = new ListServer(id, [order], blocks);
        const cursors = await server.read({ limit: 6 }).split(parts);
        expect(cursors.length).toBe(Math.min(parts, blocks.length));
        const read = await Promise.all(
          cursors.map((resume) => server.read({ limit: 6, resume }).collect()),
        );
        expect(tally(read.flat())).toEqual(tally(server.records));
        expect(server.complaints).toEqual([]);
      }
  });

  it.each([
    ["newest first", newestFirst, 2],
    ["oldest first", oldestFirst, 9],
  ])("finds the newest block in few requests (%s)", async (_, order, most) => {
    const server = new ListServer("A2", [order], Array(30).fill(1));
    await server.read().split(4);
    expect(server.requests).toBe(most);
  });

  it("asks for no block after the last that is wanted", async () => {
    const server = new ListServer("A2", [oldestFirst], Array(30).fill(1));
    expect(await server.read({ startBlock: 3, endBlock: 9 }).split(4)).toHaveLength(4);
    expect(server.complaints).toEqual([]);
  });

  it("gives one part of an empty list", async () => {
    expect(await new ListServer("A2", [newestFirst], []).read().split(4)).toHaveLength(1);
  });

  it("gives one part of a list without blocks", async () => {
    const server = new ListServer("A10", [newestFirst], blocks);
    const cursors = await server.read({ limit: 6 }).split(4);
    expect(cursors).toHaveLength(1);
    const [resume] = cursors;
    expect(await server.read({ limit: 6, resume }).collect()).toHaveLength(40);
  });

  it.each([
    ["A2", newestFirst, 2],
    ["A2", oldestFirst, 2],
    ["L1", newestFirst, 1],
  ] as const)("ends where the server ignores blocks (%s, %o)", async (id, order, requests) => {
    const server = new ListServer(id, [order, ignoresBlocks], Array(100).fill(1));
    const error = await thrown(server.read().split(4));
    expect(error).toMatchObject({ code: "LIST", reason: "RANGE_IGNORED", records: [] });
    expect(isExplorerError(error) && error.cursor).toEqual(expect.any(String));
    expect(server.requests).toBe(requests);
  });

  it("is refused of a list that has begun", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor: resume } = await server.read({ limit: 5 });
    const expected = "no cursor: a list can only be split before it is read";
    expect(await thrown(server.read({ resume }).split(3))).toMatchObject({
      code: "PARAMETER",
      issues: [{ path: ["resume"], expected, received: resume }],
      operation: "A2",
    });
  });

  it.each([0, 2.5, Number.POSITIVE_INFINITY])("is refused into %d parts", async (parts) => {
    const server = new ListServer("A2", [newestFirst], blocks);
    expect(await thrown(server.read().split(parts))).toMatchObject({
      code: "PARAMETER",
      issues: [{ path: ["parts"], expected: "an integer of at least 1", received: parts }],
    });
    expect(server.requests).toBe(0);
  });
});
