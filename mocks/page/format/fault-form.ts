// The form of each fault: its fields, and the fault that their texts mean.
import { jsonIn } from "../../../src/models/json.ts";
import type { FaultName } from "../../faults/fault.ts";
import { type Field, FieldError } from "../parts/form.tsx";

interface FaultKind {
  readonly says: string;
  readonly fields: readonly Field[];
}

/** A field with an initial value is required. */
const field = (name: string, label: string, value = "", isNumber = false): Field => ({
  ...{ name, label, value, required: value !== "" },
  ...(isNumber && { type: "number" as const }),
});

const number = (name: string, label: string, value?: string) => field(name, label, value, true);
const blocks = number("blocks", "Blocks", "2");

export const faultKinds: Readonly<Record<FaultName, FaultKind>> = {
  latency: {
    says: "Latency: the response is delayed",
    fields: [number("ms", "Milliseconds", "500")],
  },
  status: {
    says: "Status: an error response",
    fields: [number("status", "Status", "503"), field("message", "Message")],
  },
  failure: {
    says: "Failure: HTTP 200 with an error message",
    fields: [field("message", "Message", "error")],
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
    fields: [number("status", "Status", "200"), field("body", "Body or results as JSON")],
  },
  "malformed-json": { says: "Malformed JSON", fields: [] },
  truncated: {
    says: "Truncated: the connection ends within the body",
    fields: [number("keep", "Share kept (0 to 1)")],
  },
  "content-type": {
    says: "Content type: not JSON",
    fields: [field("type", "Type", "text/html")],
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
    fields: [
      field("path", "Path", "data.*.value"),
      field("value", "Value as JSON (empty: removed)"),
    ],
  },
  stale: { says: "Stale: the newest blocks are missing", fields: [blocks] },
  "pending-traces": {
    says: "Pending traces: internal transactions are missing",
    fields: [blocks],
  },
};

/** Which requests a fault applies to. */
export const matchFields: readonly Field[] = [
  field("address", "Address or hash"),
  number("nth", "Only the n-th request"),
  number("times", "Maximum times"),
  number("probability", "Probability (0 to 1)"),
];

function readField({ name, type }: Field, text: string): unknown {
  if (type === "number") return Number(text);
  if (name !== "value" && name !== "body") return text;
  const value = jsonIn(text);
  if (value === undefined)
    throw new FieldError(name, `expected JSON, received ${text.slice(0, 60)}`);
  return value;
}

/** Builds the fault. Empty fields are left out. */
export function faultOf(
  name: FaultName,
  operations: readonly string[],
  texts: (name: string) => string,
): object {
  const entries = [...faultKinds[name].fields, ...matchFields].flatMap((field) => {
    const text = texts(field.name);
    return text === "" ? [] : [[field.name, readField(field, text)]];
  });
  const operation = operations.length > 0 ? { operation: operations } : {};
  return { fault: name, ...operation, ...Object.fromEntries(entries) };
}
