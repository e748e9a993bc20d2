// The form of each fault, and the fault that a completed form describes.
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
const status = (code: string) => number("status", "Status", code);

const kind = (says: string, ...fields: readonly Field[]): FaultKind => ({ says, fields });

export const faultKinds: Readonly<Record<FaultName, FaultKind>> = {
  latency: kind("Latency: the response is delayed", number("ms", "Milliseconds", "500")),
  status: kind("Status: an error response", status("503"), field("message", "Message")),
  failure: kind("Failure: HTTP 200 with an error message", field("message", "Message", "error")),
  "rate-limit": kind("Rate limit: 429 for a time", number("retryAfter", "Seconds", "2")),
  "token-bucket": kind(
    "Token bucket: 429 above a rate",
    ...[number("requests", "Requests", "5"), number("perMs", "Per milliseconds", "1000")],
  ),
  response: kind(
    "Response: a body by hand",
    ...[status("200"), field("body", "Body or results as JSON")],
  ),
  "malformed-json": kind("Malformed JSON"),
  truncated: kind(
    "Truncated: the connection ends within the body",
    number("keep", "Share kept (0 to 1)"),
  ),
  "content-type": kind("Content type: not JSON", field("type", "Type", "text/html")),
  html: kind("HTML: a proxy's error page", status("502")),
  empty: kind("Empty: no body", status("200")),
  drip: kind(
    "Drip: a few bytes at a time",
    ...[number("bytes", "Bytes", "64"), number("everyMs", "Every milliseconds", "50")],
  ),
  reset: kind("Reset: the connection breaks"),
  never: kind("Never: no response at all"),
  field: kind(
    "Field: a field of the results with another value",
    ...[field("path", "Path", "data.*.value"), field("value", "Value as JSON (empty: removed)")],
  ),
  stale: kind("Stale: the newest blocks are missing", blocks),
  "pending-traces": kind("Pending traces: internal transactions are missing", blocks),
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
