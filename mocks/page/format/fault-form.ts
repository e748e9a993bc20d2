// The fields of each fault's form, and the fault that filled fields mean.
import { jsonIn } from "../../../src/models/json.ts";
import type { FaultName } from "../../faults/fault.ts";

export interface FaultField {
  /** The fault's own name for it. */
  readonly name: string;
  readonly label: string;
  readonly kind: "number" | "text" | "json";
  readonly initial: string;
  readonly required: boolean;
}

/** What has a value at first is required. */
const field =
  (kind: FaultField["kind"]) =>
  (name: string, label: string, initial = ""): FaultField => ({
    ...{ name, label, kind, initial },
    required: initial !== "",
  });

const [number, text, json] = [field("number"), field("text"), field("json")];
const blocks = number("blocks", "Blocks", "2");

/** Every fault: what it does, and what it needs. */
export const faultKinds: Readonly<
  Record<FaultName, { readonly says: string; readonly fields: readonly FaultField[] }>
> = {
  latency: {
    says: "Latency: the response is delayed",
    fields: [number("ms", "Milliseconds", "500")],
  },
  status: {
    says: "Status: an error response",
    fields: [number("status", "Status", "503"), text("message", "Message")],
  },
  failure: {
    says: "Failure: HTTP 200 with an error message",
    fields: [text("message", "Message", "error")],
  },
  "rate-limit": {
    says: "Rate limit: 429 for a time",
    fields: [number("retryAfter", "Seconds", "2")],
  },
  "token-bucket": {
    says: "Token bucket: 429 above a rate",
    fields: [number("requests", "Requests", "5"), number("perMs", "Per milliseconds", "1000")],
  },
  response: {
    says: "Response: a body by hand",
    fields: [number("status", "Status", "200"), json("body", "Body or results as JSON")],
  },
  "malformed-json": { says: "Malformed JSON", fields: [] },
  truncated: {
    says: "Truncated: the connection ends within the body",
    fields: [number("keep", "Share kept (0 to 1)")],
  },
  "content-type": {
    says: "Content type: not JSON",
    fields: [text("type", "Type", "text/html")],
  },
  html: { says: "HTML: a proxy's error page", fields: [number("status", "Status", "502")] },
  empty: { says: "Empty: no body", fields: [number("status", "Status", "200")] },
  drip: {
    says: "Drip: a few bytes at a time",
    fields: [number("bytes", "Bytes", "64"), number("everyMs", "Every milliseconds", "50")],
  },
  reset: { says: "Reset: the connection breaks", fields: [] },
  never: { says: "Never: no response at all", fields: [] },
  field: {
    says: "Field: a field of the results with another value",
    fields: [text("path", "Path", "data.*.value"), json("value", "Value as JSON (empty: removed)")],
  },
  stale: { says: "Stale: the newest blocks are missing", fields: [blocks] },
  "pending-traces": {
    says: "Pending traces: internal transactions are missing",
    fields: [blocks],
  },
};

/** The requests it applies to: the same fields for every fault. */
export const matchFields: readonly FaultField[] = [
  text("address", "Address or hash"),
  number("nth", "Only the n-th request"),
  number("times", "Maximum times"),
  number("probability", "Probability (0 to 1)"),
];

function readField({ kind, label }: FaultField, text: string): unknown {
  if (kind === "number") return Number(text);
  if (kind === "text") return text;
  const value = jsonIn(text);
  if (value === undefined)
    throw new Error(`${label}: expected JSON, received ${text.slice(0, 60)}`);
  return value;
}

/** The fault; empty fields are left out. */
export function faultOf(
  name: FaultName,
  operations: readonly string[],
  field: (name: string) => string,
): object {
  const given = [...faultKinds[name].fields, ...matchFields].flatMap((one) => {
    const text = field(one.name);
    return text === "" ? [] : [[one.name, readField(one, text)]];
  });
  const operation = operations.length > 0 ? { operation: operations } : {};
  return { fault: name, ...operation, ...Object.fromEntries(given) };
}
