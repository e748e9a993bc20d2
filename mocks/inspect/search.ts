// Searches a chain for a text: hashes, addresses, block numbers, names. Says where it has looked.

import type { Member } from "../../src/cli/abi.ts";
import { isAddress, isHash } from "../../src/models/hex.ts";
import type {
  Address,
  Block,
  ChainTransaction,
  ContractVerification,
  Hash,
  Hex,
  Token,
} from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { decimal, lower } from "../operations/format.ts";
import { indexOf } from "./chain-index.ts";
import { contractRecord, cutReason, tokenRecord } from "./format.ts";
import { signaturesByName } from "./signatures.ts";
import type { AnswerWireOf } from "./views.ts";
import { busiestAccounts, wholeChain } from "./whole-chain.ts";

type CandidateWire = AnswerWireOf<"search">["candidates"][number];

const MAX_CANDIDATES = 20;

function meaningsOf(text: string) {
  const trimmed = text.trim();
  const digits = trimmed.replace(/^#/, "").replaceAll(/[,_' ]/g, "");
  const hexadecimal = `0x${trimmed.replace(/^0x/i, "")}` as const;
  return {
    name: trimmed.toLowerCase(),
    hash: isHash(hexadecimal) ? lower(hexadecimal) : undefined,
    address: isAddress(hexadecimal) ? lower(hexadecimal) : undefined,
    part: partOf(trimmed),
    block: /^\d{1,15}$/.test(digits) ? Number(digits) : undefined,
  };
}

/** A part of an address or hash: its beginning with 0x, any part, or an abbreviation with dots. */
function partOf(text: string): ((hexadecimal: string) => boolean) | undefined {
  const lowered = text.toLowerCase();
  const [, begin, end] = /^(?:0x)?([\da-f]{0,64})(?:…|\.{2,3})([\da-f]{0,64})$/.exec(lowered) ?? [];
  if (begin !== undefined && end !== undefined) {
    if (begin.length + end.length < MIN_DIGITS) return undefined;
    return (one) => one.startsWith(`0x${begin}`) && one.endsWith(end);
  }
  if (!/^(0x)?[\da-f]{4,63}$/.test(lowered)) return undefined;
  return (one) => one.includes(lowered);
}

const MIN_DIGITS = 4;

/** Newest transactions whose hashes and accounts are compared with a part. */
const COMPARED_TRANSACTIONS = 1000;

function partPlaces(chain: ChainWriter, isPart: (hexadecimal: string) => boolean): Place[] {
  const transactions = chain.allTransactions({});
  const first = Math.max(0, transactions.count - COMPARED_TRANSACTIONS);
  const newest = transactions.slice(first, COMPARED_TRANSACTIONS).reverse();
  const { tokens, contracts } = wholeChain(chain);
  const listed = [...tokens, ...contracts, ...busiestAccounts(chain)].map(({ address }) => address);
  const parties = newest.flatMap(({ from, to, created }) => [from, to, created]);
  const accounts = [...new Set([...listed, ...parties])].filter((one) => one && isPart(one));
  return [
    [
      "parts of the addresses of tokens, contracts, busy and recent accounts",
      accounts
        .slice(0, MAX_CANDIDATES)
        .flatMap((account) => (account ? [accountCandidate(chain, account)] : [])),
    ],
    [
      `parts of the last ${newest.length} transaction hashes`,
      newest
        .filter(({ hash }) => isPart(hash))
        .slice(0, MAX_CANDIDATES)
        .map(transactionCandidate),
    ],
  ];
}

const transactionCandidate = ({ hash, block }: ChainTransaction): CandidateWire => ({
  kind: "transaction",
  transaction_hash: hash,
  block_number: decimal(block.number),
});

/** A place that was searched, and the results. */
type Place = readonly [name: string, found: readonly CandidateWire[]];

/** Ranks whole names before beginnings before other parts. */
function rankOf(name: string, names: readonly (string | null)[]): number {
  const ranks = names.map((one) => {
    const text = one?.slice(0, MAX_COMPARED).toLowerCase() ?? "";
    if (text === name) return 0;
    if (text.startsWith(name)) return 1;
    return text.includes(name) ? 2 : Number.POSITIVE_INFINITY;
  });
  return Math.min(...ranks);
}

/** Characters of a name that are compared, because a hostile one may have millions. */
const MAX_COMPARED = 1000;

/** The items with a matching name, the best first. */
function matching<Item>(
  list: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly (string | null)[],
): Item[] {
  return list
    .map((item) => ({ item, rank: rankOf(name, namesOf(item)) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_CANDIDATES)
    .map(({ item }) => item);
}

function blockAt(chain: ChainWriter, number: number): Place {
  const block = chain.block(number);
  const range = `${chain.head.number - chain.length + 1} to ${chain.head.number}`;
  return [`block numbers (${range})`, block ? [blockCandidate(block)] : []];
}

const blockCandidate = ({ number, hash }: Block): CandidateWire => ({
  kind: "block",
  block_number: decimal(number),
  block_hash: hash,
});

function hashPlaces(chain: ChainWriter, hash: Hash): Place[] {
  const transaction = chain.transaction(hash);
  const block = indexOf(chain).blocks.get(hash);
  return [
    ["transaction hashes", transaction ? [transactionCandidate(transaction)] : []],
    ["block hashes", block ? [blockCandidate(block)] : []],
  ];
}

/** An unused address is found, too, because its view says that it is unused. */
const accountAt = (chain: ChainWriter, address: Address): Place => [
  "accounts",
  [accountCandidate(chain, address)],
];

const accountCandidate = (chain: ChainWriter, address: Address): CandidateWire => ({
  kind: "account",
  address,
  is_contract: chain.code(address) !== "0x",
  transaction_count: decimal(chain.transactions(address, "all", {}).count),
  balance: decimal(chain.balance(address)),
});

function namePlaces(chain: ChainWriter, name: string): Place[] {
  const { tokens, contracts } = wholeChain(chain);
  const named = matching<Token>(tokens, name, (token) => [token.name, token.symbol]);
  const verified = matching<ContractVerification>(contracts, name, (one) => [one.contractName]);
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
function signaturePlaces(chain: ChainWriter, text: string): Place[] {
  const signatures = [...signaturesByName(chain).values()].flat();
  const wanted = text.replaceAll(" ", "").toLowerCase();
  if (/^0x([\da-f]{8}|[\da-f]{64})$/.test(wanted)) {
    const declared = signatures.filter(({ selector }) => selector === wanted);
    const matches = (declared.length > 0 ? declared : unknownOnes(wanted as Hex)).map((one) =>
      signatureCandidate(chain, one),
    );
    const used = matches.filter(({ count }) => declared.length > 0 || count !== "0");
    return [
      [
        `selectors of ${signatures.length} functions, events and errors, and of calls and logs`,
        used,
      ],
    ];
  }
  // The text may be a name, or the beginning of a signature.
  const isName = /^\w/.test(wanted);
  const named = isName
    ? matching(signatures, wanted, ({ name, signature }) => [
        wanted.includes("(") ? signature : name,
      ])
    : [];
  const candidates = named.map((one) => signatureCandidate(chain, one));
  // Signatures that the chain uses come before those that only a standard has.
  const isUnused = ({ count }: { readonly count: string | null }) => Number(count === "0");
  candidates.sort((one, other) => isUnused(one) - isUnused(other));
  return [[`names of ${signatures.length} functions, events and errors`, candidates]];
}

type Signature = Pick<Member, "type" | "signature" | "selector">;

/** A selector that no source declares. */
const unknownOnes = (selector: Hex): readonly Signature[] => [
  { type: selector.length === 10 ? "function" : "event", signature: selector, selector },
];

function countOf(chain: ChainWriter, { type, selector }: Signature) {
  if (type === "error") return null;
  const index = indexOf(chain);
  return decimal((type === "event" ? index.events(selector) : index.calls(selector)).length);
}

const signatureCandidate = (chain: ChainWriter, one: Signature) => ({
  kind: one.type,
  signature: cutReason(one.signature),
  selector: one.selector,
  count: countOf(chain, one),
});

/** Looks in every place where a text could be found. */
export function findCandidates(
  chain: ChainWriter,
  text: string,
): Pick<AnswerWireOf<"search">, "candidates" | "tried"> {
  const { name, hash, address, block, part } = meaningsOf(text);
  const blocks = block === undefined ? [] : [blockAt(chain, block)];
  // A block number means that block, even if some hash has the same digits.
  const isWhole = (hash ?? address) || blocks.some(([, found]) => found.length > 0);
  const places: readonly Place[] = [
    ...blocks,
    ...(hash === undefined ? [] : hashPlaces(chain, hash)),
    ...(address === undefined ? [] : [accountAt(chain, address)]),
    ...((hash ?? address) ? [] : namePlaces(chain, name)),
    ...(hash !== undefined || !isWhole ? signaturePlaces(chain, text.trim()) : []),
    ...(part === undefined || isWhole ? [] : partPlaces(chain, part)),
  ];
  return {
    candidates: places.flatMap(([, found]) => found).slice(0, MAX_CANDIDATES),
    tried: places.map(([place, found]) => `${place}: ${found.length || "none"}`),
  };
}
