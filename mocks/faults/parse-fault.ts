// The schema of faults, and the messages for invalid ones.
import * as z from "zod/mini";
import { type OperationId, operations } from "../../src/contract/index.ts";
import {
  type OperationKey,
  operationIdOf,
  operationKeys,
  operationLabel,
} from "../../src/contract/operation-names.ts";
import { isAddress, isHash } from "../../src/models/hex.ts";
import { check, type Issue, mismatch } from "../../src/models/issues.ts";
import { closestMatch, didYouMean } from "../../src/models/suggest.ts";
import {
  type Fault,
  FaultError,
  type FaultMatch,
  type FaultName,
  type FaultPreset,
  faultPresets,
} from "./fault.ts";
import { hasPath, inheritedStep } from "./field.ts";
import { handMadeResponse, type ResponseEffect, violationOf } from "./response-by-hand.ts";

const nonEmptyText = z.string().check(z.minLength(1, "a text"));
const milliseconds = z.number("milliseconds, 0 or more").check(z.gte(0, "milliseconds, 0 or more"));
const integerFrom = (minimum: number, expected = `an integer of ${minimum} or more`) =>
  z.int(expected).check(z.gte(minimum, expected));
const positive = integerFrom(1);
/**
 * 1xx is not final; 204, 205 and 304 have no body (https://www.rfc-editor.org/rfc/rfc9110). A
 * `Response` of fetch has no status above 599.
 */
const A_STATUS = "a status from 200 to 599 that may have a body";
const status = z.int(A_STATUS).check(
  z.gte(200, A_STATUS),
  z.lte(599, A_STATUS),
  z.refine((value) => ![204, 205, 304].includes(value), A_STATUS),
);
/** Printable ASCII: other characters are not allowed in a header. */
const headerText = z.string("a header value").check(z.regex(/^[ -~]+$/, "a header value"));
const headers = z.record(z.string().check(z.regex(/^[\w-]+$/, "the name of a header")), headerText);

const latency = z.union(
  [
    milliseconds,
    z
      .strictObject({ from: milliseconds, to: milliseconds })
      .check(z.refine(({ from, to }) => from <= to, "milliseconds, `from` no more than `to`")),
    z
      .strictObject({ median: milliseconds, p99: milliseconds })
      .check(
        z.refine(({ median, p99 }) => median <= p99, "milliseconds, `median` no more than `p99`"),
      ),
  ],
  "milliseconds, { from, to } or { median, p99 }",
);

const valueOrList = <S extends z.ZodMiniType>(value: S, expected: string) =>
  z.union([value, z.array(value).check(z.minLength(1))], expected);

const isOperation = (key: unknown) => operationIdOf(String(key)) !== undefined;
const AN_OPERATION = "an operation of the contract (A2 or accounts.transactions)";
const operation = z.pipe(z.string(AN_OPERATION), z.custom<OperationKey>(isOperation, AN_OPERATION));
const AN_ADDRESS = "an address or a hash (0x and 40 or 64 hexadecimal digits)";
const A_TIME = "an ISO time, or milliseconds since 1970";
const SHARE = "a share of the body, between 0 and 1";

const moment = z.union(
  [z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), A_TIME)), z.number()],
  A_TIME,
);
const JSON_VALUE = "a value of JSON; amounts are texts";

/** Refuses a bigint and an object that contains itself, because no response could hold them. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

const jsonValue = z.optional(z.unknown().check(z.refine(isJson, JSON_VALUE)));
const A_VALUE = "a text, a number or a boolean";
const isScalar = (value: unknown) => /^(string|number|bigint|boolean)$/.test(typeof value);

const matches = {
  operation: z.optional(valueOrList(operation, `${AN_OPERATION}, or several`)),
  address: z.optional(
    z.string(AN_ADDRESS).check(z.refine((value) => isAddress(value) || isHash(value), AN_ADDRESS)),
  ),
  where: z.optional(z.record(z.string(), z.unknown().check(z.refine(isScalar, A_VALUE)))),
  key: z.optional(nonEmptyText),
  nth: z.optional(valueOrList(positive, "an integer of 1 or more, or several")),
  probability: z.optional(
    z
      .number("a number from 0 to 1")
      .check(z.gte(0, "a number from 0 to 1"), z.lte(1, "a number from 0 to 1")),
  ),
  once: z.optional(z.boolean()),
  times: z.optional(positive),
  afterCalls: z.optional(positive),
  from: z.optional(moment),
  until: z.optional(moment),
  untilBlock: z.optional(integerFrom(0, "a block number")),
} satisfies Record<keyof FaultMatch, z.ZodMiniType>;

/**
 * Returns the schema of a fault: its own parameters, and those that all faults share. It refuses
 * any other parameter.
 */
const fault = <const Name extends FaultName, Shape extends z.core.$ZodLooseShape>(
  name: Name,
  parameters: Shape,
) => z.strictObject({ fault: z.literal(name), ...parameters, ...matches });

const lag = { blocks: z.exactOptional(positive), polls: z.exactOptional(positive) };
const eitherLag = z.refine<{ blocks?: number; polls?: number }>(
  ({ blocks, polls }) => (blocks === undefined) !== (polls === undefined),
  "either blocks or polls",
);

/** Refuses a path that no response has, because the fault would silently change nothing. */
const field = fault("field", { path: nonEmptyText, value: jsonValue }).check(
  ({ value: input, issues }) => {
    if (issues.length) return;
    const { operation, path } = input;
    const stray = inheritedStep(path);
    if (stray !== undefined) {
      const message = `a path through fields of the results (${stray} is not a field)`;
      issues.push({ code: "custom", path: ["path"], message, input: path });
      return;
    }
    const ids =
      operation === undefined
        ? (Object.keys(operations) as OperationId[])
        : [operation].flat().flatMap((key) => operationIdOf(key) ?? []);
    if (ids.some((id) => hasPath(id, path.split("."), "value" in input))) return;
    const owner = operation === undefined ? "any operation" : ids.map(operationLabel).join(", ");
    const message = `a path through the results, but no response of ${owner} has ${path}`;
    issues.push({ code: "custom", path: ["path"], message, input: path });
  },
);

export const faultSchema = z.discriminatedUnion("fault", [
  fault("latency", { ms: latency }),
  fault("status", {
    status,
    message: z.optional(nonEmptyText),
    headers: z.optional(headers),
  }),
  fault("failure", { message: nonEmptyText, results: jsonValue }),
  fault("rate-limit", { retryAfter: integerFrom(1, "seconds, 1 or more") }),
  fault("token-bucket", {
    requests: positive,
    perMs: z.number().check(z.gte(1, "milliseconds, 1 or more")),
  }),
  fault("response", {
    status: z.optional(status),
    headers: z.optional(headers),
    body: jsonValue,
    checked: z.optional(z.boolean()),
  }),
  fault("malformed-json", {}),
  fault("truncated", {
    keep: z.optional(z.number(SHARE).check(z.gt(0, SHARE), z.lt(1, SHARE))),
  }),
  fault("content-type", { type: headerText }),
  fault("html", { status: z.optional(status) }),
  fault("empty", { status: z.optional(status) }),
  fault("drip", { bytes: positive, everyMs: milliseconds }),
  fault("reset", {}),
  fault("never", {}),
  field,
  fault("stale", lag).check(eitherLag),
  fault("pending-traces", lag).check(eitherLag),
]);

const presetNames = Object.keys(faultPresets) as FaultPreset[];

export const presetSchema = z.strictObject({ preset: z.enum(presetNames), ...matches });

/** Checks a fault from a program or from the wire. Replaces a preset by its definition. */
export function parseFault(raw: unknown): Fault {
  const isPreset = typeof raw === "object" && raw !== null && Object.hasOwn(raw, "preset");
  const { value, issues } = isPreset ? check(presetSchema, raw) : check(faultSchema, raw);
  if (issues) throw new FaultError(issues.map((issue) => explainFault(issue, raw)).join("; "));
  const { preset, ...own } = { preset: undefined, ...value };
  // A refinement ensures what the type `Lag` says: exactly one of its two fields.
  const fault = { ...(preset && faultPresets[preset]), ...own } as Fault;
  checkParameters(fault);
  if (fault.fault === "response") checkResponse(fault);
  return fault;
}

const idsOf = ({ operation = [] }: FaultMatch): readonly OperationId[] =>
  [operation].flat().flatMap((key) => operationIdOf(key) ?? []);

/** Refuses a parameter that no matched operation has, because the fault would never apply. */
function checkParameters(fault: Fault): void {
  const ids = fault.operation === undefined ? Object.keys(operations) : idsOf(fault);
  const names = ids.flatMap((id) => Object.keys(operations[id as OperationId].input.shape));
  for (const name of Object.keys(fault.where ?? {}))
    if (!names.includes(name))
      throw new FaultError(
        `where of the fault ${fault.fault}: no operation that it matches has a parameter ${name}${didYouMean(name, names)}`,
      );
}

/**
 * Refuses a body that violates the contract of the fault's operations. Does not check a function,
 * whose result is checked with each response.
 */
function checkResponse(fault: ResponseEffect & FaultMatch): void {
  if (typeof fault.body === "function") return;
  for (const id of idsOf(fault)) {
    const violation = violationOf(fault, id, handMadeResponse(fault, id, undefined));
    if (violation !== undefined) throw new FaultError(`body of the fault response: ${violation}`);
  }
}

/** Says which field is invalid, what was expected and received, and the closest valid word. */
function explainFault({ path, expected, received, options }: Issue, raw: unknown): string {
  const validWords = path[0] === "operation" ? operationKeys : options;
  const near =
    validWords && typeof received === "string" ? closestMatch(received, validWords) : undefined;
  const problem =
    mismatch(expected, received) + (near === undefined ? "" : `; did you mean ${near}?`);
  const name = path[0] === "fault" ? undefined : Object(raw).fault;
  if (typeof name !== "string") return `${path.length ? path.join(".") : "a fault"}: ${problem}`;
  return `${path.length ? `${path.join(".")} of ` : ""}the fault ${name}: ${problem}`;
}
