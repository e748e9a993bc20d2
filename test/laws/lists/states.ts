// Every state of reading a short list: what the machine can be in, whatever a server answers of a small vocabulary.
import { requestOf, step } from "../../../src/lists/machine.ts";
import type { PageRequest, State, Wish } from "../../../src/lists/state.ts";

/** A list of a server: the block of each record, in its order. */
export interface Model {
  readonly blocks: readonly number[];
  readonly wish: Wish;
}

/** What a server makes of a request. */
export const vocabulary = {
  "the page": (all: readonly number[], { limit, offset }: PageRequest) =>
    all.slice(offset, offset + limit),
  "one record": (all: readonly number[], { offset }: PageRequest) => all.slice(offset, offset + 1),
  nothing: () => [],
  "the first page": (all: readonly number[], { limit }: PageRequest) => all.slice(0, limit),
  "the next page": (all: readonly number[], { limit, offset }: PageRequest) =>
    all.slice(offset + 1, offset + 1 + limit),
  "a refusal": () => undefined,
} as const;
const counts = {
  total: (all: readonly number[]) => all.length,
  none: () => null,
} as const;

export interface Transition {
  readonly from: State["at"];
  readonly to: State["at"];
  readonly word: keyof typeof vocabulary;
}

/** A state, what was yielded on the way to it (a bit for each record), and how often the server may still answer wrongly. */
export interface Node {
  readonly state: State;
  readonly yielded: number;
  readonly lies: number;
}

/** The positions of the records in a range, in the server's order. */
const within = ({ blocks }: Model, { from = 0, to = Number.POSITIVE_INFINITY }: PageRequest) =>
  blocks.flatMap((block, at) => (block >= from && block <= to ? [at] : []));

/** The node after an answer; undefined if the list cannot be read on. Throws if the machine breaks a promise. */
export function next(
  model: Model,
  { lies, state, yielded }: Node,
  request: PageRequest,
  word: keyof typeof vocabulary,
  count: keyof typeof counts,
): Node | undefined {
  const { repeats, limit } = model.wish;
  if (request.limit < 1 || request.limit > limit || request.offset < 0)
    throw new Error(`Wrong page: ${JSON.stringify(request)}`);
  if ((request.from ?? 0) > (request.to ?? Number.POSITIVE_INFINITY))
    throw new Error(`Wrong blocks: ${JSON.stringify(request)}`);
  const all = within(model, request);
  const page = vocabulary[word](all, request);
  const {
    reports,
    records,
    state: after,
  } = step(state, {
    request,
    // Where keys repeat, the records of a block look the same.
    keys: (page ?? []).map((at) => (repeats ? Number(model.blocks[at]) : at) + 1),
    ranks: (page ?? []).map((at) => Number(model.blocks[at])),
    known: (page ?? []).map((at) => !repeats && (yielded & (1 << at)) !== 0),
    inBlocks: true,
    count: page ? counts[count](all) : null,
    refused: page === undefined,
  });
  let now = yielded;
  for (const index of records) {
    const bit = 1 << Number(page?.[index]);
    if (!repeats && now & bit) throw new Error(`Record ${page?.[index]} came twice`);
    now |= bit;
  }
  if (reports.some(({ kind }) => kind === "failure")) return undefined;
  const isTrue = word === "the page" && count === "total";
  return { state: after, yielded: now, lies: isTrue ? lies : lies - 1 };
}

export const words = Object.keys(vocabulary) as (keyof typeof vocabulary)[];
const says = Object.keys(counts) as (keyof typeof counts)[];

/** What tells states apart: not how often nothing came of a request. */
const nameOf = ({ lies, state, yielded }: Node) =>
  JSON.stringify([{ ...state, progress: { ...state.progress, idle: 0 } }, yielded, lies]);

/** Visits each state that can be reached from a node, with its distance from there; returns the kinds of transitions. */
export function explore(
  model: Model,
  start: Node,
  visit: (node: Node, distance: number) => void,
): readonly Transition[] {
  let open: readonly Node[] = [start];
  const seen = new Set(open.map(nameOf));
  const transitions = new Map<string, Transition>();
  for (let distance = 0; open.length; distance++) {
    const reached: Node[] = [];
    for (const node of open) {
      visit(node, distance);
      const from = node.state.at;
      if (from === "end") continue;
      for (const word of node.lies ? words : words.slice(0, 1))
        for (const count of node.lies ? says : says.slice(0, 1)) {
          const after = next(model, node, requestOf(node.state), word, count);
          const to = after?.state.at ?? "end";
          transitions.set(`${from} ${to} ${word}`, { from, to, word });
          if (!after || seen.has(nameOf(after))) continue;
          seen.add(nameOf(after));
          reached.push(after);
        }
    }
    open = reached;
  }
  return [...transitions.values()];
}
