// `mrc-explorer serve --log`: a line for each request.
import type { JournalEntry } from "../../mocks/journal-entry.ts";
import type { ServiceRequest } from "../../mocks/message.ts";
import { operationLabel } from "../contract/operation-names.ts";
import { excerpt, redactor } from "../errors/redact.ts";

/** A key where it does not belong: in the query, under any spelling of its name. */
const KEY_IN_QUERY = /([?&](?:api|%61pi)?[-_.]?key=)[^&]*/gi;

/** Longer addresses are cut. */
const MAX_TARGET = 2000;

/**
 * Time, method, path and query, operation, status, milliseconds, and the faults that struck. The api-key is redacted wherever it stands.
 */
export function logLine(entry: JournalEntry, { headers }: ServiceRequest): string {
  const { at, method, target, operation, status, duration, faults } = entry;
  const key = headers["api-key"];
  const redact = redactor(typeof key === "string" ? key : undefined);
  return [
    new Date(at).toISOString(),
    excerpt(method, redact, 20),
    excerpt(target.replace(KEY_IN_QUERY, "$1[api-key]"), redact, MAX_TARGET),
    operation === undefined ? "no operation" : operationLabel(operation),
    status || "no response",
    `${Math.round(duration)} ms`,
    ...(faults.length > 0 ? [`faults: ${faults.join(", ")}`] : []),
  ].join(" ");
}
