// The ABI of a verified contract in the service's form: entries (specification 2.10), and events by
// topic.
import type { AbiEntryWire } from "../../src/models/contract.ts";
import { isObject } from "../../src/models/issues.ts";
import { textKeccak } from "../../src/models/keccak.ts";
import type { ContractVerification, Hash, Log } from "../chain/records.ts";

/** An event's name and ABI, which L1 returns with a log. */
interface NamedEvent {
  readonly name: string;
  /** ABI entry as C1 returns it, in JSON. */
  readonly abi: string;
}

/**
 * Events by topic and number of topics, because an event may be declared twice with different
 * parameters indexed.
 */
type Events = ReadonlyMap<Hash, ReadonlyMap<number, NamedEvent>>;

interface WireAbi {
  readonly entries: AbiEntryWire[];
  readonly events: Events;
}

/** Computed once for each contract, so that a page of logs needs no hashing. */
const cache = new WeakMap<ContractVerification, WireAbi>();

function wireAbiOf(contract: ContractVerification): WireAbi {
  const cached = cache.get(contract);
  if (cached !== undefined) return cached;
  const entries = contract.abi.filter(isObject).map(abiEntry);
  const abi = { entries, events: eventsIn(entries) };
  cache.set(contract, abi);
  return abi;
}

/** The entries of a contract's ABI. */
export const abiOf = (contract: ContractVerification): AbiEntryWire[] =>
  wireAbiOf(contract).entries;

/** Returns the event of a log, if the contract's ABI declares it. */
export const eventOf = (
  contract: ContractVerification,
  { topics }: Pick<Log, "topics">,
): NamedEvent | undefined =>
  topics[0] && wireAbiOf(contract).events.get(topics[0])?.get(topics.length);

/** An ABI entry as a compiler wrote it. */
type Raw = Readonly<Record<string, unknown>>;

/** The fields that each kind of entry uses, besides `type`. */
const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  function: ["name", "inputs", "outputs", "payable", "constant", "stateMutability"],
  constructor: ["inputs", "payable", "stateMutability"],
  fallback: ["payable", "stateMutability"],
  receive: ["payable", "stateMutability"],
  event: ["name", "inputs"],
  error: ["name", "inputs"],
};

/**
 * Returns an entry with the fields that its kind uses, in the order of the specification, and then
 * any others. Omits fields that the kind does not use, because ABI readers refuse null there. Newer
 * compilers omit `payable` and `constant`, and the first ones `stateMutability`, so each is derived
 * from the other.
 */
function abiEntry(raw: Raw): AbiEntryWire {
  const { name, inputs, outputs, payable, constant, stateMutability, ...rest } =
    raw as Partial<AbiEntryWire>;
  // The first compilers omit the type of functions.
  const { type = "function", ...more } = rest;
  const fieldNames = fieldsByKind[type] ?? [];
  const isConstant = stateMutability === "view" || stateMutability === "pure";
  const derived = payable ? "payable" : constant ? "view" : "nonpayable";
  const complete = {
    name: name ?? "",
    type,
    inputs: parameters(inputs),
    outputs: parameters(outputs),
    payable: payable ?? stateMutability === "payable",
    constant: constant ?? isConstant,
    stateMutability: stateMutability ?? derived,
  };
  const fields = Object.entries(complete).filter(
    ([field]) => field === "type" || fieldNames.includes(field) || (raw[field] ?? null) !== null,
  );
  // Clients read a missing field as null (R4).
  return { ...Object.fromEntries(fields), ...more } as AbiEntryWire;
}

type Parameters = NonNullable<AbiEntryWire["inputs"]>;

/**
 * Puts name and type first, as in the specification, before `indexed`, `internalType` and others.
 */
const parameters = (list: unknown): Parameters =>
  Array.isArray(list) ? (list.filter(isObject).map(parameter) as Parameters) : [];

const parameter = ({ name = "", type, components, ...more }: Raw): Raw => ({
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

/** Writes parameter types as in an event's signature, where a tuple is `(types of its fields)`. */
const typesOf = (list: readonly Raw[]): string =>
  `(${list.map(({ type, components }) => (type as string).replace(/^tuple/, () => typesOf(components as readonly Raw[])))})`;

/** Returns the first topic of an event's logs; undefined for an anonymous event. */
function topicOf(entry: AbiEntryWire & { readonly anonymous?: unknown }): Hash | undefined {
  if (entry.type !== "event" || entry.anonymous === true) return undefined;
  try {
    return textKeccak(`${entry.name}${typesOf(entry.inputs ?? [])}`);
  } catch {
    // A registered ABI may be invalid.
    return undefined;
  }
}
