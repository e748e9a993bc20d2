// Names the variables in storage slots.
// https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
import * as Hash from "ox/Hash";
import * as OxHex from "ox/Hex";
import { addressInWord, wordOf } from "../chain/hex.ts";
import type {
  Execution,
  Hex,
  StorageLayout,
  StorageType,
  StorageVariable,
  Hash as Word,
} from "../chain/records.ts";
import { cutReason } from "./format.ts";
import type { StateChangeWire } from "./records.ts";

type NamedChange = StateChangeWire["variables"][number];

export interface SlotChange {
  readonly slot: Word;
  readonly before: string;
  readonly after: string;
}

/** Limit of hashes per contract. So many hashes take about 30 ms. */
const MAX_HASHES = 5000;
const MAX_KEYS = 300;
/** Limit of nesting, because a struct may contain a mapping to itself. */
const MAX_DEPTH = 6;
/** Limit of an array's slots. A slot beyond it belongs to another variable. */
const MAX_LENGTH = 1n << 40n;

/** Values in a transaction that may be keys of mappings or indexes of arrays. */
export interface Keys {
  readonly words: ReadonlySet<bigint>;
  readonly texts: ReadonlySet<Hex>;
}

const WORD = 64;

/** Yields the words of ABI-encoded data, and the texts, each of which follows its length. */
function* keysInData(digits: string): Generator<bigint | Hex> {
  for (let at = 0; at + WORD <= digits.length; at += WORD) {
    const word = BigInt(`0x${digits.slice(at, at + WORD)}`);
    yield word;
    const end = at + WORD + 2 * Number(word);
    if (word > 0n && word < 1000n && end <= digits.length)
      yield `0x${digits.slice(at + WORD, end)}`;
  }
}

/** Collects keys from callers, arguments, logs, and the words in the slots. */
export function keysIn(
  { transaction, frames, logs }: Execution,
  changes: readonly Pick<SlotChange, "before" | "after">[],
): Keys {
  const words = new Set<bigint>();
  const texts = new Set<Hex>();
  const note = (key: bigint | Hex) => {
    if (words.size + texts.size >= MAX_KEYS) return;
    if (typeof key === "bigint") words.add(key);
    else texts.add(key);
  };
  const calls = [transaction, ...frames];
  for (const { from, to, created } of calls)
    for (const address of [from, to, created]) if (address) note(BigInt(address));
  for (const { topics, data } of logs) {
    for (const topic of topics) note(BigInt(topic));
    for (const key of keysInData(data.slice(2))) note(key);
  }
  for (const { to, input } of calls)
    if (to !== null) for (const key of keysInData(input.slice(10))) note(key);
  for (const { before, after } of changes) for (const word of [before, after]) note(BigInt(word));
  return { words, texts };
}

/** A variable in a word of storage. */
interface Place {
  readonly name: string;
  readonly type: StorageType;
  /** Offset in bytes from the low end of the word. */
  readonly offset: number;
  /** The word holds the length of a list or text, or bytes of a long text. */
  readonly part?: "length" | "bytes";
}

/** Bytes of a value in a word. Bounded, because a hostile layout may state any number. */
const sizeOf = ({ numberOfBytes }: StorageType): number => Math.min(32, Number(numberOfBytes));
const slotsOf = ({ numberOfBytes }: StorageType): bigint => {
  const slots = (BigInt(numberOfBytes) + 31n) / 32n;
  return slots > 0n ? slots : 1n;
};

/** Number of array elements in a slot, which small ones share. */
const sharingSlot = (type: StorageType): bigint =>
  BigInt(Math.max(1, Math.floor(32 / Math.max(1, sizeOf(type)))));

function elementAt(type: StorageType, index: bigint): { slot: bigint; offset: number } {
  const perSlot = sharingSlot(type);
  if (perSlot > 1n)
    return { slot: index / perSlot, offset: Number(index % perSlot) * sizeOf(type) };
  return { slot: index * slotsOf(type), offset: 0 };
}

const keccak = (...parts: readonly Hex[]): bigint => BigInt(Hash.keccak256(OxHex.concat(...parts)));

/** Searches a layout for the variables in the wanted slots. */
class Search {
  readonly found = new Map<bigint, Place[]>();
  readonly #types: Readonly<Record<string, StorageType>>;
  readonly #wanted: ReadonlySet<bigint>;
  readonly #keys: Keys;
  #hashes = 0;

  constructor(
    types: Readonly<Record<string, StorageType>>,
    wanted: ReadonlySet<bigint>,
    keys: Keys,
  ) {
    this.#types = types;
    this.#wanted = wanted;
    this.#keys = keys;
  }

  members(variables: readonly StorageVariable[], base: bigint, prefix: string, depth: number) {
    for (const { label, slot, offset, type } of variables)
      this.#visit(type, base + BigInt(slot), offset, `${prefix}${label}`, depth);
  }

  #visit(id: string | undefined, base: bigint, offset: number, name: string, depth: number): void {
    const type = id !== undefined && Object.hasOwn(this.#types, id) ? this.#types[id] : undefined;
    if (type === undefined || depth > MAX_DEPTH || this.#hashes > MAX_HASHES) return;
    const inner = depth + 1;
    if (type.encoding === "mapping") this.#mapping(type, base, name, inner);
    else if (type.encoding === "dynamic_array") {
      this.#note(base, { name: `${name}.length`, type, offset: 0, part: "length" });
      this.#elements(type, this.#hash(wordOf(base)), MAX_LENGTH, name, inner);
    } else if (type.encoding === "bytes") {
      this.#note(base, { name, type, offset: 0, part: "length" });
      this.#bytes(type, base, name);
    } else if (type.members) this.members(type.members, base, `${name}.`, inner);
    else if (type.base !== undefined) this.#elements(type, base, slotsOf(type), name, inner);
    else this.#note(base, { name, type, offset });
  }

  #mapping(type: StorageType, base: bigint, name: string, depth: number): void {
    const key = this.#types[type.key ?? ""];
    if (key === undefined) return;
    if (key.encoding === "bytes") {
      for (const text of this.#keys.texts) {
        const at = this.#hash(text, wordOf(base));
        this.#visit(type.value, at, 0, `${name}[${textOf(text, key)}]`, depth);
      }
      return;
    }
    for (const word of this.#keys.words) {
      const label = keyText(word, key);
      if (label === undefined) continue;
      const at = this.#hash(wordOf(word), wordOf(base));
      this.#visit(type.value, at, 0, `${name}[${label}]`, depth);
    }
  }

  /** Visits elements in wanted slots, and elements whose parts are stored at hashes. */
  #elements({ base: id }: StorageType, base: bigint, slots: bigint, name: string, depth: number) {
    const type = this.#types[id ?? ""];
    if (type === undefined) return;
    const perSlot = sharingSlot(type);
    const indexes = new Set(this.#mayHash(type) ? [...this.#keys.words].filter(isIndex) : []);
    for (const slot of this.#wanted) {
      if (slot < base || slot >= base + slots) continue;
      const first = perSlot > 1n ? (slot - base) * perSlot : (slot - base) / slotsOf(type);
      for (let more = 0n; more < perSlot; more += 1n) indexes.add(first + more);
    }
    for (const index of indexes) {
      const { slot, offset } = elementAt(type, index);
      if (slot < slots) this.#visit(id, base + slot, offset, `${name}[${index}]`, depth);
    }
  }

  #bytes(type: StorageType, base: bigint, name: string): void {
    const start = this.#hash(wordOf(base));
    for (const slot of this.#wanted) {
      const at = slot - start;
      if (at >= 0n && at < MAX_LENGTH)
        this.#note(slot, {
          name: `${name}[${at * 32n}…${at * 32n + 31n}]`,
          type,
          offset: 0,
          part: "bytes",
        });
    }
  }

  /** Whether a value of a type has parts that are stored at hashes, such as mappings. */
  #mayHash({ encoding, members, base }: StorageType, depth = 0): boolean {
    if (encoding !== "inplace") return true;
    if (depth > MAX_DEPTH) return false;
    const parts = [...(members ?? []).map(({ type }) => type), ...(base ? [base] : [])];
    return parts.some((id) => {
      const type = this.#types[id];
      return type !== undefined && this.#mayHash(type, depth + 1);
    });
  }

  #hash(...parts: readonly Hex[]): bigint {
    this.#hashes += 1;
    return keccak(...parts);
  }

  #note(slot: bigint, place: Place): void {
    if (!this.#wanted.has(slot)) return;
    const places = this.found.get(slot) ?? [];
    // Several paths may lead to one slot.
    if (!places.some(({ name }) => name === place.name)) this.found.set(slot, [...places, place]);
  }
}

const isIndex = (word: bigint): boolean => word < 1n << 32n;

const maskOf = (bytes: number): bigint => (1n << BigInt(8 * bytes)) - 1n;

/** Returns undefined if the word is no value of the type. */
function keyText(word: bigint, type: StorageType): string | undefined {
  const size = sizeOf(type);
  if (/^bytes\d/.test(type.label)) {
    // Fixed bytes start at the high end of the word.
    const padding = BigInt(8 * (32 - size));
    return word & ((1n << padding) - 1n) ? undefined : valueText(word >> padding, type);
  }
  const isNegative = /^int\d/.test(type.label) && word >> 255n === 1n;
  const fits = isNegative
    ? word >= (1n << 256n) - (1n << BigInt(8 * size - 1))
    : word <= maskOf(size);
  return fits ? valueText(word & maskOf(size), type) : undefined;
}

/** Quotes a string; other bytes stay hexadecimal. */
function textOf(hex: Hex, { label }: StorageType): string {
  return label === "string" ? JSON.stringify(OxHex.toString(hex)) : hex;
}

function valueText(value: bigint, type: StorageType): string {
  const { label } = type;
  const size = sizeOf(type);
  if (label === "bool") return value === 0n ? "false" : value === 1n ? "true" : `${value}`;
  if (/^(address|contract )/.test(label)) return addressInWord(wordOf(value));
  if (/^bytes\d/.test(label)) return `0x${value.toString(16).padStart(2 * size, "0")}`;
  if (/^int\d/.test(label)) return `${BigInt.asIntN(8 * size, value)}`;
  return /^function/.test(label) ? `0x${value.toString(16)}` : `${value}`;
}

function contentOf(word: string, { type, offset, part }: Place): string {
  const value = BigInt(word);
  if (part === "bytes") return word;
  if (part === "length" && type.encoding === "bytes") {
    if (value & 1n) return `${(value - 1n) / 2n} bytes`;
    return textOf(word.slice(0, 2 + 2 * Math.min(31, Number((value & 255n) / 2n))) as Hex, type);
  }
  if (part === "length") return `${value}`;
  return valueText((value >> BigInt(8 * offset)) & maskOf(sizeOf(type)), type);
}

/** The variables that changed, by slot. */
export function namedChanges(
  { storage, types }: StorageLayout,
  changes: readonly SlotChange[],
  keys: Keys,
): ReadonlyMap<Word, NamedChange[]> {
  const search = new Search(types ?? {}, new Set(changes.map(({ slot }) => BigInt(slot))), keys);
  search.members(storage, 0n, "", 0);
  return new Map(
    changes.map(({ slot, before, after }) => {
      const places = search.found.get(BigInt(slot)) ?? [];
      const variables = places.flatMap((place) => {
        const [was, is] = [contentOf(before, place), contentOf(after, place)];
        const { name, type, part } = place;
        const label = part === "length" && type.encoding !== "bytes" ? "uint256" : type.label;
        if (was === is) return [];
        return [
          {
            name: cutReason(name),
            type: cutReason(label),
            before: cutReason(was),
            after: cutReason(is),
          },
        ];
      });
      return [slot, variables] as const;
    }),
  );
}
