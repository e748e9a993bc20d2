// Searches a chain for a text: hashes, addresses, block numbers, names. Says where it has searched.

import type { Member } from "../../src/cli/abi.ts";
import { isAddress, isHash } from "../../src/models/hex.ts";
import type { Address, Block, ChainTransaction, Hash, Hex } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { decimal, lower } from "../operations/format.ts";
import { indexOf } from "./chain-index.ts";
import { contractRecord, cutReason, tokenRecord } from "./format.ts";
import { signaturesByName } from "./signatures.ts";
import type { AnswerWireOf } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

type CandidateWire = AnswerWireOf<"search">["candidates"][number];

/** A place that was searched, and the results. */
type Place = readonly [name: string, results: readonly CandidateWire[]];

const MAX_CANDIDATES = 20;

/** Digits that the part of an address or hash must have. */
const MIN_DIGITS = 4;

/** Newest transactions whose hashes and accounts are compared with a part. */
const COMPARED_TRANSACTIONS = 1000;

/** Characters of a name that are compared, because a hostile name may have millions. */
const MAX_COMPARED = 1000;

const transactionCandidate = ({ hash, block }: ChainTransaction): CandidateWire => ({
  kind: "transaction",
  transaction_hash: hash,
  block_number: decimal(block.number),
});

const blockCandidate = ({ number, hash }: Block): CandidateWire => ({
  kind: "block",
  block_number: decimal(number),
  block_hash: hash,
});

const accountCandidate = (chain: ChainWriter, address: Address): CandidateWire => ({
  kind: "account",
  address,
  is_contract: chain.code(address) !== "0x",
  transaction_count: decimal(chain.transactions(address, "all", {}).count),
  balance: decimal(chain.balance(address)),
});

type Signature = Pick<Member, "type" | "signature" | "selector">;

function signatureCandidate(chain: ChainWriter, { type, signature, selector }: Signature) {
  const index = indexOf(chain);
  const uses = type === "event" ? index.events(selector) : index.calls(selector);
  return {
    kind: type,
    signature: cutReason(signature),
    selector,
    count: type === "error" ? null : decimal(uses.length),
  };
}

/** Recognises a beginning with 0x, any other part, and an abbreviation with dots ("0x12ab…cd34"). */
function partTest(text: string): ((hexadecimal: string) => boolean) | undefined {
  const [, begin, end] = /^(?:0x)?([\da-f]{0,64})(?:…|\.{2,3})([\da-f]{0,64})$/.exec(text) ?? [];
  if (begin !== undefined && end !== undefined) {
    if (begin.length + end.length < MIN_DIGITS) return undefined;
    return (hexadecimal) => hexadecimal.startsWith(`0x${begin}`) && hexadecimal.endsWith(end);
  }
  if (!/^(0x)?[\da-f]{4,63}$/.test(text)) return undefined;
  return (hexadecimal) => hexadecimal.includes(text);
}

function partPlaces(chain: ChainWriter, isPart: (hexadecimal: string) => boolean): Place[] {
  const transactions = chain.allTransactions({});
  const first = Math.max(0, transactions.count - COMPARED_TRANSACTIONS);
  const newest = transactions.slice(first, COMPARED_TRANSACTIONS).reverse();
  const { tokens, contracts } = wholeChain(chain);
  const addresses = new Set([
    ...[...tokens, ...contracts, ...busiestAccounts(chain)].map(({ address }) => address),
    ...newest.flatMap(({ from, to, created }) => [from, to ?? created ?? from]),
  ]);
  const accounts = [...addresses].filter(isPart).slice(0, MAX_CANDIDATES);
  const hashes = newest.filter(({ hash }) => isPart(hash)).slice(0, MAX_CANDIDATES);
  return [
    [
      "parts of the addresses of tokens, contracts, busy and recent accounts",
      accounts.map((account) => accountCandidate(chain, account)),
    ],
    [
      `parts of the last ${newest.length} transaction hashes`,
      hashes.map((transaction) => transactionCandidate(transaction)),
    ],
  ];
}

/** Ranks whole names before beginnings, and beginnings before other parts. */
function rankOf(text: string, names: readonly (string | null)[]): number {
  const ranks = names.map((name) => {
    const compared = name?.slice(0, MAX_COMPARED).toLowerCase() ?? "";
    if (compared === text) return 0;
    if (compared.startsWith(text)) return 1;
    return compared.includes(text) ? 2 : Number.POSITIVE_INFINITY;
  });
  return Math.min(...ranks);
}

/** The items with a matching name, the best first. */
const matching = <Item>(
  list: readonly Item[],
  text: string,
  namesOf: (item: Item) => readonly (string | null)[],
): Item[] =>
  list
    .map((item) => ({ item, rank: rankOf(text, namesOf(item)) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_CANDIDATES)
    .map(({ item }) => item);

function blockPlace(chain: ChainWriter, number: number): Place {
  const block = chain.block(number);
  const range = `${chain.head.number - chain.length + 1} to ${chain.head.number}`;
  return [`block numbers (${range})`, block ? [blockCandidate(block)] : []];
}

function hashPlaces(chain: ChainWriter, hash: Hash): Place[] {
  const transaction = chain.transaction(hash);
  const block = indexOf(chain).blocks.get(hash);
  return [
    ["transaction hashes", transaction ? [transactionCandidate(transaction)] : []],
    ["block hashes", block ? [blockCandidate(block)] : []],
  ];
}

function namePlaces(chain: ChainWriter, text: string): Place[] {
  const { tokens, contracts } = wholeChain(chain);
  const named = matching(tokens, text, ({ name, symbol }) => [name, symbol]);
  const verified = matching(contracts, text, ({ contractName }) => [contractName]);
  return [
    [
      `names and symbols of ${tokens.length} tokens`,
      named.map((token) => ({ kind: "token", ...tokenRecord(token) })),
    ],
    [
      `names of ${contracts.length} verified contracts`,
      verified.map((contract) => ({ kind: "contract", ...contractRecord(chain)(contract) })),
    ],
  ];
}

/** Searches functions, events and errors by a part of the name, or by selector. */
function signaturePlace(chain: ChainWriter, text: string): Place {
  const signatures = [...signaturesByName(chain).values()].flat();
  const candidates = (matches: readonly Signature[]) =>
    matches.map((signature) => signatureCandidate(chain, signature));
  const lowered = text.replaceAll(" ", "").toLowerCase();
  if (/^0x([\da-f]{8}|[\da-f]{64})$/.test(lowered)) {
    const selector = lowered as Hex;
    const declared = signatures.filter((signature) => signature.selector === selector);
    const type = selector.length === 10 ? "function" : "event";
    const used = candidates([{ type, signature: selector, selector }]);
    return [
      `selectors of ${signatures.length} functions, events and errors, and of calls and logs`,
      declared.length > 0 ? candidates(declared) : used.filter(({ count }) => count !== "0"),
    ];
  }
  const named = candidates(
    // No name begins with another character.
    matching(/^\w/.test(lowered) ? signatures : [], lowered, ({ name, signature }) => [
      lowered.includes("(") ? signature : name,
    ]),
  );
  // Signatures that the chain uses come before those that only a standard has.
  const isUnused = ({ count }: (typeof named)[number]) => Number(count === "0");
  named.sort((one, other) => isUnused(one) - isUnused(other));
  return [`names of ${signatures.length} functions, events and errors`, named];
}

/** Searches every place where a text could be found. */
export function findCandidates(
  chain: ChainWriter,
  text: string,
): Pick<AnswerWireOf<"search">, "candidates" | "tried"> {
  const trimmed = text.trim();
  const lowered = trimmed.toLowerCase();
  const hexadecimal = `0x${trimmed.replace(/^0x/i, "")}` as const;
  const [isWholeHash, isWholeAddress] = [isHash(hexadecimal), isAddress(hexadecimal)];
  const digits = trimmed.replace(/^#/, "").replaceAll(/[,_' ]/g, "");
  const places: Place[] = /^\d{1,15}$/.test(digits) ? [blockPlace(chain, Number(digits))] : [];
  // The number of a block means that block, even if some hash has the same digits.
  const isBlock = places.some(([, results]) => results.length > 0);
  if (isWholeHash) places.push(...hashPlaces(chain, lower(hexadecimal)));
  // An unused address is a result as well, because its view says that it is unused.
  else if (isWholeAddress) places.push(["accounts", [accountCandidate(chain, lower(hexadecimal))]]);
  else places.push(...namePlaces(chain, lowered));
  if (isWholeHash || !(isWholeAddress || isBlock)) places.push(signaturePlace(chain, trimmed));
  const isPart = partTest(lowered);
  if (isPart && !(isWholeHash || isWholeAddress || isBlock))
    places.push(...partPlaces(chain, isPart));
  return {
    candidates: places.flatMap(([, results]) => results).slice(0, MAX_CANDIDATES),
    tried: places.map(([place, results]) => `${place}: ${results.length || "none"}`),
  };
}
