// The operations of the admin API: how tests in other processes reset the explorer, mine, add
// faults and read the journal. Runs in browsers.
import * as z from "zod/mini";
import type { OperationArguments } from "../../../src/contract/index.ts";
import { operationsOf } from "../../../src/contract/operation.ts";
import { codec } from "../../../src/models/codec.ts";
import { list, model } from "../../../src/models/model.ts";
import {
  address,
  between,
  bigintOf,
  type Decimal,
  hash,
  hex,
  integer,
  text,
} from "../../../src/models/primitives.ts";
import type { Recipe } from "../../builder/recipe-schema.ts";
import type { Fault, PresetFault } from "../../faults/fault.ts";

/** The beginning of its paths. */
export const ADMIN_ROOT = "/admin/";

/** The header of the admin token. */
export const TOKEN_HEADER = "admin-token";

/** More than any test needs. */
const MAX_MINED = 100_000;

/** A limit, because replacing blocks rebuilds each of them. */
const MAX_REPLACED = 1000;

const CONTAINED = "a text of 1 to 200 characters";

/** The maximum number of journal entries in one answer, unless all are requested. */
const MAX_ENTRIES = 10_000;

/** An amount, which stays decimal digits, because JSON has no numbers that large. */
const value = codec<Decimal | bigint, Decimal>({
  expected: "a non-negative integer in decimal digits",
  json: { type: "string", pattern: "^[0-9]{1,78}$" },
  decode(input) {
    const value = typeof input === "bigint" && input >= 0n ? input : bigintOf(input);
    return value === undefined ? undefined : `${value}`;
  },
  encode: (input) => input as Decimal,
});

const blocksUpTo = (max: number) => z._default(between(1, max), 1);

const done = model({});
const newHead = { head: integer };

/** A fault that is on. */
const ActiveFault = model({
  /** Number of this fault, which stays when others are removed. */
  id: z.number(),
  /** The fault as it was added; for a preset, the fault it stands for. */
  fault: model({ fault: text }),
  /** The preset that was added, if it was one. */
  preset: z.optional(text),
  /** How many requests it matched, whether or not it was applied. */
  matched: z.number(),
  applied: z.number(),
});
const faultList = model({ faults: list(ActiveFault) });

/** One request. */
const Entry = model({
  /** Number from 1, in order of arrival. */
  number: z.number(),
  method: text,
  /** Path and query as they came. */
  target: text,
  /** The number of the operation; missing where none has this path and method. */
  operation: z.optional(text),
  /** The checked parameters; missing where the request was refused. */
  input: z.optional(z.record(z.string(), z.unknown())),
  /** 0 while there is no response. */
  status: z.number(),
  /** The message of an error. */
  message: z.optional(text),
  /** Parameters that were ignored, and the nearest known names. */
  notes: list(text),
  /** The faults that were applied. */
  faults: list(text),
  /** Milliseconds since 1970, by the explorer's clock. */
  at: z.number(),
  /** Milliseconds until the response was ready. */
  duration: z.number(),
});

const headers = z.record(z.string(), text);

/** How a fault broke or slowed down the response. */
const delivery = z.optional(z.record(z.string(), z.unknown()));

/** Number of characters that were cut off the end of the body. */
const missing = z.optional(z.number());
const ReceivedResponse = model({ status: z.number(), headers, body: text, missing, delivery });

/** A request and its response in full, without the api-key. */
const FullExchange = model({
  request: model({
    headers,
    body: text,
    missing,
    /** Encoding of the body: base64 if it is binary. */
    encoding: z.enum(["text", "base64"]),
  }),
  response: ReceivedResponse,
  /**
   * The response without the faults; null if none applied, and for requests that are not safe to
   * repeat.
   */
  untouched: z.nullable(ReceivedResponse),
  /** The faults that were applied, as they were added. */
  faults: list(z.record(z.string(), z.unknown())),
});

/** The parameters of the requests to look for; those left out match anything. */
const requestParameters = z.optional(z.record(z.string(), z.unknown()));

/** Block to read from; the head by default. */
const blockOfState = z.optional(between(0, Number.MAX_SAFE_INTEGER));

/** Why the node refused a call: its message, and the data that the call reverted with. */
const nodeFailure = z.nullable(model({ message: text, data: z.nullable(hex) }));

const callFields = { to: address, data: hex, from: z.optional(address) };

const readOperation = operationsOf("admin", { enveloped: false });

/**
 * Operations that are not repeated after a failure, because the first attempt may have had an
 * effect.
 */
const traits = { enveloped: false, safe: false, method: "POST" } as const;
const action = operationsOf("admin", traits);

/** Operations with a long timeout, because they may take minutes. */
const slow = operationsOf("admin", { ...traits, timeout: 600_000 });

/** Every operation of the admin API by its name. */
export const adminOperations = {
  reset: action("reset", "/admin/reset", done),
  snapshot: action("snapshot", "/admin/snapshot", model({ snapshot: text })),
  restore: action("restore", "/admin/restore", done, { body: { snapshot: text } }),
  mine: slow("mine", "/admin/mine", model(newHead), {
    body: { blocks: blocksUpTo(MAX_MINED), miner: z.optional(address) },
  }),
  reorganise: slow("reorganise", "/admin/reorganise", model({ ...newHead, dropped: list(hash) }), {
    body: {
      blocks: blocksUpTo(MAX_REPLACED),
      drop: z.optional(z.union([z.literal("all"), z.array(hash)])),
    },
  }),
  recipe: slow(
    "recipe",
    "/admin/recipe",
    model({
      ...newHead,
      /** The addresses of accounts and contracts by their names in the recipe. */
      accounts: z.record(z.string(), address),
      transaction_hashes: list(hash),
    }),
    {
      // The builder checks the recipe, so that the page does not load its schema.
      body: {
        recipe: z.custom<Recipe>(
          (input) => typeof input === "object" && input !== null,
          "a recipe",
        ),
      },
      wholeBody: "recipe",
    },
  ),
  rewind: slow("rewind", "/admin/rewind", model(newHead), {
    body: { blocks: blocksUpTo(Number.MAX_SAFE_INTEGER) },
  }),
  faults: readOperation("faults", "/admin/faults", faultList),
  addFaults: action("addFaults", "/admin/faults", faultList, {
    body: {
      // Each fault is checked when it is added.
      faults: z.custom<Fault | PresetFault | readonly (Fault | PresetFault)[]>(
        (input) => typeof input === "object" && input !== null,
        "a fault, or a list of faults",
      ),
    },
    wholeBody: "faults",
  }),
  clearFaults: action("clearFaults", "/admin/faults", done, { method: "DELETE" }),
  removeFault: action("removeFault", "/admin/faults/{id}", done, {
    method: "DELETE",
    parameters: { id: between(1, Number.MAX_SAFE_INTEGER) },
  }),
  journal: readOperation(
    "journal",
    "/admin/journal",
    model({
      /** Changes when the journal is cleared. */
      generation: z.number(),
      /** `after` of the next request. */
      revision: z.number(),
      /** The number of the oldest entry that is kept; null without entries. */
      first: z.nullable(z.number()),
      entries: list(Entry),
    }),
    {
      query: {
        after: z.optional(between(0, Number.MAX_SAFE_INTEGER)),
        limit: z.optional(between(1, MAX_ENTRIES)),
        containing: z.optional(
          z.string(CONTAINED).check(z.minLength(1, CONTAINED), z.maxLength(200, CONTAINED)),
        ),
      },
    },
  ),
  journalEntry: readOperation(
    "journalEntry",
    "/admin/journal/{number}",
    model({
      entry: Entry,
      /** Null once newer exchanges have replaced it. */
      exchange: z.nullable(FullExchange),
    }),
    { parameters: { number: between(1, Number.MAX_SAFE_INTEGER) } },
  ),
  clearJournal: action("clearJournal", "/admin/journal", done, { method: "DELETE" }),
  countRequests: readOperation(
    "countRequests",
    "/admin/requests/count",
    model({ count: z.number() }),
    {
      method: "POST",
      body: { operation: z.optional(text), parameters: requestParameters },
    },
  ),
  expect: readOperation("expect", "/admin/expect", model({ entries: list(Entry) }), {
    method: "POST",
    body: {
      operation: text,
      parameters: requestParameters,
      times: z.optional(between(0, Number.MAX_SAFE_INTEGER)),
    },
  }),
  nodeAccounts: readOperation(
    "nodeAccounts",
    "/admin/node/accounts",
    model({ accounts: list(address) }),
  ),
  nodeCall: readOperation(
    "nodeCall",
    "/admin/node/call",
    model({ data: z.nullable(hex), failure: nodeFailure }),
    { method: "POST", body: { ...callFields, block: blockOfState } },
  ),
  nodeSend: action(
    "nodeSend",
    "/admin/node/send",
    model({ transaction_hash: z.nullable(hash), failure: nodeFailure }),
    { body: { ...callFields, value: z.optional(value) } },
  ),
  node: readOperation(
    "node",
    "/admin/node",
    model({
      /** Name and version of the node: "anvil/v1.7.1". */
      client: text,
      /**
       * Whether it has the methods of a development node: mine, snapshot, revert, set the time,
       * impersonate.
       */
      controls: z.boolean(),
    }),
  ),
  nodeMine: slow("nodeMine", "/admin/node/mine", model(newHead), {
    body: { blocks: blocksUpTo(MAX_MINED), timestamp: z.optional(between(1, 2 ** 48)) },
  }),
  nodeSnapshot: action("nodeSnapshot", "/admin/node/snapshot", model({ snapshot: text })),
  nodeRevert: action("nodeRevert", "/admin/node/revert", model(newHead), {
    body: { snapshot: text },
  }),
  nodeImpersonate: action("nodeImpersonate", "/admin/node/impersonate", done, {
    body: { account: address },
  }),
} as const;

export type AdminOperations = typeof adminOperations;
/** The name of an operation of the admin API. */
export type AdminOperationId = keyof AdminOperations;
/** Its parameters, checked and with defaults filled in. */
export type AdminArguments<Id extends AdminOperationId> = OperationArguments<AdminOperations[Id]>;
