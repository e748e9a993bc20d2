// Every state of reading a list of up to six records, whatever a server answers of a small vocabulary: none sampled, all visited.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { requestOf } from "../../../src/lists/machine.ts";
import { begin } from "../../../src/lists/state.ts";
import { explore, type Model, type Node, next, type Transition, words } from "./states.ts";

/** The blocks of up to six records: newest first, oldest first, two in a block, and out of order. */
const shapes = (length: number): readonly (readonly number[])[] => [
  [5, 4, 3, 2, 1, 0].slice(6 - length),
  [0, 1, 2, 3, 4, 5].slice(0, length),
  [2, 2, 1, 1, 0, 0].slice(6 - length),
  [0, 0, 1, 1, 2, 2].slice(0, length),
  [1, 3, 0, 2, 5, 4].slice(0, length),
];

const models = (repeats: boolean): readonly Model[] =>
  [0, 1, 2, 3, 4, 5, 6].flatMap((length) =>
    [1, 2, 3].flatMap((limit) =>
      shapes(length).map((blocks) => ({
        blocks,
        wish: { limit, start: 0, blocks: true, repeats, ahead: false },
      })),
    ),
  );

/** More requests than any list of six records takes, with two wrong answers. */
const MOST_REQUESTS = 60;

/** The transitions, as a diagram, and as a table of what follows each state by the server's answer. */
function drawn(transitions: readonly Transition[]): string {
  const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();
  const arrows = sorted(transitions.map(({ from, to }) => `    ${from} --> ${to}`));
  const rows = sorted(transitions.map(({ from }) => from)).map((state) => [
    `\`${state}\``,
    ...words.map((answer) => {
      const next = transitions.filter(({ from, word }) => from === state && word === answer);
      return sorted(next.map(({ to }) => to)).join(", ");
    }),
  ]);
  const table = [["state", ...words], ["---", ...words.map(() => "---")], ...rows];
  const lines = table.map((cells) => `| ${cells.join(" | ")} |`);
  return ["```mermaid", "stateDiagram-v2", ...arrows, "```", "", ...lines].join("\n");
}

const everything = ({ blocks }: Model) => 2 ** blocks.length - 1;

describe("every state", () => {
  it("is left with a possible request, yields no record twice, and leads to the end", () => {
    const transitions: Transition[] = [];
    const visited = new Set<string>();
    for (const model of [...models(false), ...models(true)]) {
      const lies = model.blocks.length <= 3 ? 2 : 1;
      const found = explore(model, { state: begin(model.wish), yielded: 0, lies }, (node, at) => {
        visited.add(node.state.at);
        expect(at, "requests").toBeLessThan(MOST_REQUESTS);
      });
      transitions.push(...found);
    }
    expect([...visited].sort()).toEqual(
      ["bare", "end", "overlap", "pages", "proof", "search", "start"].sort(),
    );

    const diagram = drawn(transitions);
    const file = new URL("../../../docs/architecture.md", import.meta.url);
    const page = readFileSync(file, "utf8");
    const between = /(<!-- states -->\n)[\s\S]*?(<!-- \/states -->)/;
    if (process.env.UPDATE_DOCS) writeFileSync(file, page.replace(between, `$1${diagram}\n$2`));
    else expect(page, "UPDATE_DOCS=1 writes it").toContain(diagram);
  });
});

describe("a server that answers wrongly once", () => {
  it("hides no record, whichever answer it is after the first", () => {
    for (const model of models(false)) {
      const start: Node = { state: begin(model.wish), yielded: 0, lies: 1 };
      const first = next(model, start, requestOf(start.state), "the page", "total");
      expect(first).toBeDefined();
      if (first)
        explore(model, first, ({ state, yielded }) => {
          if (state.at === "end") expect(yielded, JSON.stringify(model)).toBe(everything(model));
        });
    }
  });
});

describe("a server that answers as specified", () => {
  it("is asked for no page twice: one request for each page, and one that shows the end", () => {
    for (const model of models(false)) {
      const { limit } = model.wish;
      // With room for one record on a page, each is looked at again until the count is known to be that of the list.
      if (limit === 1) continue;
      let requests = 0;
      explore(model, { state: begin(model.wish), yielded: 0, lies: 0 }, ({ state }, at) => {
        if (state.at === "end") requests = at;
      });
      const least = 1 + Math.ceil(Math.max(0, model.blocks.length - limit) / (limit - 1));
      expect(requests).toBeLessThanOrEqual(least + 1);
    }
  });
});
