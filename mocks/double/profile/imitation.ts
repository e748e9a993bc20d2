// Answers as the explorer of a profile does: requests as it takes them, its index of the chain, lists in its order and pages, results and errors in its form.

import { RESULTS } from "../../../src/contract/envelope.ts";
import {
  type AnyOperation,
  limits,
  type OperationId,
  operations,
} from "../../../src/contract/index.ts";
import { isObject } from "../../../src/models/issues.ts";
import { listOf, reversed } from "../chain/listing.ts";
import { type BlockRange, type ChainReader, type Listing, viewOf } from "../chain/reader.ts";
import { placesAt } from "../faults/field.ts";
import type { Fault } from "../faults/index.ts";
import {
  type Body,
  bodyText,
  errorResponse,
  type ServiceRequest,
  type ServiceResponse,
} from "../service/message.ts";
import { inForm } from "./forms.ts";
import { mistakeIn, situations } from "./mistakes.ts";
import type { ExplorerProfile, FieldForm, ListHabits, OtherAnswer } from "./profile.ts";
import { filled } from "./template.ts";

type Raw = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;

/** What is answered, and how it would be without a profile. */
interface Answering {
  readonly operation: OperationId | undefined;
  readonly request: ServiceRequest;
  readonly raw: Raw;
  readonly response: ServiceResponse;
  /** The response is a fault's: its status is no verdict on the request. */
  readonly isFault: boolean;
}

const forOperation = <Value>(
  table: Readonly<Record<string, Value>> | undefined,
  id: string | undefined,
): Value | undefined => (id === undefined ? undefined : table?.[id]) ?? table?.["*"];

/** An address that has nothing. */
const NOBODY = `0x${"0".repeat(34)}c0ffee`;

/** What a parameter that is no mistake to the explorer stands for; undefined: as if it were left out. */
function acceptedAs({ places, list }: AnyOperation, parameter: string, name: string): unknown {
  if (name === "limit above") return `${list?.maxLimit ?? limits.max}`;
  const isAddress = places.path.includes(parameter) || parameter === "address";
  return isAddress ? NOBODY : undefined;
}

/** The pages of an answer: one, or two of A6. */
function pagesOf(results: Json): readonly { readonly page: Json; readonly records: unknown[] }[] {
  if (Array.isArray(results.data)) return [{ page: results, records: results.data }];
  return Object.values(results).flatMap((page) =>
    isObject(page) && Array.isArray(page.results) ? [{ page, records: page.results }] : [],
  );
}

const FILTERS = ["startBlock", "endBlock", "topic_0", "topic_1", "topic_2", "topic_3", "condition"];

/** In what way a list is empty; undefined if it is not. */
function emptiness({ list, id }: AnyOperation, raw: Raw, results: Json): string | undefined {
  const pages = pagesOf(results);
  if ((!list && id !== "T3") || pages.some(({ records }) => records.length > 0)) return undefined;
  if (pages.some(({ page }) => Number(page.count) > 0)) return situations.beyondEnd;
  const isFiltered = FILTERS.some((name) => raw[name] !== undefined);
  return isFiltered ? situations.emptyRange : situations.emptyList;
}

/** The entries of A1 in the explorer's order and case. */
function balances(
  { order, case: letters }: NonNullable<ExplorerProfile["balances"]>,
  raw: Raw,
  results: Json,
) {
  let entries = (results.data as Json[]).map((entry, index) => {
    const asked = (raw.addresses as unknown[])[index];
    return letters === undefined ? entry : { ...entry, address: asked };
  });
  const key = ({ address }: Json) => `${address}`.toLowerCase();
  if (order === "sorted") entries = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  if (order === "once") entries = [...new Map(entries.map((one) => [key(one), one])).values()];
  results.data = entries;
}

/** Puts a field into its other form, wherever the path leads. */
function reform(results: Json, path: string, forms: readonly FieldForm[]): void {
  const adds = forms.some((form) => typeof form === "object");
  for (const [parent, key] of placesAt(results, path.split("."), adds)) {
    const value = parent[key];
    for (const form of forms) {
      if (typeof form === "object") {
        parent[key] = structuredClone(form.value);
        break;
      }
      if (form === "missing" || (form === "missing for null" && value === null)) {
        delete parent[key];
        break;
      }
      const other = inForm(form, value);
      if (other === undefined) continue;
      parent[key] = other;
      break;
    }
  }
}

/** The delays and the rate limit of a profile, as faults. */
export function faultsOf({ delays, rateLimit }: ExplorerProfile): readonly Fault[] {
  const faults: Fault[] = [];
  if (delays) {
    const { median, percentile95 } = delays;
    // Of a log-normal distribution: the logarithms lie 1.645 and 2.326 standard deviations above the median.
    const p99 = median * Math.max(1, percentile95 / median) ** (2.326 / 1.645);
    faults.push({ fault: "latency", ms: { median, p99 } });
  }
  if (rateLimit) faults.push({ fault: "token-bucket", ...rateLimit });
  return faults;
}

/** Shapes what a mock answers after a profile. */
export class Imitation {
  readonly #profile: ExplorerProfile;

  constructor(profile: ExplorerProfile) {
    this.#profile = profile;
  }

  /** Whether the explorer asks for a key. */
  needsKey(id: OperationId): boolean {
    return !this.#answers(id, situations.noKey)?.accepted;
  }

  #answers(id: OperationId | undefined, situation: string): OtherAnswer | undefined {
    const { answers } = this.#profile;
    return (id && answers?.[id]?.[situation]) ?? answers?.["*"]?.[situation];
  }

  /** The request as the explorer takes it. */
  request(request: ServiceRequest): ServiceRequest {
    const { target, headers, method } = request;
    const accepts = (situation: string) => this.#answers(undefined, situation)?.accepted;
    const cut = target.indexOf("?");
    const end = (cut < 0 ? target.length : cut) - 1;
    const isSlashed = target[end] === "/" && accepts(situations.slash);
    const isTyped = method === "GET" || !accepts(situations.contentType);
    if (!isSlashed && isTyped) return request;
    return {
      ...request,
      target: isSlashed ? target.slice(0, end) + target.slice(end + 1) : target,
      headers: isTyped ? headers : { ...headers, "content-type": "application/json" },
    };
  }

  /** Replaces the parameters that we refuse and the explorer accepts. */
  accept(id: OperationId, raw: Record<string, unknown>): void {
    const operation: AnyOperation = operations[id];
    for (const _ of Object.keys(raw)) {
      const mistake = mistakeIn(operation, raw);
      if (mistake === undefined || !this.#answers(id, mistake.name)?.accepted) return;
      const { parameter, name } = mistake;
      if (name === "startBlock above endBlock") raw.endBlock = raw.startBlock = `${2 ** 53 - 1}`;
      else if (name.endsWith(" twice")) raw[parameter] = [raw[parameter]].flat()[0];
      else {
        const value = acceptedAs(operation, parameter, name);
        if (value === undefined) delete raw[parameter];
        else raw[parameter] = value;
      }
    }
  }

  /** The checked parameters as the explorer takes them. */
  input(id: OperationId, raw: Raw, input: Raw): Raw {
    const habits: ListHabits | undefined = this.#profile.lists?.[id];
    if (!habits || mistakeIn(operations[id], raw)) return input;
    const taken: Record<string, unknown> = { ...input };
    if ("limit" in input) {
      const { defaultLimit = limits.default, largestPage = Number.POSITIVE_INFINITY } = habits;
      const isGiven = raw.limit !== undefined && habits.limit !== "ignored";
      const limit = Math.min(isGiven ? Number(input.limit) : defaultLimit, largestPage);
      const { offset = "records" } = habits;
      const unit = { records: 1, pages: limit, ignored: 0 }[offset];
      Object.assign(taken, { limit, offset: Number(input.offset) * unit });
    }
    for (const end of ["startBlock", "endBlock"] as const)
      if (habits[end] === "ignored") delete taken[end];
    if (habits.input !== undefined && "input" in input) taken.input = habits.input === "always";
    if (habits.ignoredConditions?.includes(`${input.condition}`)) taken.condition = "all";
    return taken;
  }

  /** The chain as the explorer's index shows it to an operation. */
  view(id: OperationId, chain: ChainReader): ChainReader {
    const habits = this.#profile.lists?.[id];
    return habits ? reviewed(chain, habits) : chain;
  }

  /** The response as the explorer writes it. */
  response(answering: Answering): ServiceResponse {
    const { operation, response, isFault } = answering;
    if (response.message === undefined)
      return isFault || operation === undefined ? response : this.#success(operation, answering);
    const situation = isFault ? undefined : this.#situation(answering);
    const answer = situation === undefined ? undefined : this.#answers(operation, situation);
    return this.#other(operation, response, answer);
  }

  /** What a response that is no success is about. */
  #situation({ operation, request, raw, response }: Answering): string | undefined {
    const [path = ""] = request.target.split("?", 1);
    switch (response.status) {
      case 200:
        return operation === "C3" ? situations.rejected : situations.notVerified;
      case 400: {
        if (operation === undefined) return undefined;
        const { body }: AnyOperation["places"] = operations[operation].places;
        const isRead = body.length === 0 || body.some((name) => name in raw);
        return (isRead && mistakeIn(operations[operation], raw)?.name) || situations.noJson;
      }
      case 401:
        return situations.noKey;
      case 404:
        if (operation !== undefined) return situations.unknown;
        return path.endsWith("/") ? situations.slash : situations.unknownPath;
      case 405:
        return request.method === "GET" ? situations.getOfPost : situations.otherMethod;
      case 415:
        return situations.contentType;
      default:
        return undefined;
    }
  }

  /** A response that is no success with records, as the explorer answers it. */
  #other(
    id: OperationId | undefined,
    response: ServiceResponse,
    answer: OtherAnswer = {},
  ): ServiceResponse {
    const { status = response.status, json, text } = answer;
    const type = answer.type ?? forOperation(this.#profile.contentTypes, id);
    const { allow: _, ...without } = response.headers;
    const headers = answer.allow ? without : response.headers;
    return {
      ...response,
      status,
      headers: type === undefined ? headers : { ...headers, "content-type": type },
      body: text ?? (json === undefined ? this.#errorBody(response, answer) : JSON.stringify(json)),
    };
  }

  #errorBody(response: ServiceResponse, { own, status = response.status }: OtherAnswer): Body {
    const { errors } = this.#profile;
    const { message = "" } = response;
    if (response.status < 400) return response.body;
    const code = own ?? `${status}`;
    if (errors !== undefined)
      return JSON.stringify(filled(errors, { message, status: code, code: Number(code) }));
    return code === `${response.status}`
      ? response.body
      : errorResponse(Number(code), message).body;
  }

  #success(id: OperationId, { raw, response }: Answering): ServiceResponse {
    const { lists, fields, successes } = this.#profile;
    const operation: AnyOperation = operations[id];
    const results: unknown = JSON.parse(bodyText(response.body));
    const bare = operation.enveloped && isObject(results) ? results[RESULTS] : results;
    if (!isObject(bare)) return response;
    const empty = emptiness(operation, raw, bare);
    const answer = empty === undefined ? undefined : this.#answers(id, empty);
    if (answer)
      return this.#other(id, errorResponse(answer.status ?? 200, "nothing found"), answer);
    const changed: Json = bare;
    if (id === "A1" && this.#profile.balances) balances(this.#profile.balances, raw, changed);
    this.#recount(lists?.[id], changed);
    for (const [path, forms] of Object.entries(fields?.[id] ?? {})) reform(changed, path, forms);
    const template = forOperation(successes, id);
    const type = forOperation(this.#profile.contentTypes, id);
    return {
      ...response,
      headers:
        type === undefined ? response.headers : { ...response.headers, "content-type": type },
      body: JSON.stringify(
        template === undefined
          ? operation.enveloped && isObject(results)
            ? { ...results, [RESULTS]: changed }
            : changed
          : filled(template, { results: changed }),
      ),
    };
  }

  #recount({ count, confirmationsLag = 0 }: ListHabits = {}, results: Json): void {
    for (const { page, records } of pagesOf(results)) {
      if (count === "page" && "count" in page) page.count = `${records.length}`;
      if (confirmationsLag === 0) continue;
      for (const record of records as Json[])
        if ("confirmations" in record)
          record.confirmations = `${Math.max(0, Number(record.confirmations) - confirmationsLag)}`;
    }
  }
}

/** The list with neighbours exchanged: sorted in neither direction, and any page of it costs no more than before. */
function unsorted<Item>(list: Listing<Item>): Listing<Item> {
  const { count } = list;
  const placeOf = (index: number) => ((index ^ 1) < count ? index ^ 1 : index);
  return {
    count,
    at: (index) => list.at(placeOf(index)),
    slice(offset, limit) {
      const length = Math.max(0, Math.min(limit, count - offset));
      return Array.from({ length }, (_, index) => list.at(placeOf(offset + index)));
    },
  };
}

const empty = listOf<never>([]);

/** The chain in the order of these habits. */
function reviewed(chain: ChainReader, habits: ListHabits): ChainReader {
  function sort<Item>(list: Listing<Item>): Listing<Item> {
    const { order, sorted } = habits;
    if (order === "unsorted" || sorted === "unsorted") return unsorted(list);
    return order === "oldest first" || sorted === "reversed" ? reversed(list) : list;
  }

  /** The list of a range without the ends that do not belong to it. */
  function within<Item, Range extends BlockRange>(
    range: Range,
    list: (range: Range) => Listing<Item>,
  ): Listing<Item> {
    const { startBlock: start = 0, endBlock: end = Number.MAX_SAFE_INTEGER } = range;
    const isOut = (name: "startBlock" | "endBlock") =>
      habits[name] === "exclusive" && range[name] !== undefined;
    const startBlock = isOut("startBlock") ? start + 1 : start;
    const endBlock = isOut("endBlock") ? end - 1 : end;
    return startBlock > endBlock ? empty : sort(list({ ...range, startBlock, endBlock }));
  }

  return viewOf(chain, {
    blocksMinedBy: (miner) => sort(chain.blocksMinedBy(miner)),
    transactions: (address, role, range) =>
      within(range, (own) => chain.transactions(address, role, own)),
    frames: (address, range) => within(range, (own) => chain.frames(address, own)),
    framesOf: (transaction) => sort(chain.framesOf(transaction)),
    logs: (filter) => within(filter, (own) => chain.logs(own)),
    transfers: (address, standard, range) =>
      within(range, (own) => chain.transfers(address, standard, own)),
    holdings: (holder, standard) => sort(chain.holdings(holder, standard)),
    nfts: (token, holder) => sort(chain.nfts(token, holder)),
  });
}
