// The functions, events and errors of verified sources and of standards, by name and by selector.
import * as AbiItem from "ox/AbiItem";
import { type Member, membersOf } from "../../src/cli/abi.ts";
import type { Hex } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { standardSignatures } from "./standard-abi.ts";
import { cachedFor, wholeChain } from "./whole-chain.ts";

export type SignatureKind = Member["type"];

/** Signatures by kind and selector. Events of one signature may differ in indexed parameters. */
export type Signatures = ReadonlyMap<string, readonly Member[]>;

export const selectorKey = (kind: SignatureKind, selector: Hex): string => `${kind} ${selector}`;

function signaturesIn(members: Iterable<Member>): Signatures {
  const signatures = new Map<string, Member[]>();
  for (const member of members) {
    const key = selectorKey(member.type, member.selector);
    signatures.set(key, [...(signatures.get(key) ?? []), member]);
  }
  return signatures;
}

/** Signatures by ABI, because hashing the signatures of a large contract takes milliseconds. */
const cache = new WeakMap<readonly unknown[], Signatures>();

export function signaturesOf(abi: readonly unknown[]): Signatures {
  const cached = cache.get(abi) ?? signaturesIn(membersOf(abi));
  cache.set(abi, cached);
  return cached;
}

let standard: Signatures | undefined;

/** The signatures of standards by selector. */
export const standardsBySelector = (): Signatures => {
  standard ??= signaturesIn(membersOf(standardSignatures.map((text) => AbiItem.from(text))));
  return standard;
};

/** Limit of signatures, because a chain may have any number of sources. */
const MAX_SIGNATURES = 20_000;

/** The signatures of all verified sources by selector. */
export const verifiedBySelector = cachedFor((chain): Signatures => {
  const bySelector = new Map<string, readonly Member[]>();
  for (const { abi } of wholeChain(chain).contracts) {
    if (bySelector.size > MAX_SIGNATURES) break;
    for (const [key, members] of signaturesOf(abi))
      if (!bySelector.has(key)) bySelector.set(key, members);
  }
  return bySelector;
});

/** The signatures of standards and of all verified sources, by name in lower case. */
export const signaturesByName = cachedFor((chain): ReadonlyMap<string, readonly Member[]> => {
  const byName = new Map<string, Member[]>();
  const bySelector = new Map([...standardsBySelector(), ...verifiedBySelector(chain)]);
  for (const [member] of bySelector.values()) {
    if (member === undefined) continue;
    const name = member.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), member]);
  }
  return byName;
});

/** Finds signatures by name, signature or selector. Accepts selectors that no source declares. */
export function signaturesFor(
  chain: ChainWriter,
  kind: SignatureKind,
  text: string,
): readonly Pick<Member, "selector">[] {
  const lowered = text.trim().toLowerCase();
  const selector = kind === "event" ? /^0x[\da-f]{64}$/ : /^0x[\da-f]{8}$/;
  if (selector.test(lowered)) return [{ selector: lowered as Hex }];
  const name = lowered.replace(/\(.*$/s, "");
  return (signaturesByName(chain).get(name) ?? []).filter(
    ({ type, signature }) =>
      type === kind &&
      (name === lowered || signature.toLowerCase() === lowered.replaceAll(" ", "")),
  );
}
