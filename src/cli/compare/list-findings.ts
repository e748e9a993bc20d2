// Checks the pages, order, count and block ranges of a list against its longest page.
import { type AnyOperation, limits } from "../../contract/index.ts";
import type { Row } from "../records.ts";
import type { WireInput } from "./ask.ts";
import type { AnswerList } from "./sample.ts";

/** An offset beyond the end of every list. */
const BEYOND = 100_000_000;

/** A difference in an explorer's answer. */
export interface Finding {
  /** The part that differs: "HTTP status", "order", or a path such as "data[].value". */
  readonly field: string;
  readonly expected: string;
  readonly received: string;
  /** The rule by which the client accepts the difference. */
  readonly reads?: string | undefined;
}

/** Returns the name of a list's order, its direction (1 or -1), and the sorted field. */
export function orderOf({ id, finality, places }: AnyOperation) {
  // A parent comes before its children, because its path is a prefix of theirs.
  if (finality) return ["in execution order", 1, "trace_address"] as const;
  if (id === "A9") return ["by token id, ascending", 1, "token_id"] as const;
  const isHeld = !places.query.includes("startBlock") && id !== "A10";
  if (isHeld) return ["by token address, ascending", 1, "token_address"] as const;
  return ["newest first", -1, id === "L1" ? "timestamp" : "block_number"] as const;
}

/** Returns a text that sorts like the number, time or path that a value represents. */
const sortKey = (value: unknown): string =>
  [value ?? []]
    .flat()
    .map((part) => {
      const text = `${part}`;
      const number = /^(0x[0-9a-f]+|\d+)$/i.test(text) ? BigInt(text) : Date.parse(text) || 0;
      return `${number}`.padStart(78, "0");
    })
    .join();

type ReadPage = (input: WireInput) => Promise<readonly AnswerList[]>;

/** Compares the pages and ranges of a list with its longest page. */
export async function listFindings(
  operation: AnyOperation,
  read: ReadPage,
  blocks: ReadonlyMap<string, number>,
): Promise<Finding[]> {
  const max = operation.list?.maxLimit ?? limits.max;
  const full = await read({ limit: max });
  const findings: Finding[] = [];
  const expect = (isMet: boolean, field: string, expected: string, received: string) => {
    if (!isMet) findings.push({ field, expected, received });
  };
  if (full.length === 0) return findings;
  const [orderName, sign, field] = orderOf(operation);
  for (const { records } of full) {
    const keys = records.map((record) => sortKey(record[field]));
    const sorted = keys.toSorted();
    const isSorted = `${keys}` === `${sign > 0 ? sorted : sorted.reverse()}`;
    expect(isSorted, "order", orderName, "another order");
  }
  const longest = Math.max(...full.map(({ records }) => records.length));
  const isWhole = (await read({ limit: 1, offset: longest })).every(
    ({ records }) => records.length === 0,
  );
  const isLongest = longest >= max || isWhole;
  expect(isLongest, "longest page", `${max} records on a page, or all`, `${longest} records`);
  const keyOf = (record: Row) =>
    JSON.stringify(operation.list?.identity.map((name) => record[name]));
  const pages: readonly (readonly [string, WireInput, number, number])[] = [
    ["no limit", {}, 0, limits.default],
    ["limit=1", { limit: 1 }, 0, 1],
    ["limit=2, offset=1", { limit: 2, offset: 1 }, 1, 3],
    ["offset beyond the end", { offset: BEYOND }, longest, longest],
  ];
  for (const [field, input, from, to] of pages)
    for (const [at, { name, count, records }] of (await read(input)).entries()) {
      const fullList = full[at]?.records ?? [];
      const isSame = `${records.map(keyOf)}` === `${fullList.slice(from, to).map(keyOf)}`;
      expect(isSame, field, `records ${from} to ${to} of the list`, `${records.length} records`);
      const isTotal = isWhole
        ? Number(count) === fullList.length
        : Number(count) >= fullList.length;
      const hasTotal = isTotal || count === null || records.length === 0;
      expect(hasTotal, name ? `${name}.count` : "count", "the number of all records", `${count}`);
    }
  if (!operation.places.query.includes("startBlock")) return findings;
  const records = full[0]?.records ?? [];
  const blockOf = ({ block_number, transaction_hash }: Row) =>
    Number(block_number ?? blocks.get(`${transaction_hash}`) ?? Number.NaN);
  const blockNumbers = [...new Set(records.map(blockOf))].filter((block) => block >= 0);
  const middle = Math.floor(blockNumbers.length / 2);
  const bound = blockNumbers.sort((left, right) => left - right)[middle];
  if (bound === undefined || blockNumbers.length < 2) return findings;
  for (const name of ["startBlock", "endBlock"] as const) {
    const isWithin = (record: Row) =>
      name === "startBlock" ? blockOf(record) >= bound : blockOf(record) <= bound;
    const [page] = await read({ [name]: bound, limit: max });
    if (page === undefined) continue;
    const keys = new Set(page.records.map(keyOf));
    const isMissing = records.some((record) => isWithin(record) && !keys.has(keyOf(record)));
    const isBeyond = page.records.some((record) => blockOf(record) >= 0 && !isWithin(record));
    const received = isMissing ? "not all of them" : "others, too";
    const side = name === "startBlock" ? "after" : "before";
    expect(!isMissing && !isBeyond, name, `the records of the block and ${side} it`, received);
  }
  return findings;
}
