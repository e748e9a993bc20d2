// Cursors, parts and breaks of an iteration: where it continues, what an error has, and what is refused.
import { describe, expect, it } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import { tally } from "../laws/lists/growing-list.ts";
import { newestFirst, oldestFirst } from "../laws/servers/habits.ts";
import { type Habit, ListServer } from "../laws/servers/list-server.ts";

const blocks = Array.from({ length: 40 }, (_, block) => block % 4);
const thrown = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("a cursor", () => {
  it("is refused by name if another release made it, or if it was damaged", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    const [version, name, states] = JSON.parse(cursor);
    const read = (resume: unknown) =>
      thrown(
        server
          .read({ resume: typeof resume === "string" ? resume : JSON.stringify(resume) })
          .collect(),
      );
    for (const old of [
      [name, { lists: [] }],
      [version - 1, name, states],
    ])
      expect(String(await read(old))).toContain("made by an older release; start again from");
    expect(String(await read([version + 1, name, states]))).toContain("made by a newer release");
    expect(String(await read([version - 1, "another list", states]))).not.toContain("release");
    expect(await read("")).toMatchObject({
      issues: [{ path: ["resume"], expected: `a cursor of a page of ${name}`, received: "" }],
      operation: "A2",
    });
    for (const bad of [
      "{}",
      [version, name, []],
      [version, name, [{ at: "start" }]],
      [version, name, [{ ...states[0], at: "x" }]],
    ])
      expect(isExplorerError(await read(bad), "PARAMETER"), JSON.stringify(bad)).toBe(true);
    expect(server.requests).toBe(1);
  });

  it("is refused whichever of its fields has another type, and taken in every state", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    const [version, name, [state]] = JSON.parse(cursor);
    const isRefused = async (changed: object) => {
      const resume = JSON.stringify([version, name, [changed]]);
      const error = await thrown(server.read({ resume }).collect());
      return isExplorerError(error, "PARAMETER");
    };
    const { progress } = state;
    const others = { cut: 2, page: [0, "x"], keys: ["x"], missing: "x", rest: [{ from: "x" }] };
    const ranges = { range: { to: "x" }, yielded: [{ from: 1, to: 1 }] };
    const flags = ["forgot", "fresh", "mixed", "named", "counted", "moves", "short", "trial"];
    const wrong = { ...others, ...ranges, ...Object.fromEntries(flags.map((one) => [one, 1])) };
    for (const field of Object.keys({ ...progress, ...wrong })) {
      const value = field in wrong ? wrong[field as keyof typeof wrong] : "x";
      const changed = { ...state, progress: { ...progress, [field]: value } };
      expect(await isRefused(changed), field).toBe(true);
    }
    for (const cut of [-1, 0, 1])
      expect(await isRefused({ ...state, progress: { ...progress, cut } })).toBe(false);
    for (const at of ["start", "overlap", "bare", "proof", "pages", "end"])
      expect(await isRefused({ ...state, at }), at).toBe(false);
    expect(await isRefused({ ...state, at: "search", offset: 0 })).toBe(false);
  });

  it("that is null, as an empty database cell, starts at the beginning", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const all = await server.read({}).collect();
    expect(await server.read({ resume: null }).collect()).toEqual(all);
  });

  it("keeps a page size that the server needs, and none that the caller chose", async () => {
    const asked: number[] = [];
    const ask = async (most: number, first: number, second: number) => {
      const answer: Habit["answer"] = (honest, { limit }) => {
        asked.push(limit);
        return limit > most ? { ...honest, data: [] } : honest;
      };
      const server = new ListServer("A10", [newestFirst, { answer }], blocks);
      const { cursor } = await server.read({ limit: first });
      asked.length = 0;
      await server.read({ limit: second, resume: cursor }).collect();
      return Math.max(...asked);
    };
    expect(await ask(100, 5, 20)).toBe(20);
    expect(await ask(8, 20, 20)).toBe(5);
  });

  it("carries what was learned about the server to another client", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const { cursor } = await server.read({ limit: 5 });
    expect(JSON.parse(cursor)[2][0].progress.profile).toMatchObject({ largestPage: 5 });
  });
});

describe("an error of a list", () => {
  it("has what collect read, and a cursor that continues after it", async () => {
    const server = new ListServer(
      "A10",
      [
        newestFirst,
        { answer: (honest, { offset }) => ({ ...honest, data: offset > 11 ? [] : honest.data }) },
        {
          asked: (asked) => ({ ...asked, offset: Math.min(asked.offset, 8) }),
        },
      ],
      blocks,
    );
    const error = await thrown(server.read({ limit: 5 }).collect());
    expect(isExplorerError(error, "LIST") && error.reason).toBe("RESULT_WINDOW");
    if (!isExplorerError(error)) throw error;
    expect(error.records?.length).toBeGreaterThan(8);
    expect(error.cursor).toEqual(expect.any(String));
  });
});

describe("iterator.throw", () => {
  it("throws the error it is given", async () => {
    const server = new ListServer("A2", [newestFirst], blocks);
    const iterator = server.read({ limit: 5 })[Symbol.asyncIterator]();
    await iterator.next();
    const error = new Error("enough");
    await expect(iterator.throw(error)).rejects.toBe(error);
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });
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
    ["newest first", newestFirst, 4],
    ["oldest first", oldestFirst, 11],
  ])(
    "finds the newest block, and what bounds leave out, in few requests (%s)",
    async (_, order, most) => {
      const server = new ListServer("A2", [order], Array(30).fill(1));
      await server.read().split(4);
      expect(server.requests).toBe(most);
    },
  );

  it("gives one part of an empty list", async () => {
    expect(await new ListServer("A2", [newestFirst], []).read().split(4)).toHaveLength(1);
  });

  it("gives one part of a list without blocks, and refuses no parts", async () => {
    const server = new ListServer("A10", [newestFirst], blocks);
    const cursors = await server.read({ limit: 6 }).split(4);
    expect(cursors).toHaveLength(1);
    const [resume] = cursors;
    expect(await server.read({ limit: 6, resume }).collect()).toHaveLength(40);
    expect(isExplorerError(await thrown(server.read().split(0)), "PARAMETER")).toBe(true);
  });
});
