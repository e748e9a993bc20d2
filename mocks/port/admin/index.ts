// The admin API: the handlers of its operations, the snapshots that can be restored, and how a
// chain is set back.
import type { OperationResultsWire } from "../../../src/contract/index.ts";
import type { OperationKey } from "../../../src/contract/operation-names.ts";
import { buildChain, continueChain, ImpossibleError } from "../../builder/index.ts";
import { buildInSteps, checkRecipe } from "../../builder/recipe.ts";
import { rewindInSlices } from "../../builder/reorganisation.ts";
import type { ChainWriter } from "../../chain/writer.ts";
import { FaultError } from "../../faults/fault.ts";
import type { ActiveFault, Faults } from "../../faults/faults.ts";
import { JournalError } from "../../journal/journal-entry.ts";
import type { RequestLog } from "../../journal/request-log.ts";
import { type HandlerTable, ServiceError, WrittenResults } from "../../message/api.ts";
import { listJson, pauseIfBusy, yieldToEventLoop } from "../../message/event-loop.ts";
import { keepRecent } from "../../message/keep-recent.ts";
import { decimalJson, MAX_JSON_VALUES } from "../../message/message.ts";
import type { JournalEntry } from "../../message/notes.ts";
import { lower } from "../../operations/format.ts";
import { Router } from "../../service/router.ts";
import { type Api, apiKeyOf, type ExplorerSnapshot, type Service } from "../../service/service.ts";
import * as node from "./node.ts";
import { type AdminArguments, type AdminOperations, adminOperations } from "./operations.ts";

/**
 * Returns the chain. Throws if it follows a node, because only the node can change such a chain.
 */
function ownChain({ chain, live }: Service, verb: string): ChainWriter {
  if (live) throw new ServiceError(409, `the chain follows a node: ${verb} on the node`);
  return chain;
}

/** Refuses an impossible change as a mistake of the request. */
function refuseImpossible(error: unknown): never {
  throw error instanceof ImpossibleError ? new ServiceError(400, error.message) : error;
}

/** Turns an error of the journal into a refusal of the request. */
function orRefuse<Value>(status: number, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw error instanceof JournalError ? new ServiceError(status, error.message) : error;
  }
}

/** Writes results as JSON, in which bigints are decimal strings, as everywhere on the wire. */
const written = <Results>(value: unknown) => new WrittenResults<Results>(`${decimalJson(value)}`);

/** How many errors a message lists. */
const MAX_ERRORS = 20;

/** Adds all faults, or none. */
function addFaults(faults: Faults, input: AdminArguments<"addFaults">["faults"]): void {
  const added: ActiveFault[] = [];
  const errors: string[] = [];
  for (const fault of [input].flat()) {
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

/** Default limit of entries, unless the whole journal is requested. */
const USUAL_ENTRIES = 1000;

/** Finds the entries whose response contains a text, in any case, among those kept in full. */
async function entriesReturning(
  { exchanges }: RequestLog,
  entries: readonly JournalEntry[],
  text: string,
): Promise<readonly JournalEntry[]> {
  // Hexadecimal is in lower case in every response.
  const wanted = new Set([text, text.toLowerCase()]);
  const matching: JournalEntry[] = [];
  for (const entry of entries) {
    const { response } = exchanges.of(entry) ?? {};
    if (response === undefined) continue;
    if ([...wanted].some((form) => response.body.includes(form))) matching.push(entry);
    const turn = pauseIfBusy();
    if (turn) await turn;
  }
  return matching;
}

/** Snapshots for each tenant, because a snapshot keeps the blocks and faults that it needs. */
const MAX_SNAPSHOTS = 100;

interface Snapshots {
  count: number;
  readonly saved: Map<string, ExplorerSnapshot>;
}

const snapshots = new WeakMap<Service, Snapshots>();

/** The snapshots of a service. */
function snapshotsOf(service: Service): Snapshots {
  const saved = snapshots.get(service) ?? { count: 0, saved: new Map() };
  snapshots.set(service, saved);
  return saved;
}

/** An empty response. */
const done = {};

const handlers: HandlerTable<AdminOperations, Service> = {
  reset(_, __, service) {
    service.reset();
    return done;
  },
  snapshot(_, __, service) {
    const ownSnapshots = snapshotsOf(service);
    const id = `${++ownSnapshots.count}`;
    keepRecent(ownSnapshots.saved, id, service.snapshot(), MAX_SNAPSHOTS);
    return { snapshot: id };
  },
  restore(_, { snapshot: id }, service) {
    const { saved } = snapshotsOf(service);
    const snapshot = saved.get(id);
    if (snapshot === undefined)
      throw new ServiceError(
        404,
        `snapshot: no snapshot ${id.slice(0, 20)}; the ${MAX_SNAPSHOTS} used last are kept`,
      );
    keepRecent(saved, id, snapshot, MAX_SNAPSHOTS);
    service.restore(snapshot);
    return done;
  },
  mine: (_, input, service, { signal }) =>
    mine(ownChain(service, "mine"), input, signal).catch(refuseImpossible),
  reorganise: (_, input, service, { signal }) =>
    reorganise(ownChain(service, "reorganise"), input, signal).catch(refuseImpossible),
  recipe: (_, { recipe }, service, { signal }) =>
    buildRecipeOn(service, recipe, signal).catch(refuseImpossible),
  rewind: (_, input, service, { signal }) => rewind(ownChain(service, "rewind"), input, signal),
  faults: (_, __, { faults }) => written({ faults: faults.list }),
  addFaults(_, { faults: input }, { faults }) {
    addFaults(faults, input);
    return written({ faults: faults.list });
  },
  clearFaults(_, __, { faults }) {
    faults.clear();
    return done;
  },
  removeFault(_, { id }, { faults }) {
    const active = faults.list.find((fault) => fault.id === id);
    if (active === undefined) throw new ServiceError(404, `faults: no fault ${id}`);
    active.remove();
    return done;
  },
  async journal(_, { after, limit, containing }, { requests }) {
    const isWhole = containing !== undefined || (after === undefined && limit === undefined);
    const { entries: changed, ...changes } = requests.changes({
      after,
      limit: isWhole ? requests.entries.length || 1 : (limit ?? USUAL_ENTRIES),
    });
    const entries =
      containing === undefined
        ? changed
        : (await entriesReturning(requests, changed, containing)).slice(-(limit ?? USUAL_ENTRIES));
    const list = await listJson(entries, decimalJson);
    return new WrittenResults(`${JSON.stringify(changes).slice(0, -1)},"entries":${list}}`);
  },
  journalEntry(_, { number }, { requests }) {
    const entry = requests.entries.find((candidate) => candidate.number === number);
    if (entry === undefined) throw new ServiceError(404, `number: no request ${number} is kept`);
    return written({ entry, exchange: requests.exchanges.of(entry) ?? null });
  },
  nodeAccounts: (_, __, service) => node.accounts(service),
  nodeCall: (_, input, service) => node.call(service, input),
  nodeSend: (_, input, service, { signal }) => node.send(service, input, signal),
  node: (_, __, service) => node.about(service),
  nodeMine: (_, input, service, { signal }) => node.mineOnNode(service, input, signal),
  nodeSnapshot: (_, __, service) => node.snapshot(service),
  nodeRevert: (_, input, service, { signal }) => node.revert(service, input, signal),
  nodeImpersonate: (_, input, service) => node.impersonate(service, input),
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
    // An unknown name is a mistake in this request, not a failed expectation.
    orRefuse(400, () => journal.find(key, parameters));
    const entries = orRefuse(409, () =>
      journal.expect(key, parameters, times === undefined ? {} : { times }),
    );
    return written({ entries });
  },
};

/** `/admin`. */
export const adminApi: Api = {
  router: new Router(adminOperations),
  handlers,
  // With tenants, the api-key selects the service.
  serviceFor(service, request) {
    const apiKey = service.hasTenants ? apiKeyOf(request) : undefined;
    return apiKey === undefined ? service : service.tenant(apiKey);
  },
  // Refuses them, because in a test they are typing mistakes.
  unknownParameters: "refused",
  maxValues: MAX_JSON_VALUES,
};

type Signal = AbortSignal | undefined;

/**
 * Runs a generator slice by slice, and serves other requests in between. Throws if another request
 * changed the chain meanwhile.
 */
async function inTurns<Result>(
  chain: ChainWriter,
  work: Generator<void, Result>,
  signal: Signal,
): Promise<Result> {
  const { revision } = chain;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await yieldToEventLoop();
    if (signal?.aborted) throw new ServiceError(503, "the caller has gone; nothing was changed");
    if (chain.revision !== revision)
      throw new ServiceError(409, "the chain was changed meanwhile; nothing was set back");
  }
}

/** Mines empty blocks until the signal aborts. A recipe builds blocks with transactions. */
async function mine(
  chain: ChainWriter,
  { blocks, miner }: AdminArguments<"mine">,
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["mine"]>> {
  const { rewindCount } = chain;
  const builder = continueChain(chain);
  for (let mined = 0; mined < blocks && !signal?.aborted; mined++) {
    if (chain.rewindCount !== rewindCount)
      throw new ServiceError(409, `the chain was set back after ${mined} of ${blocks} blocks`);
    builder.mine(1, miner === undefined ? {} : { miner });
    await yieldToEventLoop();
  }
  return { head: `${chain.head.number}` };
}

/**
 * Replaces the last blocks by as many others; returns the hashes of the transactions that were
 * dropped.
 */
async function reorganise(
  chain: ChainWriter,
  { blocks, drop = [] }: AdminArguments<"reorganise">,
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["reorganise"]>> {
  const dropped = drop === "all" ? drop : drop.map(lower);
  const work = continueChain(chain).reorgInSlices(blocks, { drop: dropped });
  const result = await inTurns(chain, work, signal);
  return { head: `${chain.head.number}`, dropped: result.dropped.map(({ hash }) => hash) };
}

/** Builds a recipe on a copy, which takes the place of the explorer's chain at the end. */
async function buildRecipeOn(
  service: Service,
  recipe: AdminArguments<"recipe">["recipe"],
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["recipe"]>> {
  const chain = ownChain(service, "build");
  const checked = checkRecipe("recipe", recipe);
  const copy = checked.chain ? buildChain(checked.chain) : service.builder.fork();
  const { accounts, hashes } = await inTurns(chain, buildInSteps(copy, checked), signal);
  chain.restore(copy.chain.snapshot());
  service.builder.restore(copy.state());
  return { head: `${chain.head.number}`, accounts, transaction_hashes: [...hashes] };
}

/** Removes the last blocks; the first one stays. */
async function rewind(
  chain: ChainWriter,
  { blocks }: AdminArguments<"rewind">,
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["rewind"]>> {
  if (blocks >= chain.length)
    throw new ServiceError(
      400,
      `blocks: expected at most ${chain.length - 1}, all but the first block, received ${blocks}`,
    );
  await inTurns(chain, rewindInSlices(chain, blocks), signal);
  return { head: `${chain.head.number}` };
}
