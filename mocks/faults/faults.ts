// The faults that are arranged, and what they make of a request: one plan for every door.
import type { OperationId } from "../../src/contract/index.ts";
import { operationIdOf } from "../../src/contract/operation-names.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ServiceResponse } from "../message.ts";
import { randomNumbers } from "../random.ts";
import { type EffectContext, effectOf, type FaultState, type FaultStep } from "./effects.ts";
import {
  type Fault,
  FaultError,
  type FaultName,
  inexpressibleReason,
  type Transport,
} from "./fault.ts";
import { lagging } from "./lag.ts";
import { parseFault } from "./parse-fault.ts";

/** What is known of a request when faults are looked for. */
export interface FaultCall {
  readonly operation: OperationId;
  /** The parameters as they came. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly apiKey: string;
}

/** What faults make of one request. */
export interface FaultPlan {
  /** Those that strike, by name. */
  readonly names: readonly FaultName[];
  readonly delayMs: number;
  /** Sent instead of an answer. */
  readonly response: ServiceResponse | undefined;
  /** The chain as the answer sees it. */
  readonly view: (chain: ChainReader) => ChainReader;
  /** What becomes of the reply. */
  readonly reshape: (reply: ServiceResponse) => ServiceResponse;
}

/** A fault that is arranged. */
export interface ActiveFault {
  readonly fault: Fault;
  /** The requests it matched, whether it struck or not. */
  readonly matched: number;
  /** How often it struck. */
  readonly struck: number;
  /** Takes it away. */
  remove(): void;
}

interface Rule {
  readonly fault: Fault;
  readonly seed: number;
  readonly state: FaultState;
}

const copyOf = ({ state: memory, ...rest }: Rule): Rule => ({
  ...rest,
  state: { ...memory, buckets: new Map(memory.buckets) },
});

/** The faults of an explorer at one moment. */
export interface FaultsSnapshot {
  readonly rules: readonly Rule[];
  /** How many were ever added: what is added next has the chance it had then. */
  readonly added: number;
}

export interface FaultsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What chance is drawn from. */
  readonly seed?: number | undefined;
  /** The number of the chain's newest block. */
  readonly head: () => number;
  /** The ways out in use; tenants share them. */
  readonly transports?: Set<Transport> | undefined;
}

/** The faults of one explorer, the same for all its doors: `mock.faults`. */
export class Faults {
  #rules: Rule[] = [];
  #added = 0;
  readonly #open: Set<Transport>;
  readonly #options: FaultsOptions;

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#open = options.transports ?? new Set();
  }

  /** How many faults are arranged. */
  get size(): number {
    return this.#rules.length;
  }

  /** The faults that are arranged, in order. */
  get list(): readonly ActiveFault[] {
    return this.#rules.map((rule) => this.#arranged(rule));
  }

  /**
   * Arranges a fault for the requests to come. Throws a {@link FaultError} for one that makes no sense, or that a door
   * in use cannot express.
   *
   * @example
   * mock.faults.add({ fault: "status", status: 503, operation: "A2", once: true });
   * mock.faults.add({ fault: "latency", ms: { median: 40, p99: 900 } });
   */
  add(fault: Fault): ActiveFault {
    const checked = parseFault(fault);
    for (const transport of this.#open) assertExpressible(checked, transport);
    const rule: Rule = {
      fault: checked,
      seed: (this.#options.seed ?? 1) + 7919 * this.#added++,
      state: {
        matched: 0,
        struck: 0,
        draws: 0,
        limitedUntil: 0,
        buckets: new Map(),
        shown: this.#options.head(),
        polls: 0,
      },
    };
    this.#rules.push(rule);
    return this.#arranged(rule);
  }

  /** Takes all faults away; {@link ActiveFault.remove} takes one. */
  clear(): void {
    this.#rules = [];
  }

  /** For doors: says that replies leave this way from now on. Throws if a fault that is arranged cannot. */
  attach(transport: Transport): void {
    if (this.#open.has(transport)) return;
    for (const { fault } of this.#rules) assertExpressible(fault, transport);
    this.#open.add(transport);
  }

  /** The faults, and how often each has struck. */
  snapshot(): FaultsSnapshot {
    return { rules: this.#rules.map(copyOf), added: this.#added };
  }

  /** The faults as they were then. */
  restore({ rules, added }: FaultsSnapshot): void {
    this.#rules = rules.map(copyOf);
    this.#added = added;
  }

  /** For the core: what becomes of a request; undefined: what always becomes of it. */
  plan(call: FaultCall): FaultPlan | undefined {
    const steps: FaultStep[] = [];
    const names: FaultName[] = [];
    let instead: ServiceResponse | undefined;
    for (const rule of this.#rules) {
      // After a reply that is no answer nothing can be made worse but the time it takes.
      if (instead !== undefined && rule.fault.fault !== "latency") continue;
      const step = this.#strike(rule, call);
      if (step === undefined) continue;
      instead ??= step.response;
      steps.push(step);
      names.push(rule.fault.fault);
    }
    if (steps.length === 0) return undefined;
    return {
      names,
      delayMs: steps.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0),
      response: instead,
      view: (chain) =>
        steps.reduce((seen, { lag }) => (lag ? lagging(seen, lag.last, lag.what) : seen), chain),
      // What is to be changed in an answer is looked for while it can be read.
      reshape: (reply) =>
        [...steps.map(({ revise }) => revise), ...steps.map(({ reshape }) => reshape)].reduce(
          (shaped, change) => (change ? change(shaped) : shaped),
          reply,
        ),
    };
  }

  #arranged(rule: Rule): ActiveFault {
    const { fault, state: memory } = rule;
    return {
      fault,
      get matched() {
        return memory.matched;
      },
      get struck() {
        return memory.struck;
      },
      remove: () => {
        this.#rules = this.#rules.filter((other) => other !== rule);
      },
    };
  }

  /** What one fault does to a request; undefined if it lets it pass. */
  #strike(
    { fault, state: memory, seed }: Rule,
    { operation, raw, apiKey }: FaultCall,
  ): FaultStep | undefined {
    if (!matchesRequest(fault, operation, raw)) return undefined;
    const circumstances: EffectContext = {
      state: memory,
      now: this.#options.now(),
      draw: () => randomNumbers(seed, memory.draws++),
      apiKey,
      head: this.#options.head(),
    };
    memory.matched++;
    // A limit that was announced holds, whatever else the fault waits for.
    const holds = memory.limitedUntil > circumstances.now;
    if (!holds && !isDue(fault, circumstances)) return undefined;
    const step = effectOf(fault, circumstances);
    if (step !== undefined && !holds) memory.struck++;
    return step;
  }
}

function assertExpressible(fault: Fault, transport: Transport): void {
  const reason = inexpressibleReason(fault, transport);
  if (reason !== undefined) throw new FaultError(reason);
}

/** Whether the request is one of those the fault is for. */
function matchesRequest(
  { operation, address }: Fault,
  id: OperationId,
  raw: Readonly<Record<string, unknown>>,
): boolean {
  if (operation !== undefined && ![operation].flat().some((key) => operationIdOf(key) === id))
    return false;
  if (address === undefined) return true;
  const wanted = address.toLowerCase();
  return Object.values(raw)
    .flat()
    .some((value) => typeof value === "string" && value.toLowerCase() === wanted);
}

/** Whether it is time for the fault: by count, by chance, by the clock, by the chain. */
function isDue(fault: Fault, { state: memory, now, draw, head }: EffectContext): boolean {
  const { nth, probability, once, times = once ? 1 : Number.POSITIVE_INFINITY } = fault;
  const { until, untilBlock } = fault;
  if (memory.struck >= times) return false;
  if (nth !== undefined && ![nth].flat().includes(memory.matched)) return false;
  if (until !== undefined && now >= new Date(until).getTime()) return false;
  if (untilBlock !== undefined && head >= untilBlock) return false;
  return probability === undefined || draw() < probability;
}
