// The operations of the admin API: how tests in other processes reset the explorer, mine, add faults and read the journal. Runs in browsers.
import * as z from "zod/mini";
import type { OperationArguments } from "../../src/contract/index.ts";
import { operation } from "../../src/contract/operation.ts";
import { between } from "../../src/contract/parameters.ts";
import { codec } from "../../src/models/codec.ts";
import { list, model } from "../../src/models/model.ts";
import {
  address,
  bigintOf,
  type Decimal,
  hash,
  integer,
  text,
} from "../../src/models/primitives.ts";
import type { Fault } from "../faults/fault.ts";

/** Where its paths begin. */
export const adminRoot = "/admin/";

/** The header of the admin token. */
export const tokenHeader = "admin-token";

/** More than any test needs. */
const maxMined = 100_000;

/** Replacing blocks rebuilds each of them. */
const maxReplaced = 1000;

/** The most entries of the journal in one answer, unless all are asked for. */
const maxEntries = 10_000;

/** An amount, which stays decimal digits: JSON has no larger numbers. */
const value = /*#__PURE__*/ codec<Decimal | bigint, Decimal>({
  expected: "a non-negative integer in decimal digits",
  json: { type: "string", pattern: "^[0-9]{1,78}$" },
  decode(given) {
    const value = typeof given === "bigint" && given >= 0n ? given : bigintOf(given);
    return value === undefined ? undefined : `${value}`;
  },
  encode: (given) => given as Decimal,
});

const blocksUpTo = (max: number) => z._default(between(1, max), 1);

const done = /*#__PURE__*/ model({});
const newHead = { head: integer };

/** A fault that is on. */
const ActiveFault = /*#__PURE__*/ model({
  /** Of this fault alone, also after others are removed. */
  id: /*#__PURE__*/ z.number(),
  /** As it was added. */
  fault: /*#__PURE__*/ model({ fault: text }),
  /** How many requests it matched, whether it struck or not. */
  matched: /*#__PURE__*/ z.number(),
  struck: /*#__PURE__*/ z.number(),
});
const faultList = /*#__PURE__*/ model({ faults: /*#__PURE__*/ list(ActiveFault) });

/** One request. */
const Entry = /*#__PURE__*/ model({
  /** From 1, in order of arrival. */
  number: /*#__PURE__*/ z.number(),
  method: text,
  /** Path and query as they came. */
  target: text,
  /** The number of the operation; missing where none has this path and method. */
  operation: /*#__PURE__*/ z.optional(text),
  /** The checked parameters; missing where the request was refused. */
  input: /*#__PURE__*/ z.optional(
    /*#__PURE__*/ z.record(/*#__PURE__*/ z.string(), /*#__PURE__*/ z.unknown()),
  ),
  /** 0 while there is no response. */
  status: /*#__PURE__*/ z.number(),
  /** The message of an error. */
  message: /*#__PURE__*/ z.optional(text),
  /** Parameters that were ignored, and the nearest known names. */
  notes: /*#__PURE__*/ list(text),
  /** The faults that struck. */
  faults: /*#__PURE__*/ list(text),
  /** Milliseconds since 1970, by the explorer's clock. */
  at: /*#__PURE__*/ z.number(),
  /** Milliseconds until the response was ready. */
  duration: /*#__PURE__*/ z.number(),
});

/** None is repeated after a failure: who knows what it did. */
const action = { enveloped: false, safe: false } as const;

/** As long as it takes. */
const slow = { ...action, timeout: 600_000 } as const;

/** Every operation of the admin API by its name. */
export const adminOperations = {
  reset: /*#__PURE__*/ operation({
    ...action,
    id: "reset",
    name: "admin.reset",
    method: "POST",
    path: "/admin/reset",
    parameters: {},
    results: done,
  }),
  snapshot: /*#__PURE__*/ operation({
    ...action,
    id: "snapshot",
    name: "admin.snapshot",
    method: "POST",
    path: "/admin/snapshot",
    parameters: {},
    results: /*#__PURE__*/ model({ snapshot: text }),
  }),
  restore: /*#__PURE__*/ operation({
    ...action,
    id: "restore",
    name: "admin.restore",
    method: "POST",
    path: "/admin/restore",
    parameters: {},
    body: { snapshot: text },
    results: done,
  }),
  mine: /*#__PURE__*/ operation({
    ...slow,
    id: "mine",
    name: "admin.mine",
    method: "POST",
    path: "/admin/mine",
    parameters: {},
    body: {
      blocks: /*#__PURE__*/ blocksUpTo(maxMined),
      transfers: /*#__PURE__*/ z.optional(
        /*#__PURE__*/ z.array(/*#__PURE__*/ z.strictObject({ from: address, to: address, value })),
      ),
      fund: /*#__PURE__*/ z.optional(
        /*#__PURE__*/ z.array(/*#__PURE__*/ z.strictObject({ address, value })),
      ),
      miner: /*#__PURE__*/ z.optional(address),
    },
    results: /*#__PURE__*/ model({ ...newHead, transaction_hashes: /*#__PURE__*/ list(hash) }),
  }),
  reorganise: /*#__PURE__*/ operation({
    ...slow,
    id: "reorganise",
    name: "admin.reorganise",
    method: "POST",
    path: "/admin/reorganise",
    parameters: {},
    body: {
      blocks: /*#__PURE__*/ blocksUpTo(maxReplaced),
      drop: /*#__PURE__*/ z.optional(
        /*#__PURE__*/ z.union([/*#__PURE__*/ z.literal("all"), /*#__PURE__*/ z.array(hash)]),
      ),
    },
    results: /*#__PURE__*/ model({ ...newHead, dropped: /*#__PURE__*/ list(hash) }),
  }),
  rewind: /*#__PURE__*/ operation({
    ...slow,
    id: "rewind",
    name: "admin.rewind",
    method: "POST",
    path: "/admin/rewind",
    parameters: {},
    body: { blocks: /*#__PURE__*/ blocksUpTo(Number.MAX_SAFE_INTEGER) },
    results: /*#__PURE__*/ model(newHead),
  }),
  faults: /*#__PURE__*/ operation({
    enveloped: false,
    id: "faults",
    name: "admin.faults",
    method: "GET",
    path: "/admin/faults",
    parameters: {},
    results: faultList,
  }),
  addFaults: /*#__PURE__*/ operation({
    ...action,
    id: "addFaults",
    name: "admin.addFaults",
    method: "POST",
    path: "/admin/faults",
    parameters: {},
    body: {
      // Who adds them checks each.
      faults: /*#__PURE__*/ z.custom<Fault | readonly Fault[]>(
        (given) => typeof given === "object" && given !== null,
        "a fault, or a list of faults",
      ),
    },
    wholeBody: "faults",
    results: faultList,
  }),
  clearFaults: /*#__PURE__*/ operation({
    ...action,
    id: "clearFaults",
    name: "admin.clearFaults",
    method: "DELETE",
    path: "/admin/faults",
    parameters: {},
    results: done,
  }),
  removeFault: /*#__PURE__*/ operation({
    ...action,
    id: "removeFault",
    name: "admin.removeFault",
    method: "DELETE",
    path: "/admin/faults/{id}",
    parameters: { id: /*#__PURE__*/ between(1, Number.MAX_SAFE_INTEGER) },
    results: done,
  }),
  journal: /*#__PURE__*/ operation({
    enveloped: false,
    id: "journal",
    name: "admin.journal",
    method: "GET",
    path: "/admin/journal",
    parameters: {},
    query: {
      after: /*#__PURE__*/ z.optional(/*#__PURE__*/ between(0, Number.MAX_SAFE_INTEGER)),
      limit: /*#__PURE__*/ z.optional(/*#__PURE__*/ between(1, maxEntries)),
    },
    results: /*#__PURE__*/ model({
      /** Another number once the journal was cleared. */
      generation: /*#__PURE__*/ z.number(),
      /** `after` of the next request. */
      revision: /*#__PURE__*/ z.number(),
      /** The number of the oldest entry that is kept; null without entries. */
      first: /*#__PURE__*/ z.nullable(/*#__PURE__*/ z.number()),
      entries: /*#__PURE__*/ list(Entry),
    }),
  }),
  clearJournal: /*#__PURE__*/ operation({
    ...action,
    id: "clearJournal",
    name: "admin.clearJournal",
    method: "DELETE",
    path: "/admin/journal",
    parameters: {},
    results: done,
  }),
} as const;

export type AdminOperations = typeof adminOperations;
/** The name of an operation of the admin API. */
export type AdminOperationId = keyof AdminOperations;
/** Its parameters, checked and with defaults filled in. */
export type AdminArguments<Id extends AdminOperationId> = OperationArguments<AdminOperations[Id]>;
