// The admin API: who answers each of its operations.

import type { OperationKey } from "../../src/contract/operation-names.ts";
import { type Api, type HandlerTable, ServiceError, WrittenResults } from "../api.ts";
import { ImpossibleError } from "../builder/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { decimalJson } from "../decimal-json.ts";
import { eventLoopTurn, listJson } from "../event-loop.ts";
import type { Explorer } from "../explorer.ts";
import { type ActiveFault, FaultError, type Faults } from "../faults/index.ts";
import type { Journal } from "../journal.ts";
import { type JournalEntry, JournalError } from "../journal-entry.ts";
import { MAX_JSON_VALUES } from "../message.ts";
import { mine } from "./mine.ts";
import * as node from "./node.ts";
import {
  type AdminArguments,
  type AdminOperationId,
  type AdminOperations,
  adminOperations,
} from "./operations.ts";
import { reorganise, rewind } from "./set-back.ts";
import { createSnapshots } from "./snapshots.ts";

/** Only a chain of its own can be set back, or mined on. */
function ownChain({ chain, live }: Explorer, what: string): ChainWriter {
  if (live) throw new ServiceError(409, `the chain follows a node: ${what} on the node`);
  return chain;
}

/** What no chain allows is a mistake of the request. */
function refuseImpossible(error: unknown): never {
  throw error instanceof ImpossibleError ? new ServiceError(400, error.message) : error;
}

/** What the journal has to say against a request, as its refusal. */
function orRefuse<Value>(status: number, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw error instanceof JournalError ? new ServiceError(status, error.message) : error;
  }
}

/** Amounts in it are decimal strings, as everywhere on the wire. */
const written = <Results>(value: unknown) => new WrittenResults<Results>(`${decimalJson(value)}`);

/** How many errors a message lists. */
const MAX_ERRORS = 20;

/** Adds all faults, or none. */
function addFaults(faults: Faults, given: AdminArguments<"addFaults">["faults"]): void {
  const added: ActiveFault[] = [];
  const errors: string[] = [];
  for (const fault of [given].flat()) {
    try {
      added.push(faults.add(fault));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      errors.push(error.message);
    }
  }
  if (errors.length === 0) return;
  for (const active of added) active.remove();
  const more = errors.length > MAX_ERRORS ? [`and ${errors.length - MAX_ERRORS} more`] : [];
  throw new ServiceError(400, [...errors.slice(0, MAX_ERRORS), ...more].join("; "));
}

/** The largest part of the journal that is sent if only its beginning is requested. */
const USUAL_ENTRIES = 1000;

/** Those kept in full whose response contains a text, in any case. */
async function thoseReturning(
  { exchanges }: Journal,
  entries: readonly JournalEntry[],
  text: string,
): Promise<readonly JournalEntry[]> {
  // Hexadecimal is in lower case in every response.
  const wanted = new Set([text, text.toLowerCase()]);
  const found: JournalEntry[] = [];
  for (const entry of entries) {
    const { response } = exchanges.of(entry) ?? {};
    if (response === undefined) continue;
    if ([...wanted].some((one) => response.body.includes(one))) found.push(entry);
    const turn = eventLoopTurn();
    if (turn) await turn;
  }
  return found;
}

const snapshotsOf = createSnapshots();

/** An empty response. */
const done = {};

const handlers: HandlerTable<AdminOperations, ChainReader, Explorer> = {
  reset(_, __, explorer) {
    explorer.reset();
    return done;
  },
  snapshot: (_, __, explorer) => ({
    snapshot: snapshotsOf(explorer).add(explorer.snapshot()),
  }),
  restore(_, { snapshot }, explorer) {
    explorer.restore(snapshotsOf(explorer).get(snapshot));
    return done;
  },
  mine: (_, input, explorer, { signal }) =>
    mine(ownChain(explorer, "mine"), input, signal).catch(refuseImpossible),
  reorganise: (_, input, explorer, { signal }) =>
    reorganise(ownChain(explorer, "reorganise"), input, signal).catch(refuseImpossible),
  rewind: (_, input, explorer, { signal }) => rewind(ownChain(explorer, "rewind"), input, signal),
  faults: (_, __, { faults }) => written({ faults: faults.list }),
  addFaults(_, { faults: given }, { faults }) {
    addFaults(faults, given);
    return written({ faults: faults.list });
  },
  clearFaults(_, __, { faults }) {
    faults.clear();
    return done;
  },
  removeFault(_, { id }, { faults }) {
    const active = faults.list.find((one) => one.id === id);
    if (active === undefined) throw new ServiceError(404, `faults: no fault ${id}`);
    active.remove();
    return done;
  },
  async journal(_, { after, limit, containing }, { journal }) {
    const all = containing !== undefined || (after === undefined && limit === undefined);
    const { entries: found, ...changes } = journal.changes({
      after,
      limit: all ? journal.entries.length || 1 : (limit ?? USUAL_ENTRIES),
    });
    const entries =
      containing === undefined
        ? found
        : (await thoseReturning(journal, found, containing)).slice(-(limit ?? USUAL_ENTRIES));
    const list = await listJson(entries, decimalJson);
    return new WrittenResults(`${JSON.stringify(changes).slice(0, -1)},"entries":${list}}`);
  },
  journalEntry(_, { number }, { journal }) {
    const entry = journal.entries.find((one) => one.number === number);
    if (entry === undefined) throw new ServiceError(404, `number: no request ${number} is kept`);
    return written({ entry, exchange: journal.exchanges.of(entry) ?? null });
  },
  nodeAccounts: (_, __, explorer) => node.accounts(explorer),
  nodeCall: (_, input, explorer) => node.call(explorer, input),
  nodeStorage: (_, input, explorer) => node.storage(explorer, input),
  nodeSend: (_, input, explorer, { signal }) => node.send(explorer, input, signal),
  clearJournal(_, __, { journal }) {
    journal.clear();
    return done;
  },
  countRequests: (_, { operation, parameters }, { journal }) =>
    orRefuse(400, () => ({
      count: journal.count(operation as OperationKey | undefined, parameters),
    })),
  expect(_, { operation, parameters, times }, { journal }) {
    const key = operation as OperationKey;
    // An unknown name is a mistake of the request, not of what was received.
    orRefuse(400, () => journal.find(key, parameters));
    const entries = orRefuse(409, () =>
      journal.expect(key, parameters, times === undefined ? {} : { times }),
    );
    return written({ entries });
  },
};

/** `/admin`. */
export const administration: Api<AdminOperationId, ChainReader, Explorer> = {
  operations: adminOperations,
  handlers,
  // In a test they are typing mistakes.
  unknownParameters: "refused",
  maxValues: MAX_JSON_VALUES,
};
