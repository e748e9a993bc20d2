// The active faults of an explorer, and the plan that they make for a request, the same for every
// transport.
import type { OperationId } from "../../src/contract/index.ts";
import { operationIdOf } from "../../src/contract/operation-names.ts";
import { countBefore, listOf, sublist } from "../chain/listing.ts";
import { randomNumbers } from "../chain/random.ts";
import { type BlockRange, type ChainReader, type Listing, viewOf } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";
import { decimalJson, type ServiceResponse } from "../message/message.ts";
import { INSPECT } from "../message/notes.ts";
import { type EffectContext, effectOf, type FaultState, type FaultStep } from "./effects.ts";
import {
  type Fault,
  FaultError,
  type FaultName,
  type FaultPreset,
  isUsedUp,
  type PresetFault,
} from "./fault.ts";
import { changeFields } from "./field.ts";
import { parseFault } from "./parse-fault.ts";

/** A request, as faults match it. */
export interface FaultRequest {
  readonly operation: OperationId;
  /** The parameters as they came, and as they were checked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly apiKey: string;
}

/** The combined effect of all faults on one request. */
export interface FaultPlan {
  /** The faults that apply, by name. */
  readonly names: readonly FaultName[];
  readonly applied: readonly Fault[];
  readonly delayMs: number;
  /** Sent in place of the service's response. */
  readonly response: ServiceResponse | undefined;
  /** The chain the service answers from. */
  readonly view: (chain: ChainReader) => ChainReader;
  /** Changes the response. */
  readonly reshape: (response: ServiceResponse) => ServiceResponse;
}

/** A fault that was added and not removed. */
export interface ActiveFault {
  /** Number from 1 in the order of addition, unique in the explorer. */
  readonly id: number;
  readonly fault: Fault;
  /** The preset that was added, if any. `fault` is its definition. */
  readonly preset?: FaultPreset;
  /** Number of requests it matched, whether or not it was applied. */
  readonly matched: number;
  /** Number of requests it was applied to. */
  readonly applied: number;
  /** Removes the fault. */
  remove(): void;
}

interface Rule {
  readonly id: number;
  readonly fault: Fault;
  readonly preset: FaultPreset | undefined;
  readonly seed: number;
  readonly state: FaultState;
}

const copyOf = ({ state, ...rest }: Rule): Rule => ({
  ...rest,
  state: { ...state, buckets: new Map(state.buckets), limits: new Map(state.limits) },
});

/** The faults of an explorer at one moment. */
export interface FaultsSnapshot {
  readonly rules: readonly Rule[];
  /** Number of faults ever added. The seed of the next one depends on it. */
  readonly added: number;
}

export interface FaultsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The seed of probabilities and latencies. */
  readonly seed?: number | undefined;
  /** The number of the chain's newest block. */
  readonly head: () => number;
}

/** More than any test needs. A limit, because every request is compared with each fault. */
const MAX_FAULTS = 1000;

/** The faults of one explorer: `mock.faults`. */
export class Faults {
  #rules: Rule[] = [];
  #added = 0;
  readonly #options: FaultsOptions;

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** How many faults are active. */
  get size(): number {
    return this.#rules.length;
  }

  /** The active faults, in the order they were added. */
  get list(): readonly ActiveFault[] {
    return this.#rules.map((rule) => this.#active(rule));
  }

  /**
   * Adds a fault for future requests. Throws a {@link FaultError} if it is invalid.
   *
   * @example
   * mock.faults.add({ fault: "status", status: 503, operation: "accounts.transactions", once: true });
   * mock.faults.add({ fault: "latency", ms: { median: 40, p99: 900 } });
   * mock.faults.add({ preset: "offline" });
   */
  add(fault: Fault | PresetFault): ActiveFault {
    if (this.#rules.length >= MAX_FAULTS)
      throw new FaultError(`expected at most ${MAX_FAULTS} active faults, received one more`);
    const checked = parseFault(fault);
    const seed = (this.#options.seed ?? 1) + 7919 * this.#added++;
    const rule: Rule = {
      id: this.#added,
      fault: checked,
      preset: "preset" in fault ? fault.preset : undefined,
      seed,
      state: {
        matched: 0,
        applied: 0,
        draws: 0,
        limits: new Map(),
        buckets: new Map(),
        indexed: this.#options.head(),
        polls: 0,
      },
    };
    this.#rules.push(rule);
    return this.#active(rule);
  }

  /**
   * Throws a {@link FaultError} that lists the active faults that were applied to no request. A
   * test whose fault was never applied proves nothing.
   *
   * @example
   * mock.faults.add({ fault: "status", status: 503, operation: "blocks.get", once: true });
   * await explorer.blocks.get(1n); // retried
   * mock.faults.expectMatched();
   */
  expectMatched(): void {
    const idle = this.#rules.filter(({ state }) => state.applied === 0);
    if (idle.length === 0) return;
    const lines = idle.map(
      ({ id, fault, state }) =>
        `\n  #${id} ${decimalJson(withoutKey(fault))?.slice(0, 200)}: ${state.matched === 0 ? "no request matched it" : `matched ${state.matched} requests, and was due for none`}`,
    );
    throw new FaultError(
      `expected every fault to be applied, but these were not:${lines.join("")}`,
    );
  }

  /** `console.log(mock.faults)` prints a line for each active fault. */
  [INSPECT](): string {
    const lines = this.list.map(
      ({ id, fault, matched, applied }) =>
        `\n  #${id} ${decimalJson(fault)}: matched ${matched}, applied ${applied}`,
    );
    return `${lines.length} faults${lines.length ? ":" : ""}${lines.join("")}`;
  }

  /** Removes all faults; {@link ActiveFault.remove} removes one. */
  clear(): void {
    this.#rules = [];
  }

  /** The faults with their state, for {@link restore}. */
  snapshot(): FaultsSnapshot {
    return { rules: this.#rules.map(copyOf), added: this.#added };
  }

  /** Returns to the faults of a snapshot. */
  restore({ rules, added }: FaultsSnapshot): void {
    this.#rules = rules.map(copyOf);
    this.#added = added;
  }

  /** Returns the effect of the faults on a request, for the service; undefined if none applies. */
  plan(call: FaultRequest): FaultPlan | undefined {
    const steps: FaultStep[] = [];
    const applied: Fault[] = [];
    let replacement: ServiceResponse | undefined;
    for (const rule of this.#rules) {
      // Once a fault replaces the response, only latency still applies.
      if (replacement !== undefined && rule.fault.fault !== "latency") continue;
      const step = this.#apply(rule, call);
      if (step === undefined) continue;
      replacement ??= step.response;
      steps.push(step);
      applied.push(withoutKey(rule.fault));
    }
    if (steps.length === 0) return undefined;
    return {
      names: applied.map(({ fault }) => fault),
      applied,
      delayMs: steps.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0),
      response: replacement,
      view: (chain) =>
        steps.reduce((view, { lag }) => (lag ? lagging(view, lag.last, lag.kind) : view), chain),
      // Changes the content first, because a damaged body cannot be parsed.
      reshape: (response) => {
        const changes = steps.flatMap(({ change }) => change ?? []);
        return steps.reduce(
          (changed, { reshape }) => (reshape ? reshape(changed) : changed),
          changeFields(call.operation, response, changes),
        );
      },
    };
  }

  #active(rule: Rule): ActiveFault {
    const { id, fault, preset, state } = rule;
    return {
      id,
      fault: withoutKey(fault),
      ...(preset !== undefined && { preset }),
      get matched() {
        return state.matched;
      },
      get applied() {
        return state.applied;
      },
      remove: () => {
        this.#rules = this.#rules.filter((other) => other !== rule);
      },
    };
  }

  /** The effect of one fault on a request; undefined if it does not apply. */
  #apply({ fault, state, seed }: Rule, request: FaultRequest): FaultStep | undefined {
    if (!matchesRequest(fault, request)) return undefined;
    const { operation, apiKey } = request;
    const context: EffectContext = {
      operation,
      state,
      now: this.#options.now(),
      draw: () => randomNumbers(seed, state.draws++),
      apiKey,
      head: this.#options.head(),
    };
    state.matched++;
    // A pause holds for every request, whatever the other conditions of the fault.
    const isPaused = (state.limits.get(apiKey)?.until ?? 0) > context.now;
    if (!isPaused && !isDue(fault, context)) return undefined;
    const step = effectOf(fault, context);
    if (step !== undefined && !isPaused) state.applied++;
    return step;
  }
}

/** A fault without the API key that it matches, for lists and messages. */
const withoutKey = (fault: Fault): Fault =>
  fault.key === undefined ? fault : { ...fault, key: "[api-key]" };

/** Whether a parameter, or one of its entries, has a value. */
const hasValue = (received: unknown, expected: unknown): boolean =>
  [received].flat().some((value) => `${value}`.toLowerCase() === `${expected}`.toLowerCase());

/** Whether operation, key and parameters match. */
function matchesRequest(
  { operation, key, address, where = {} }: Fault,
  { operation: id, apiKey, parameters }: FaultRequest,
): boolean {
  if (operation !== undefined && ![operation].flat().some((name) => operationIdOf(name) === id))
    return false;
  if (key !== undefined && key !== apiKey) return false;
  if (address !== undefined && !Object.values(parameters).some((value) => hasValue(value, address)))
    return false;
  return Object.entries(where).every(([name, value]) => hasValue(parameters[name], value));
}

/** Whether the fault is due: by count, probability, clock and chain. */
function isDue(fault: Fault, { state, apiKey, now, draw, head }: EffectContext): boolean {
  const { nth, afterCalls = 0, probability, from, until, untilBlock } = fault;
  // A rate limit counts its pauses for each key.
  const applied =
    fault.fault === "rate-limit" ? (state.limits.get(apiKey)?.pauses ?? 0) : state.applied;
  if (isUsedUp(fault, { matched: state.matched - 1, applied })) return false;
  if (nth !== undefined && ![nth].flat().includes(state.matched)) return false;
  if (state.matched <= afterCalls) return false;
  if (from !== undefined && now < new Date(from).getTime()) return false;
  if (until !== undefined && now >= new Date(until).getTime()) return false;
  if (untilBlock !== undefined && head >= untilBlock) return false;
  return probability === undefined || draw() < probability;
}

const empty = listOf<never>([]);

const upTo = (range: BlockRange | undefined, last: number): BlockRange => ({
  ...range,
  endBlock: Math.min(range?.endBlock ?? last, last),
});

/** Returns the blocks of a list up to `last`. */
const blocksUpTo = (list: Listing<Block>, last: number): Listing<Block> =>
  sublist(
    list,
    0,
    countBefore(list, ({ number }) => number <= last),
  );

/**
 * Views the chain as an indexer that is behind: blocks, or only their traces, stop at `last`.
 * Balances and tokens are current, as a node reports them.
 */
function lagging(chain: ChainReader, last: number, kind: "blocks" | "traces"): ChainReader {
  const traces: Pick<ChainReader, "frames" | "framesOf"> = {
    frames: (address, range) => chain.frames(address, upTo(range, last)),
    framesOf: (transaction) =>
      transaction.block.number > last ? empty : chain.framesOf(transaction),
  };
  if (kind === "traces") return viewOf(chain, traces);
  return viewOf(chain, {
    ...traces,
    get head() {
      return chain.block(last) ?? chain.head;
    },
    block: (number) => (number > last ? undefined : chain.block(number)),
    blocksMinedBy: (miner) => blocksUpTo(chain.blocksMinedBy(miner), last),
    transaction(hash) {
      const transaction = chain.transaction(hash);
      return transaction && transaction.block.number > last ? undefined : transaction;
    },
    transactions: (address, role, range) => chain.transactions(address, role, upTo(range, last)),
    logs: (filter) => chain.logs({ ...filter, ...upTo(filter, last) }),
    transfers: (address, standard, range) => chain.transfers(address, standard, upTo(range, last)),
  });
}
