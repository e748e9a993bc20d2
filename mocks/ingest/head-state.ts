// Collects recorded calls of a node (balances, code, token calls) into the head state of a chain.
import { toBytes } from "ox/Hex";
import * as z from "zod/mini";
import { ForkMap } from "../chain/fork-map.ts";
import { addressInWord, WORD_DIGITS, ZERO_ADDRESS } from "../chain/hex.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address, HeadState, Hex, TokenStandard, TokenState } from "../chain/records.ts";
import {
  TRANSFER_TOPIC,
  type TransferEvent,
  transferIn,
  transferTopics,
} from "../chain/transfer-event.ts";
import { createDecoder } from "../input/text-coding.ts";
import { address, anything, blockTag, count, cut, data, quantity, read, text } from "./read.ts";

// These limits exist because anyone can deploy a token with a name of megabytes.
/** Maximum characters of a token's name or symbol. */
export const MAX_NAME_LENGTH = 256;
/** Maximum characters of a token URI. */
const MAX_URI = 2 ** 14;
/** Maximum bytes of a call's result: a token URI with up to four bytes for each character. */
export const MAX_RESULT = 4 * MAX_URI + 64;

// Keeps a byte order mark as part of the text.
const utf8 = createDecoder("utf-8", { ignoreBOM: true });

const textInDigits = (digits: string): string => utf8.decode(toBytes(`0x${digits}`));

/** Parses a word as an offset or length; null from 2^53 on. */
function position(word: string): number | null {
  if (word.length !== WORD_DIGITS) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

// Decodes an ABI `string`, or the zero-padded `bytes32` of early tokens; null for anything else.
// Cuts the text to `max` characters, and accepts data that was itself cut after them.
export function decodeText(data: Hex, max: number): string | null {
  const digits = data.slice(2);
  if (digits.length === WORD_DIGITS) return textInDigits(digits.replace(/(?:00)+$/, ""));
  const offset = position(digits.slice(0, WORD_DIGITS));
  if (offset === null) return null;
  const body = digits.slice(2 * offset);
  const length = position(body.slice(0, WORD_DIGITS));
  if (length === null) return null;
  // A UTF-8 character has at most four bytes. Reads one character more, so that `cut` notices a
  // longer text.
  const byteCount = Math.min(length, 4 * (max + 1));
  if (body.length < WORD_DIGITS + 2 * byteCount) return null;
  return cut(textInDigits(body.slice(WORD_DIGITS, WORD_DIGITS + 2 * byteCount)), max);
}

/** Decodes an ABI `uint256`. */
export function decodeNumber(data: Hex): bigint | null {
  return data.length >= 2 + WORD_DIGITS ? BigInt(data.slice(0, 2 + WORD_DIGITS)) : null;
}

function decodeAddress(data: Hex): Address | null {
  return data.length >= 2 + WORD_DIGITS ? addressInWord(data.slice(0, 2 + WORD_DIGITS)) : null;
}

export function decodeFlag(data: Hex): boolean {
  return decodeNumber(data) === 1n;
}

export const SELECTORS = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  supportsInterface: "0x01ffc9a7",
  tokenURI: "0xc87b56dd",
  balanceOf: "0x70a08231",
  ownerOf: "0x6352211e",
} as const satisfies Record<string, Hex>;

/** The ERC-165 identifier of ERC-721. */
export const MRC721_INTERFACE: Hex = "0x80ac58cd";

/**
 * ERC-165 forbids support of this identifier. A contract that claims it returns true for every
 * identifier: https://eips.ethereum.org/EIPS/eip-165
 */
export const NO_INTERFACE: Hex = "0xffffffff";

const recordedCall = <First extends z.core.SomeType, Result extends z.core.SomeType>(
  first: First,
  result: Result,
) => z.object({ params: z.tuple([first], z.unknown()), result, error: anything });

const schemas = {
  eth_getBalance: recordedCall(address, quantity),
  eth_getCode: recordedCall(address, data),
  // Checked later, because a failed call has an error instead of a result.
  eth_call: recordedCall(
    z.object({ to: address, input: z.optional(data), data: z.optional(data) }),
    anything,
  ),
};
const callSchema = z.object({ method: text, params: anything });
const chainIdSchema = z.object({ result: count });

const MAX_DECIMALS = 255n;

type MutableTokenState = { -readonly [Field in keyof TokenState]: TokenState[Field] };

/** The argument of a call with one word after its selector. */
function argument(input: Hex): bigint {
  return decodeNumber(`0x${input.slice(10)}`) ?? 0n;
}

function balanceIn(call: unknown): [Address, bigint] {
  const { params, result } = read(schemas.eth_getBalance, call);
  return [params[0], result];
}

function firstTransfer(chain: ChainReader, address: Address): TransferEvent | undefined {
  const transfers = chain.logs({ address, topics: [TRANSFER_TOPIC], operand: "and" });
  return transfers.count > 0 ? transferIn(transfers.at(0)) : undefined;
}

// Maximum number of Transfer events to read. The first shows the standard, unless it has no indexed
// arguments.
const EVENTS_TO_READ = 100;

function standardByEvents(chain: ChainReader, address: Address): TokenStandard | undefined {
  for (const topic of transferTopics) {
    const logs = chain.logs({ address, topics: [topic], operand: "and" });
    for (const log of logs.slice(0, EVENTS_TO_READ)) {
      const standard = transferIn(log)?.standard;
      if (standard !== undefined) return standard;
    }
  }
  return undefined;
}

const hasNoMetadata = (token: Omit<TokenState, "address" | "standard">): boolean =>
  [token.name, token.symbol, token.decimals, token.totalSupply].every((value) => value === null);

/** Collects recorded calls. Add them one by one, as `{ method, params, result | error }`. */
export class HeadStateReader {
  chainId: number | undefined;
  // A later record of a call replaces the earlier one, because recordings may grow with the chain.
  readonly #balances = new ForkMap<Address, bigint>();
  readonly #codes = new ForkMap<Address, Hex>();
  readonly #tokens = new Map<Address, MutableTokenState>();
  readonly #tokenBalances = new ForkMap<string, readonly [Address, Address, bigint | null]>();
  readonly #owners = new ForkMap<string, readonly [Address, bigint, Address | null]>();
  readonly #uris = new ForkMap<string, readonly [Address, bigint, string | null]>();
  /** Contracts that claim support, by ERC-165 identifier. */
  readonly #supporting = new Map<Hex, Set<Address>>();
  /**
   * Contracts with recorded `tokenURI` calls, which the recorder therefore regarded as collections.
   */
  readonly #collections = new Set<Address>();
  /** Contracts that returned the zero address's balance, and so implement `balanceOf`. */
  readonly #probed = new Set<Address>();
  /** Calls at a block number, until the head's number is known. */
  readonly #atBlock: {
    readonly at: number;
    readonly method: string;
    readonly call: unknown;
  }[] = [];

  add(call: unknown): void {
    const { method, params } = read(callSchema, call);
    if (method === "eth_chainId") this.chainId = read(chainIdSchema, call).result;
    if (!Object.hasOwn(schemas, method)) return;
    const tag: unknown = Array.isArray(params) ? params[1] : undefined;
    const at =
      tag === undefined || tag === "latest" ? "latest" : read(blockTag, tag, ["params", 1]);
    if (at === "latest") this.#addOfHead(method, call);
    else this.#atBlock.push({ at, method, call });
  }

  #addOfHead(method: string, call: unknown): void {
    switch (method) {
      case "eth_getBalance":
        this.#balances.set(...balanceIn(call));
        return;
      case "eth_getCode": {
        const { params, result } = read(schemas.eth_getCode, call);
        this.#codes.set(params[0], result);
        return;
      }
      default:
        this.#addContractCall(call);
    }
  }

  #addContractCall(call: unknown): void {
    const { params, result, error } = read(schemas.eth_call, call);
    const [{ to, ...request }] = params;
    const input = request.input ?? read(data, request.data, ["params", 0, "data"]);
    const failed = error !== undefined && error !== null;
    const output = failed ? null : read(data, result, ["result"]);
    switch (input.slice(0, 10)) {
      case SELECTORS.name:
        this.#token(to).name = output && decodeText(output, MAX_NAME_LENGTH);
        return;
      case SELECTORS.symbol:
        this.#token(to).symbol = output && decodeText(output, MAX_NAME_LENGTH);
        return;
      case SELECTORS.decimals: {
        const decimals = output && decodeNumber(output);
        this.#token(to).decimals =
          decimals === null || decimals > MAX_DECIMALS ? null : Number(decimals);
        return;
      }
      case SELECTORS.totalSupply:
        this.#token(to).totalSupply = output && decodeNumber(output);
        return;
      case SELECTORS.supportsInterface: {
        const supporting = this.#supports(`0x${input.slice(10, 18)}`);
        if (output && decodeFlag(output)) supporting.add(to);
        else supporting.delete(to);
        return;
      }
      case SELECTORS.tokenURI: {
        const uri = output && decodeText(output, MAX_URI);
        this.#collections.add(to);
        this.#uris.set(to + input, [to, argument(input), uri]);
        return;
      }
      case SELECTORS.balanceOf: {
        const balance = output && decodeNumber(output);
        const holder: Address = `0x${input.slice(34, 74)}`;
        this.#tokenBalances.set(to + input, [to, holder, balance]);
        if (holder === ZERO_ADDRESS && balance !== null) this.#probed.add(to);
        return;
      }
      case SELECTORS.ownerOf: {
        const owner = output && decodeAddress(output);
        const existing = owner === ZERO_ADDRESS ? null : owner;
        this.#owners.set(to + input, [to, argument(input), existing]);
        return;
      }
    }
  }

  #supports(id: Hex): Set<Address> {
    const contracts = this.#supporting.get(id) ?? new Set();
    this.#supporting.set(id, contracts);
    return contracts;
  }

  #claimsCollection(contract: Address): boolean {
    return (
      this.#supports(MRC721_INTERFACE).has(contract) && !this.#supports(NO_INTERFACE).has(contract)
    );
  }

  #token(address: Address): MutableTokenState {
    const existing = this.#tokens.get(address);
    if (existing !== undefined) return existing;
    const token: MutableTokenState = { address };
    this.#tokens.set(address, token);
    return token;
  }

  /** Returns the tokens, and sets the standard of tokens whose events do not show it. */
  #standardized(chain: ChainReader): TokenState[] {
    for (const collection of this.#supports(MRC721_INTERFACE)) {
      if (this.#claimsCollection(collection)) this.#token(collection).standard = "mrc721";
    }
    const held = new Set<Address>();
    const withBalanceOf = new Set<Address>();
    for (const [token, , balance] of this.#tokenBalances.values()) {
      if (balance !== null) withBalanceOf.add(token);
      if (balance) held.add(token);
    }
    return [...this.#tokens.values()].map((token) => {
      const { address, decimals, totalSupply } = token;
      if (token.standard !== undefined) return token;
      const onChain = chain.token(address);
      if (onChain !== undefined) {
        // Any contract can emit a Transfer event, but a token also implements at least one token
        // function.
        const isTokenLike = withBalanceOf.has(address) || this.#collections.has(address);
        if (hasNoMetadata(token) && !isTokenLike) return { ...token, standard: null };
        // Prefers the events, because the contract may have claimed to be a collection before an
        // upgrade.
        const standard = standardByEvents(chain, address) ?? onChain.standard;
        return standard === onChain.standard ? token : { ...token, standard };
      }
      if (this.#collections.has(address)) return { ...token, standard: "mrc721" };
      // Events with nothing indexed look the same in both standards; only MRC20 tokens have
      // decimals.
      const hasDecimals = typeof decimals === "number";
      const first = firstTransfer(chain, address);
      if (first !== undefined && !hasNoMetadata(token)) {
        return { ...token, standard: first.standard ?? (hasDecimals ? "mrc20" : "mrc721") };
      }
      const hasSupply = hasDecimals && typeof totalSupply === "bigint";
      // Excludes a proxy's implementation, which has a token's functions, but no supply and no
      // holders.
      const isHeld = totalSupply !== 0n && this.#probed.has(address);
      return hasSupply && (isHeld || held.has(address)) ? { ...token, standard: "mrc20" } : token;
    });
  }

  genesis(firstBlock: number): (readonly [Address, bigint])[] {
    const before = Math.max(0, firstBlock - 1);
    return this.#atBlock
      .filter(({ at, method }) => at === before && method === "eth_getBalance")
      .map(({ call }) => balanceIn(call));
  }

  codes(): Pick<ReadonlyMap<Address, Hex>, "get"> {
    return this.#codes;
  }

  // Returns owners by id. Ignores failed calls of contracts without `ownerOf`, because only with it
  // does a failure mean that the id does not exist.
  #knownOwners(): (readonly [Address, bigint, Address | null])[] {
    const owners = [...this.#owners.values()];
    const owned = owners.filter(([, , owner]) => owner !== null);
    const answering = new Set(owned.map(([collection]) => collection));
    return owners.filter(
      ([collection]) => answering.has(collection) || this.#claimsCollection(collection),
    );
  }

  headState(chain: ChainReader): HeadState {
    const head = chain.head.number;
    for (const { at, method, call } of this.#atBlock)
      if (at === head) this.#addOfHead(method, call);
    return {
      balances: this.#balances.entries(),
      codes: this.#codes.entries(),
      tokens: this.#standardized(chain),
      tokenBalances: this.#tokenBalances.values(),
      owners: this.#knownOwners(),
      uris: this.#uris.values(),
    };
  }
}
