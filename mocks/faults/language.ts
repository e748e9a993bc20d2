// The language of faults: what may go wrong, and for which requests. Plain data, so that a test, a file and another process speak it alike.
import { type OperationId, operations } from "../../src/contract/index.ts";
import { describe, isObject } from "../../src/models/issues.ts";
import { meant } from "../doors/suggest.ts";
import { leads } from "./field.ts";

/** Which requests a fault strikes; everything left out matches. */
export interface FaultMatch {
  readonly operation?: OperationId | readonly OperationId[];
  /** A parameter has this value (an address, a hash), in any case. */
  readonly address?: string;
  /** Only the n-th of the requests that match the above, from 1. */
  readonly nth?: number | readonly number[];
  /** From 0 to 1; drawn from the seed, so that a run repeats. */
  readonly probability?: number;
  /** The same as `times: 1`. */
  readonly once?: boolean;
  /** How often it strikes at most. */
  readonly times?: number;
  /** Until this moment of the explorer's clock: an ISO time, or milliseconds since 1970. */
  readonly until?: string | number;
  /** Until the chain has this block. */
  readonly untilBlock?: number;
}

/** Milliseconds: always the same, evenly spread, or mostly about `median` and rarely above `p99`. */
export type Latency =
  | number
  | { readonly from: number; readonly to: number }
  | { readonly median: number; readonly p99: number };

/** How long an index lags: so many blocks behind, or so many questions after a block. */
export type Lag = { readonly blocks: number } | { readonly polls: number };

/** What goes wrong. */
export type Effect =
  /** The reply comes late. */
  | { readonly fault: "latency"; readonly ms: Latency }
  /** An error in its envelope (S1). */
  | {
      readonly fault: "status";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A failure with HTTP 200 and another message than success, as deployments answer them. */
  | { readonly fault: "failure"; readonly message: string; readonly results?: unknown }
  /** 429; whoever comes back before `retryAfter` seconds are over hears it again, with what remains. */
  | { readonly fault: "rate-limit"; readonly retryAfter: number }
  /** A bucket of `requests` tokens for each api-key, filled again evenly in `perMs`; 429 when it is empty. */
  | { readonly fault: "token-bucket"; readonly requests: number; readonly perMs: number }
  /** JSON with a piece missing. */
  | { readonly fault: "malformed-json" }
  /** The connection ends after this share of the body (0.5 if left out). */
  | { readonly fault: "truncated"; readonly keep?: number }
  /** The right body under a wrong content type. */
  | { readonly fault: "content-type"; readonly type: string }
  /** A page for people, as proxies send them. */
  | { readonly fault: "html"; readonly status?: number }
  /** No body at all. */
  | { readonly fault: "empty"; readonly status?: number }
  /** `bytes` at a time, with a pause of `everyMs`. */
  | { readonly fault: "drip"; readonly bytes: number; readonly everyMs: number }
  /** The connection breaks before the reply. */
  | { readonly fault: "reset" }
  /** No reply, ever. */
  | { readonly fault: "never" }
  /**
   * A field of the results with another value (missing, without `value`). `path` goes from the results inwards,
   * `*` is every entry: `data.*.value`.
   */
  | { readonly fault: "field"; readonly path: string; readonly value?: unknown }
  /** The index lags behind the chain: the newest blocks are not there yet. */
  | ({ readonly fault: "stale" } & Lag)
  /** Blocks are indexed, their traces not yet: internal transactions (A3, X3) are missing. */
  | ({ readonly fault: "pending-traces" } & Lag);

/** What goes wrong, and for which requests. */
export type Fault = FaultMatch & Effect;

export type FaultName = Effect["fault"];

/** A fault that makes no sense, or that a door cannot express. */
export class FaultError extends Error {
  override readonly name = "FaultError";
}

/** What is expected, where a value is not it. */
interface Check {
  readonly expected: string;
  readonly test: (value: unknown) => boolean;
  readonly optional?: boolean;
}

const check = (expected: string, test: (value: unknown) => boolean): Check => ({ expected, test });
const maybe = (of: Check): Check => ({ ...of, optional: true });

const isNumber =
  (least: number, most = Number.POSITIVE_INFINITY) =>
  (value: unknown) =>
    typeof value === "number" && value >= least && value <= most;
const isInteger =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: unknown) =>
    Number.isSafeInteger(value) && isNumber(least, most)(value);
const isText = (value: unknown) => typeof value === "string" && value !== "";
const oneOrMore = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) ? value.length > 0 && value.every(test) : test(value);
const hasNumbers = (value: unknown, low: string, high: string): boolean => {
  const pair = value as Readonly<Record<string, number>>;
  return isNumber(0)(pair[low]) && isNumber(pair[low] ?? 0)(pair[high]);
};

const milliseconds = check("milliseconds, 0 or more", isNumber(0));
const positive = check("an integer of 1 or more", isInteger(1));
const word = check("a text", isText);
/** 1xx is no reply; 204, 205 and 304 have no body. */
const status = check(
  "a status from 200 to 999 that may have a body",
  (value) => isInteger(200, 999)(value) && ![204, 205, 304].includes(Number(value)),
);
/** Visible letters: anything else would not pass as a header. */
const headerText = check("a header value", (value) => isText(value) && /^[ -~]*$/.test(`${value}`));
const headers = check(
  "an object of header values",
  (value) =>
    value !== null &&
    typeof value === "object" &&
    Object.entries(value).every(([name, one]) => /^[\w-]+$/.test(name) && headerText.test(one)),
);
const anything = check("any JSON", () => true);
const latency = check(
  "milliseconds, { from, to } or { median, p99 }",
  (value) =>
    isNumber(0)(value) ||
    (value !== null &&
      typeof value === "object" &&
      (hasNumbers(value, "from", "to") || hasNumbers(value, "median", "p99"))),
);
const lag = { blocks: maybe(positive), polls: maybe(positive) };

const matches: { readonly [Key in keyof Required<FaultMatch>]: Check } = {
  operation: maybe(
    check(
      "an operation of the contract (A2), or several",
      oneOrMore((id) => typeof id === "string" && Object.hasOwn(operations, id)),
    ),
  ),
  address: maybe(
    check(
      "an address or a hash (0x and 40 or 64 hexadecimal digits)",
      (value) => typeof value === "string" && /^0x[0-9a-f]{40}([0-9a-f]{24})?$/i.test(value),
    ),
  ),
  nth: maybe(check("an integer of 1 or more, or several", oneOrMore(isInteger(1)))),
  probability: maybe(check("a number from 0 to 1", isNumber(0, 1))),
  once: maybe(check("true or false", (value) => typeof value === "boolean")),
  times: maybe(positive),
  until: maybe(
    check("an ISO time, or milliseconds since 1970", (value) =>
      Number.isFinite(typeof value === "string" ? Date.parse(value) : value),
    ),
  ),
  untilBlock: maybe(check("a block number", isInteger(0))),
};

type Keys<Union> = Union extends unknown ? Exclude<keyof Union, "fault"> : never;

/** The parameters of each fault: a fault without its line here does not compile. */
const parameters: {
  readonly [Name in FaultName]: {
    readonly [Key in Keys<Extract<Effect, { readonly fault: Name }>>]: Check;
  };
} = {
  latency: { ms: latency },
  status: { status, message: maybe(word), headers: maybe(headers) },
  failure: { message: word, results: maybe(anything) },
  "rate-limit": { retryAfter: check("seconds, 1 or more", isInteger(1)) },
  "token-bucket": { requests: positive, perMs: check("milliseconds, 1 or more", isNumber(1)) },
  "malformed-json": {},
  truncated: {
    keep: maybe(
      check(
        "a share of the body, between 0 and 1",
        (value) => isNumber(0, 1)(value) && value !== 0 && value !== 1,
      ),
    ),
  },
  "content-type": { type: headerText },
  html: { status: maybe(status) },
  empty: { status: maybe(status) },
  drip: { bytes: positive, everyMs: milliseconds },
  reset: {},
  never: {},
  field: { path: word, value: maybe(anything) },
  stale: lag,
  "pending-traces": lag,
};

/** A fault as it came, from a program or from the wire, if it makes sense. */
export function understood(raw: unknown): Fault {
  if (!isObject(raw))
    throw new FaultError(`a fault: expected an object, received ${describe(raw)}`);
  const given: Readonly<Record<string, unknown>> = { ...raw };
  const name = given.fault;
  if (typeof name !== "string" || !Object.hasOwn(parameters, name))
    throw new FaultError(
      `fault: expected one of ${Object.keys(parameters).join(", ")}, received ${describe(name)}${hint(String(name), Object.keys(parameters))}`,
    );
  const checks: Readonly<Record<string, Check>> = {
    ...matches,
    ...parameters[name as FaultName],
  };
  for (const [key, { expected, test, optional }] of Object.entries(checks)) {
    const value = given[key];
    if (value === undefined ? !optional : !test(value))
      throw new FaultError(
        `${key} of the fault ${name}: expected ${expected}, received ${describe(value)}`,
      );
  }
  for (const key of Object.keys(given))
    if (key !== "fault" && !Object.hasOwn(checks, key))
      throw new FaultError(
        `${key}: the fault ${name} has no such parameter${hint(key, Object.keys(checks))}`,
      );
  if (name === "field") refusePathless(given as unknown as FieldFault);
  const isLag = name === "stale" || name === "pending-traces";
  if (isLag && (given.blocks === undefined) === (given.polls === undefined))
    throw new FaultError(`the fault ${name}: expected either blocks or polls`);
  return given as unknown as Fault;
}

type FieldFault = FaultMatch & Extract<Effect, { readonly fault: "field" }>;

/** A path that leads nowhere would change nothing, and a test that waits for the change would pass without it. */
function refusePathless(fault: FieldFault): void {
  const ids = [fault.operation ?? (Object.keys(operations) as OperationId[])].flat();
  if (ids.some((id) => leads(id, fault.path.split("."), "value" in fault))) return;
  throw new FaultError(
    `path of the fault field: no answer of ${fault.operation === undefined ? "any operation" : ids.join(", ")} has ${fault.path}`,
  );
}

function hint(word: string, known: readonly string[]): string {
  const near = meant(word, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** The ways out of the service. */
export type Transport = "fetch" | "msw" | "worker" | "http";

/** What a transport cannot express of a fault, if there is such a thing. */
export function inexpressible(fault: Fault, transport: Transport): string | undefined {
  if (transport !== "http" && "status" in fault && fault.status !== undefined && fault.status > 599)
    return `the fault ${fault.fault} with status ${fault.status} cannot pass through ${transport}: a Response has a status from 200 to 599`;
  return undefined;
}
