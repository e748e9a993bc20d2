// The admin API of a served explorer: reset, snapshot, restore, mine, add faults, read the journal.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { address, amount, integer } from "../../src/models/primitives.ts";
import { ImpossibleError } from "../builder/impossible.ts";
import { continueChain } from "../builder/index.ts";
import { decimalJson } from "../decimal-json.ts";
import type { Explorer, ExplorerSnapshot } from "../explorer.ts";
import { type ActiveFault, type Fault, FaultError } from "../faults/index.ts";
import {
  errorResponse,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
} from "../message.ts";
import { lower } from "../operations/format.ts";
import { ServiceError } from "../operations/handler.ts";
import { explainIssue } from "../transports/parameters.ts";

/** The prefix of its paths; the service's own all begin with `/v1`. */
const root = "/admin/";

/** More than any test needs, so that mining ends in time. */
const maxBlocks = 100_000;
const blockLimit = z.refine<number>(
  (blocks) => blocks >= 1 && blocks <= maxBlocks,
  `1 to ${maxBlocks}`,
);

const mineSchema = z.strictObject({
  /** The number of blocks; the transfers are in the first. */
  blocks: z._default(integer.check(blockLimit), 1),
  transfers: z.optional(z.array(z.strictObject({ from: address, to: address, value: amount }))),
  /** Accounts that receive new coins before the transfers. */
  fund: z.optional(z.array(z.strictObject({ address, value: amount }))),
  miner: z.optional(address),
});

const restoreSchema = z.strictObject({ snapshot: z.string() });

/** Unlike in the service, unknown parameters are refused: in a test they are typing mistakes. */
function read<S extends z.ZodMiniType>(schema: S, { body }: ServiceRequest): z.output<S> {
  const { value, issues } = check(schema, json(body));
  if (issues) throw new ServiceError(400, issues.map(explainIssue).join("; "));
  return value;
}

/** A missing body is an empty object. */
function json(body: Uint8Array | undefined): unknown {
  if (body !== undefined && body.length > maxBodyBytes)
    throw new ServiceError(413, `the body is larger than ${maxBodyBytes} bytes`);
  try {
    return body?.length ? JSON.parse(new TextDecoder().decode(body)) : {};
  } catch {
    throw new ServiceError(400, "body: expected JSON, received something else");
  }
}

/** Amounts and block numbers are decimal strings, as everywhere on the wire. */
const jsonResponse = (value: unknown): ServiceResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: decimalJson(value) ?? "{}",
});

type Action = (explorer: Explorer, request: ServiceRequest) => unknown;

/** The actions by method and path. */
function createActions(): Readonly<Record<string, Action>> {
  /** Each tenant has its own. */
  const snapshotsByExplorer = new WeakMap<Explorer, Map<string, ExplorerSnapshot>>();
  const snapshotsOf = (explorer: Explorer) => {
    const snapshots = snapshotsByExplorer.get(explorer) ?? new Map<string, ExplorerSnapshot>();
    snapshotsByExplorer.set(explorer, snapshots);
    return snapshots;
  };
  return {
    "POST reset": (explorer) => explorer.reset(),
    "POST snapshot": (explorer) => {
      const snapshots = snapshotsOf(explorer);
      const snapshot = `${snapshots.size + 1}`;
      snapshots.set(snapshot, explorer.snapshot());
      return { snapshot };
    },
    "POST restore": (explorer, request) => {
      const { snapshot } = read(restoreSchema, request);
      const saved = snapshotsOf(explorer).get(snapshot);
      if (saved === undefined) throw new ServiceError(404, `snapshot: no snapshot ${snapshot}`);
      explorer.restore(saved);
    },
    "POST mine": ({ chain }, request) => {
      const { blocks, transfers = [], fund = [], miner } = read(mineSchema, request);
      const builder = continueChain(chain);
      for (const { address, value } of fund) builder.fund(lower(address), value);
      const sent = transfers.map(({ from, to, value }) =>
        builder.transfer(lower(from), lower(to), value),
      );
      builder.mine(blocks, miner === undefined ? {} : { miner: lower(miner) });
      return { head: `${chain.head.number}`, transaction_hashes: sent.map(({ hash }) => hash) };
    },
    "GET faults": ({ faults }) => ({ faults: faults.list }),
    "POST faults": ({ faults }, { body }) => {
      const added: ActiveFault[] = [];
      const errors: string[] = [];
      for (const fault of [json(body)].flat()) {
        try {
          // `add` checks its argument.
          added.push(faults.add(fault as Fault));
        } catch (error) {
          if (!(error instanceof FaultError)) throw error;
          errors.push(error.message);
        }
      }
      if (errors.length === 0) return { faults: faults.list };
      // All faults or none.
      for (const active of added) active.remove();
      throw new ServiceError(400, errors.join("; "));
    },
    "DELETE faults": ({ faults }) => faults.clear(),
    "GET journal": ({ journal }) => ({ entries: journal.entries }),
    "DELETE journal": ({ journal }) => journal.clear(),
  };
}

/** Responds to requests under `/admin/`; undefined for others. With tenants, the api-key selects the explorer. */
export function createAdmin(
  explorer: Explorer,
): (request: ServiceRequest) => ServiceResponse | undefined {
  const known = createActions();
  return (request) => {
    const { method, target, headers } = request;
    if (!target.startsWith(root)) return undefined;
    const [path = ""] = target.slice(root.length).split("?", 1);
    const action = known[`${method} ${path}`];
    if (action === undefined)
      return errorResponse(
        404,
        `no action ${method} ${path.slice(0, 200)}; there are ${Object.keys(known).join(", ")}`,
      );
    const key = headers["api-key"];
    try {
      const tenant = typeof key === "string" && key !== "" ? explorer.tenant(key) : explorer;
      return jsonResponse(action(tenant, request) ?? {});
    } catch (error) {
      if (error instanceof ServiceError) return errorResponse(error.status, error.message);
      if (error instanceof FaultError || error instanceof ImpossibleError)
        return errorResponse(400, error.message);
      throw error;
    }
  };
}
