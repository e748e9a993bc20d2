// What another process may do to an explorer on a port: reset it, set it back, mine, arrange faults, read the journal.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { address, amount, integer } from "../../src/models/primitives.ts";
import { ImpossibleError } from "../builder/impossible.ts";
import { continueChain } from "../builder/index.ts";
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

/** Where these requests go; the service's own all begin with `/v1`. */
const root = "/admin/";

/** No test needs more at once, and mining them must end. */
const maxBlocks = 100_000;
const blockLimit = z.refine<number>(
  (blocks) => blocks >= 1 && blocks <= maxBlocks,
  `1 to ${maxBlocks}`,
);

const mineSchema = z.strictObject({
  /** How many blocks; the transfers are in the first. */
  blocks: z._default(integer.check(blockLimit), 1),
  transfers: z.optional(z.array(z.strictObject({ from: address, to: address, value: amount }))),
  /** Accounts that get coins out of nothing, first of all. */
  fund: z.optional(z.array(z.strictObject({ address, value: amount }))),
  miner: z.optional(address),
});

const restoreSchema = z.strictObject({ snapshot: z.string() });

/** Unlike the service's own parameters, unknown ones are refused: who arranges a test wants to hear of a slip. */
function read<S extends z.ZodMiniType>(schema: S, { body }: ServiceRequest): z.output<S> {
  const { value, issues } = check(schema, json(body));
  if (issues) throw new ServiceError(400, issues.map(explainIssue).join("; "));
  return value;
}

/** No body is an empty object. */
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
  body: JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part)),
});

type Action = (explorer: Explorer, question: ServiceRequest) => unknown;

/** What can be done, by method and path. */
function createActions(): Readonly<Record<string, Action>> {
  /** Each tenant's are its own. */
  const taken = new WeakMap<Explorer, Map<string, ExplorerSnapshot>>();
  const snapshotsOf = (explorer: Explorer) => {
    const snapshots = taken.get(explorer) ?? new Map<string, ExplorerSnapshot>();
    taken.set(explorer, snapshots);
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
    "POST restore": (explorer, question) => {
      const { snapshot } = read(restoreSchema, question);
      const saved = snapshotsOf(explorer).get(snapshot);
      if (saved === undefined) throw new ServiceError(404, `snapshot: no snapshot ${snapshot}`);
      explorer.restore(saved);
    },
    "POST mine": ({ chain }, question) => {
      const { blocks, transfers = [], fund = [], miner } = read(mineSchema, question);
      const story = continueChain(chain);
      for (const { address, value } of fund) story.fund(lower(address), value);
      const sent = transfers.map(({ from, to, value }) =>
        story.transfer(lower(from), lower(to), value),
      );
      story.mine(blocks, miner === undefined ? {} : { miner: lower(miner) });
      return { head: `${chain.head.number}`, transaction_hashes: sent.map(({ hash }) => hash) };
    },
    "GET faults": ({ faults }) => ({ faults: faults.list }),
    "POST faults": ({ faults }, { body }) => {
      const added: ActiveFault[] = [];
      const wrong: string[] = [];
      for (const fault of [json(body)].flat()) {
        try {
          // `add` checks what it is given.
          added.push(faults.add(fault as Fault));
        } catch (error) {
          if (!(error instanceof FaultError)) throw error;
          wrong.push(error.message);
        }
      }
      if (wrong.length === 0) return { faults: faults.list };
      // All of them, or none.
      for (const one of added) one.remove();
      throw new ServiceError(400, wrong.join("; "));
    },
    "DELETE faults": ({ faults }) => faults.clear(),
    "GET journal": ({ journal }) => ({ entries: journal.entries }),
    "DELETE journal": ({ journal }) => journal.clear(),
  };
}

/** Answers the requests under `/admin/`; undefined for others. With tenants, the api-key says whose explorer is meant. */
export function createAdmin(
  explorer: Explorer,
): (question: ServiceRequest) => ServiceResponse | undefined {
  const known = createActions();
  return (question) => {
    const { method, target, headers } = question;
    if (!target.startsWith(root)) return undefined;
    const [path = ""] = target.slice(root.length).split("?", 1);
    const action = known[`${method} ${path}`];
    if (action === undefined)
      return errorResponse(404, `no such action; there are ${Object.keys(known).join(", ")}`);
    const key = headers["api-key"];
    try {
      const meant = typeof key === "string" && key !== "" ? explorer.tenant(key) : explorer;
      return jsonResponse(action(meant, question) ?? {});
    } catch (error) {
      if (error instanceof ServiceError) return errorResponse(error.status, error.message);
      if (error instanceof FaultError || error instanceof ImpossibleError)
        return errorResponse(400, error.message);
      throw error;
    }
  };
}
