// The ABI of a verified contract as the service shows it: its entries (specification 2.10), and its events by their topic.
import * as AbiItem from "ox/AbiItem";
import type { AbiEntryWire } from "../../src/models/contract.ts";
import { isObject } from "../../src/models/issues.ts";
import type { Hash, Log, VerifiedContract } from "../chain/records.ts";

/** An event as L1 names it. */
interface NamedEvent {
  readonly name: string;
  /** Its entry, as C1 shows it, in JSON. */
  readonly abi: string;
}

/** By topic, and by the number of topics: an event may be declared twice, with other parameters indexed. */
type Events = ReadonlyMap<Hash, ReadonlyMap<number, NamedEvent>>;

interface WireAbi {
  readonly entries: AbiEntryWire[];
  readonly events: Events;
}

/** Made once for each contract: a page of logs is named without hashing anything. */
const cache = new WeakMap<VerifiedContract, WireAbi>();

function wireAbiOf(contract: VerifiedContract): WireAbi {
  const known = cache.get(contract);
  if (known !== undefined) return known;
  const entries = contract.abi.filter(isObject).map(abiEntry);
  const abi = { entries, events: eventsIn(entries) };
  cache.set(contract, abi);
  return abi;
}

/** The entries of a contract's ABI. */
export const abiOf = (contract: VerifiedContract): AbiEntryWire[] => wireAbiOf(contract).entries;

/** The event a log of the contract tells of, if the contract's ABI has it. */
export const eventOf = (
  contract: VerifiedContract,
  { topics }: Pick<Log, "topics">,
): NamedEvent | undefined =>
  topics[0] && wireAbiOf(contract).events.get(topics[0])?.get(topics.length);

/** What a compiler wrote. */
type Raw = Readonly<Record<string, unknown>>;

/** What may take coins, so that its entry says whether it does. */
const callable: ReadonlySet<unknown> = new Set(["function", "constructor", "fallback", "receive"]);

/**
 * The seven fields of the specification first, then what else a compiler wrote. Newer compilers leave out what `stateMutability` says already;
 * the specification does not.
 */
function abiEntry(raw: Raw): AbiEntryWire {
  const { name, inputs, outputs, payable, constant, stateMutability, ...rest } =
    raw as Partial<AbiEntryWire>;
  // The first compilers leave out the type of functions.
  const { type = "function", ...more } = rest;
  const isConstant = stateMutability === "view" || stateMutability === "pure";
  return {
    name: name ?? null,
    type,
    inputs: parameters(inputs),
    outputs: parameters(outputs),
    payable: payable ?? (callable.has(type) ? stateMutability === "payable" : null),
    constant: constant ?? (type === "function" ? isConstant : null),
    stateMutability: stateMutability ?? null,
    ...more,
  };
}

type Parameters = NonNullable<AbiEntryWire["inputs"]>;

/** Name and type first, as the specification has them; `indexed`, `internalType` and the like after them. */
const parameters = (list: unknown): Parameters | null =>
  Array.isArray(list) ? (list.filter(isObject).map(parameter) as Parameters) : null;

const parameter = ({ name = null, type, components, ...more }: Raw): Raw => ({
  name,
  type,
  ...(components !== undefined && { components: parameters(components) }),
  ...more,
});

function eventsIn(entries: readonly AbiEntryWire[]): Events {
  const events = new Map<Hash, Map<number, NamedEvent>>();
  for (const entry of entries) {
    const topic = topicOf(entry);
    if (topic === undefined || typeof entry.name !== "string") continue;
    const indexed = (entry.inputs ?? []).filter((input: Raw) => input.indexed === true);
    const declared = events.get(topic) ?? new Map<number, NamedEvent>();
    events.set(topic, declared);
    const topics = 1 + indexed.length;
    if (!declared.has(topics))
      declared.set(topics, { name: entry.name, abi: JSON.stringify(entry) });
  }
  return events;
}

/** The first topic of an event's logs; an anonymous one has none. */
function topicOf(entry: AbiEntryWire & { readonly anonymous?: unknown }): Hash | undefined {
  if (entry.type !== "event" || entry.anonymous === true) return undefined;
  try {
    return AbiItem.getSignatureHash(entry as AbiItem.AbiItem);
  } catch {
    // Whoever registers a source may bring any ABI, also one that makes no sense.
    return undefined;
  }
}
