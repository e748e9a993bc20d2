// Compares an explorer with the contract, operation by operation, on a sample of its chain.

import { responseDepartures } from "../../contract/conformance.ts";
import { type DialectName, dialects } from "../../contract/dialects.ts";
import { isEnvelope } from "../../contract/envelope.ts";
import { type AnyOperation, type OperationId, operations } from "../../contract/index.ts";
import { retryAfter } from "../../http/retry-after.ts";
import { isObject } from "../../models/issues.ts";
import { duration } from "../progress.ts";
import type { Asker, ExplorerResponse, WireInput } from "./ask.ts";
import { type Finding, listFindings } from "./list-findings.ts";
import { answerLists, type KnownAddresses, recordsIn, Sample, UNUSED_ADDRESS } from "./sample.ts";

export interface Difference extends Finding {
  /** The number of the operation. */
  readonly operation: string;
  /** The first request that showed the difference. */
  readonly request: string;
}

/** The answers of one operation. */
interface Tally {
  readonly operation: string;
  answers: number;
  differences: number;
  /** Whether an answer had a record. */
  hasRecords: boolean;
}

export interface Comparison {
  readonly operations: readonly Tally[];
  readonly differences: readonly Difference[];
  readonly requests: number;
}

/** How many accounts' lists to read, and how many inputs to try per operation. */
const ACCOUNTS = 8;
const TRIES = 4;

/** Operations to run first, in this order, because their records are the input of others. */
const FIRST = "B1 A10 A3 L1 T2 T1 T4 T3 A9 A7 A8 A6".split(" ") as OperationId[];

/** Identifies a difference on every chain. The request and the received value do not matter. */
export const differenceKey = (
  difference: Pick<Difference, "operation" | "field" | "expected">,
): string => JSON.stringify([difference.operation, difference.field, difference.expected]);

class Comparer {
  readonly #asker: Asker;
  readonly sample: Sample;
  readonly tallies = new Map<string, Tally>();
  readonly differences = new Map<string, Difference>();

  constructor(asker: Asker, addresses: KnownAddresses) {
    this.#asker = asker;
    this.sample = new Sample(addresses);
  }

  /** Sends a request, and checks the form of the answer. */
  async ask(id: OperationId, input: WireInput): Promise<ExplorerResponse> {
    const operation: AnyOperation = operations[id];
    const answer = await this.#asker.ask(operation, input);
    if (answer.status === 429) {
      const seconds = (retryAfter(answer.headers, true) ?? 0) / 1000;
      const pause = seconds > 0 ? `a pause of ${duration(seconds)}` : "a long pause";
      throw new Error(`the explorer asks for ${pause} (HTTP 429): try again later`);
    }
    const emptyTally = { operation: id, answers: 0, differences: 0, hasRecords: false };
    const tally = this.tallies.get(id) ?? emptyTally;
    this.tallies.set(id, tally);
    tally.answers++;
    tally.hasRecords ||= recordsIn(answer).some((record) => Object.keys(record).length > 0);
    this.sample.add(id, answer);
    this.#add(id, answer.request, departuresOf(operation, answer));
    return answer;
  }

  #add(id: string, request: string, findings: Iterable<Finding>): void {
    for (const finding of findings) {
      const received = this.#asker.redact(finding.received);
      const difference = { operation: id, ...finding, received, request };
      const key = differenceKey(difference);
      if (this.differences.has(key)) continue;
      this.differences.set(key, difference);
      const tally = this.tallies.get(id);
      if (tally) tally.differences++;
    }
  }

  /** Reads the lists of the busiest accounts, which provide the inputs of all operations. */
  async readAccounts(): Promise<void> {
    await this.ask("B1", { block_number: 1 });
    const accounts = new Set<string>();
    for (let next: string | undefined; accounts.size < ACCOUNTS; accounts.add(next)) {
      next = this.sample.accounts().find((address) => !accounts.has(address));
      if (next === undefined) return;
      for (const id of ["A2", "A4", "A5"] as const) await this.ask(id, { address_hash: next });
    }
  }

  async checkOperation(id: OperationId): Promise<void> {
    const { list, finality }: AnyOperation = operations[id];
    const input = await this.#bestInput(id);
    if (!list) return;
    await this.#checkList(id, input);
    // Not for X3, which has no list for an unknown transaction.
    if (!finality) await this.ask(id, { [Object.keys(input)[0] ?? "address"]: UNUSED_ADDRESS });
  }

  /** Tries a few inputs. Returns the input with the longest list, or the first with a record. */
  async #bestInput(id: OperationId): Promise<WireInput> {
    const inputs = this.sample.inputs(id);
    let best = { input: inputs[0] ?? {}, length: -1 };
    for (const input of inputs.slice(0, TRIES)) {
      const lengths = answerLists(await this.ask(id, input)).map(({ records }) => records.length);
      // Both lists of A6 should have records, so the shorter one counts first.
      const length = Math.min(...lengths) * 1e6 + Math.max(...lengths);
      if (lengths.length > 0 && length > best.length) best = { input, length };
      if (!operations[id].list && length > 0) break;
    }
    return best.input;
  }

  /** Checks pages and ranges. Repeats the check after a difference, which a new block may cause. */
  async #checkList(id: OperationId, input: WireInput): Promise<void> {
    const readLists = async (more: WireInput) =>
      answerLists(await this.ask(id, { ...input, ...more }));
    const check = () => listFindings(operations[id], readLists, this.sample.blocks);
    const findings = (await check()).length > 0 ? await check() : [];
    this.#add(id, `list of ${Object.values(input).join(" ")}`, findings);
  }
}

/** Compares. @throws Error if this is no explorer, refuses the key, or uses another dialect */
export async function compare(asker: Asker, addresses: KnownAddresses): Promise<Comparison> {
  const comparer = new Comparer(asker, addresses);
  await checkIsExplorer(asker);
  await comparer.readAccounts();
  for (const id of new Set([...FIRST, ...(Object.keys(operations) as OperationId[])]))
    if (operations[id].safe) await comparer.checkOperation(id);
  const { tallies, differences } = comparer;
  return {
    operations: Object.keys(operations).flatMap((id) => tallies.get(id) ?? []),
    differences: [...differences.values()],
    requests: asker.sent,
  };
}

/** Checks that block 1 is an explorer's. @throws Error that describes the response otherwise */
async function checkIsExplorer(asker: Asker): Promise<void> {
  const answer = await asker.ask(operations.B1, { block_number: 1 });
  const { status, json, headers, request } = answer;
  if (status === 401 || status === 403)
    throw new Error(`the explorer refused the API key (HTTP ${status}): pass --api-key`);
  // An empty chain has no block 1, and says so in an envelope.
  const isKnown = isObject(json) && (isEnvelope(json) || status !== 404);
  if (!isKnown || (status === 200 && Object.keys(recordsIn(answer)[0] ?? {}).length === 0)) {
    const type = headers.get("content-type") ?? "without a content type";
    const expected = isObject(json) ? "block 1" : "JSON";
    throw new Error(
      `this is no explorer: ${request} returned HTTP ${status}, ${type}; expected ${expected}`,
    );
  }
  const dialect = await fittingDialect(asker);
  if (dialect)
    throw new Error(`the explorer uses the dialect ${dialect}: pass --dialect ${dialect}`);
}

/** Finds the dialect in which an explorer lists token transfers; undefined if it is the current. */
export async function fittingDialect(asker: Asker): Promise<DialectName | undefined> {
  const input = { address_hash: UNUSED_ADDRESS };
  if ((await asker.ask(operations.A4, input)).status !== 404) return undefined;
  for (const [name, dialect] of Object.entries(dialects))
    if ((await asker.ask(operations.A4, input, { dialect })).status === 200)
      return name as DialectName;
  return undefined;
}

/** Yields the differences of an answer from its specified form, without indexes: `data[].value`. */
function* departuresOf(operation: AnyOperation, answer: ExplorerResponse): Generator<Finding> {
  const { status, headers, text } = answer;
  // Lists and balances exist for every address, but a single record may be missing.
  const mayBeMissing = !operation.list || operation.finality !== undefined;
  if (status !== 200 && !(status === 404 && mayBeMissing && operation.id !== "A1"))
    yield { field: "HTTP status", expected: "200", received: `${status}` };
  const response = { status, contentType: headers.get("content-type"), text };
  for (const departure of responseDepartures(operation, response, false)) {
    const { expected, received, reads } = departure;
    const field = departure.field.replace(/^results\.(?=.)/, "").replace(/\.\d+(?=\.|$)/g, "[]");
    yield { field, expected, received, reads };
  }
}
