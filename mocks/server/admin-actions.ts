// The actions of the admin API by method and path: reset, snapshot, restore, mine, faults, journal.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import type { Explorer } from "../explorer.ts";
import { type ActiveFault, type Fault, FaultError } from "../faults/index.ts";
import { maxJsonValues, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { readJson } from "../transports/json-body.ts";
import { explainIssues } from "../transports/parameters.ts";
import { mine, mineSchema } from "./mine.ts";
import { createSnapshots } from "./snapshots.ts";

const restoreSchema = z.strictObject({ snapshot: z.string() });

/** A missing body is an empty object. */
const bodyOf = (request: ServiceRequest): unknown =>
  request.body?.length ? readJson(request, maxJsonValues) : {};

/** Unlike in the service, unknown parameters are refused: in a test they are typing mistakes. */
function read<S extends z.ZodMiniType>(schema: S, request: ServiceRequest): z.output<S> {
  const { value, issues, issueCount } = check(schema, bodyOf(request));
  if (issues) throw new ServiceError(400, explainIssues(issues, issueCount));
  return value;
}

/** Adds all faults, or none. */
function addFaults({ faults }: Explorer, given: unknown): void {
  const added: ActiveFault[] = [];
  const errors: string[] = [];
  for (const fault of [given].flat()) {
    try {
      // `add` checks its argument.
      added.push(faults.add(fault as Fault));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      errors.push(error.message);
    }
  }
  if (errors.length === 0) return;
  for (const active of added) active.remove();
  const more = errors.length > 20 ? [`and ${errors.length - 20} more`] : [];
  throw new ServiceError(400, [...errors.slice(0, 20), ...more].join("; "));
}

/** Method and path of an action, below `/admin/`. */
export type AdminAction =
  | `POST ${"reset" | "snapshot" | "restore" | "mine" | "faults"}`
  | `${"GET" | "DELETE"} ${"faults" | "journal"}`;

/** What an action does on the explorer of a request; the response is what it returns, or `{}`. */
export type Action = (explorer: Explorer, request: ServiceRequest) => unknown;

/** The actions, for one port. */
export function createActions(): Readonly<Record<AdminAction, Action>> {
  const snapshotsOf = createSnapshots();
  return {
    "POST reset": (explorer) => explorer.reset(),
    "POST snapshot": (explorer) => ({ snapshot: snapshotsOf(explorer).add(explorer.snapshot()) }),
    "POST restore": (explorer, request) => {
      const { snapshot } = read(restoreSchema, request);
      explorer.restore(snapshotsOf(explorer).get(snapshot));
    },
    "POST mine": async ({ chain, live }, request) => {
      if (live) throw new ServiceError(409, "the chain follows a node: mine on the node");
      const sent = await mine(chain, read(mineSchema, request), request.signal);
      return { head: `${chain.head.number}`, transaction_hashes: sent };
    },
    "GET faults": ({ faults }) => ({ faults: faults.list }),
    "POST faults": (explorer, request) => {
      addFaults(explorer, bodyOf(request));
      return { faults: explorer.faults.list };
    },
    "DELETE faults": ({ faults }) => faults.clear(),
    "GET journal": ({ journal }) => ({ entries: journal.entries }),
    "DELETE journal": ({ journal }) => journal.clear(),
  };
}
