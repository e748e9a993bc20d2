// Asks the admin API, with the token that somebody gave the page.
import * as z from "zod/mini";
import type { AnySchema } from "../../../src/contract/index.ts";
import { check, explain } from "../../../src/models/issues.ts";
import { access } from "./head.ts";
import { adminToken, keyToSend } from "./keys.ts";
import { fetchInTime } from "./request.ts";

/** A refusal of the admin API. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer to `POST reset`, `GET journal` … below `/admin/`. */
export async function admin<S extends AnySchema>(
  action: string,
  answer: S,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<z.output<S>> {
  const [method = "GET", path = ""] = action.split(" ");
  const response = await fetchInTime(`/admin/${path}`, {
    method,
    headers: {
      "admin-token": adminToken.get(),
      // Without one it is the explorer itself; with tenants the one that the page shows.
      ...(access.get()?.tenants && { "api-key": keyToSend() }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const { message } = Object(json);
    throw new AdminError(response.status, String(message ?? `HTTP ${response.status}`));
  }
  const { value, issues } = check(answer, json);
  if (issues) throw new Error(`/admin/${path}: ${explain(issues[0])}`);
  return value as z.output<S>;
}

/** An answer that nothing is read of. */
export const Done = z.looseObject({});

const text = z.string();

/** One request. */
export const Entry = z.looseObject({
  number: z.number(),
  method: text,
  target: text,
  operation: z.optional(text),
  input: z.optional(z.record(text, z.unknown())),
  /** 0 while there is no response. */
  status: z.number(),
  message: z.optional(text),
  notes: z.array(text),
  faults: z.array(text),
  at: z.number(),
  duration: z.number(),
});
export type Entry = z.output<typeof Entry>;

/** What has happened to the journal. */
export const JournalChanges = z.looseObject({
  generation: z.number(),
  revision: z.number(),
  entries: z.array(Entry),
});

/** A fault that is on. */
export const ActiveFault = z.looseObject({
  id: z.number(),
  fault: z.looseObject({ fault: text }),
  matched: z.number(),
  struck: z.number(),
});
export type ActiveFault = z.output<typeof ActiveFault>;

export const FaultList = z.looseObject({ faults: z.array(ActiveFault) });
export const Snapshot = z.looseObject({ snapshot: text });
export const NewHead = z.looseObject({ head: text });
