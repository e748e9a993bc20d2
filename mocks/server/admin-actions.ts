// The actions of the admin API by method and path: reset, snapshot, restore, mine, reorganise, rewind, faults, journal.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { Explorer } from "../explorer.ts";
import { type ActiveFault, type Fault, FaultError } from "../faults/index.ts";
import { maxJsonValues, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { readJson } from "../transports/json-body.ts";
import { explainIssues } from "../transports/parameters.ts";
import { decimalNumber, readQuery } from "../transports/query.ts";
import { mine, mineSchema } from "./mine.ts";
import { reorganise, reorganiseSchema, rewind, rewindSchema } from "./reorganise.ts";
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

/** Removes the fault with an id. */
function removeFault({ faults }: Explorer, id: string): void {
  const active = faults.list.find((one) => `${one.id}` === id);
  if (active === undefined) throw new ServiceError(404, `faults: no fault ${id.slice(0, 20)}`);
  active.remove();
}

/** Only a chain of its own can be set back, or mined on. */
function ownChain({ chain, live }: Explorer, what: string): ChainWriter {
  if (live) throw new ServiceError(409, `the chain follows a node: ${what} on the node`);
  return chain;
}

/** The most entries of the journal in one answer, unless all are asked for. */
const maxEntries = 10_000;

const journalSchema = z.strictObject({
  after: z.optional(decimalNumber(0, Number.MAX_SAFE_INTEGER)),
  limit: z._default(decimalNumber(1, maxEntries), 1000),
});

/** The names of the actions, below `/admin/`. */
type ActionName =
  | `POST ${"reset" | "snapshot" | "restore" | "mine" | "reorganise" | "rewind" | "faults"}`
  | `GET ${"faults" | "journal"}`
  | `DELETE ${"faults" | "faults/{id}" | "journal"}`;

/** Method and path of an action, below `/admin/`. */
export type AdminAction =
  | Exclude<ActionName, `${string}{${string}`>
  | `DELETE faults/${number}`
  | `GET journal?${string}`;

/** The target of a request: the id in its path, and its query. */
export interface ActionTarget {
  readonly id: string;
  readonly query: string;
}

/** What an action does on the explorer of a request; the response is what it returns, or `{}`. */
export type Action = (explorer: Explorer, request: ServiceRequest, target: ActionTarget) => unknown;

/** The actions, for one port. */
export function createActions(): Readonly<Record<ActionName, Action>> {
  const snapshotsOf = createSnapshots();
  return {
    "POST reset": (explorer) => explorer.reset(),
    "POST snapshot": (explorer) => ({ snapshot: snapshotsOf(explorer).add(explorer.snapshot()) }),
    "POST restore": (explorer, request) => {
      const { snapshot } = read(restoreSchema, request);
      explorer.restore(snapshotsOf(explorer).get(snapshot));
    },
    "POST mine": async (explorer, request) => {
      const chain = ownChain(explorer, "mine");
      const sent = await mine(chain, read(mineSchema, request), request.signal);
      return { head: `${chain.head.number}`, transaction_hashes: sent };
    },
    "POST reorganise": (explorer, request) =>
      reorganise(ownChain(explorer, "reorganise"), read(reorganiseSchema, request)),
    "POST rewind": (explorer, request) =>
      rewind(ownChain(explorer, "rewind"), read(rewindSchema, request)),
    "GET faults": ({ faults }) => ({ faults: faults.list }),
    "POST faults": (explorer, request) => {
      addFaults(explorer, bodyOf(request));
      return { faults: explorer.faults.list };
    },
    "DELETE faults": ({ faults }) => faults.clear(),
    "DELETE faults/{id}": (explorer, _, { id }) => removeFault(explorer, id),
    "GET journal": ({ journal }, _, { query }) =>
      query === ""
        ? { entries: journal.entries }
        : journal.changes(readQuery(journalSchema, query)),
    "DELETE journal": ({ journal }) => journal.clear(),
  };
}
