// Gathers what only a node can tell of a chain's head (balances, code, token calls) into facts.
import * as z from "zod/mini";
import type { HeadState, TokenState } from "../chain/block-input.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address, Hex } from "../chain/records.ts";
import { TRANSFER_TOPIC, type TransferEvent, transferIn } from "../chain/transfer-event.ts";
import { decodeFlag, decodeNumber, decodeText } from "./abi.ts";
import { fastRecord } from "./fast.ts";
import { read } from "./read.ts";
import { address, anything, blockTag, count, data, quantity, text } from "./values.ts";

/** The calls asked of a contract, by their selectors. */
export const SELECTORS = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  supportsInterface: "0x01ffc9a7",
  tokenURI: "0xc87b56dd",
  balanceOf: "0x70a08231",
} as const satisfies Record<string, Hex>;

/** The ERC-165 identifier of ERC-721. */
export const MRC721_INTERFACE: Hex = "0x80ac58cd";

/** The identifier nothing supports: whoever says yes to it says yes to anything. */
export const NO_INTERFACE: Hex = "0xffffffff";

/** Whether a contract says it is a collection; `supporting` has those that say yes, by ERC-165 identifier. */
export const saysCollection = (
  supporting: ReadonlyMap<Hex, ReadonlySet<Address>>,
  of: Address,
): boolean =>
  supporting.get(MRC721_INTERFACE)?.has(of) === true && !supporting.get(NO_INTERFACE)?.has(of);

/** What was asked of a head, by method, with its answer. */
const requestedOf = <First extends z.core.SomeType, Result extends z.core.SomeType>(
  first: First,
  result: Result,
) => fastRecord(z.object({ params: z.tuple([first], z.unknown()), result, error: anything }));

const schemas = {
  eth_getBalance: requestedOf(address, quantity),
  eth_getCode: requestedOf(address, data),
  // No answer is how a contract says that it has no such thing: then there is an error.
  eth_call: requestedOf(
    z.object({ to: address, input: z.optional(data), data: z.optional(data) }),
    anything,
  ),
};
const callSchema = fastRecord(z.object({ method: text, params: anything }));
const chainIdSchema = z.object({ result: count });

const MAX_DECIMALS = 255n;

type Metadata = { -readonly [Field in keyof TokenState]: TokenState[Field] };

/** The argument of a call with one word behind its selector. */
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

const saysNothing = (token: Omit<TokenState, "address" | "standard">): boolean =>
  [token.name, token.symbol, token.decimals, token.totalSupply].every((said) => said === null);

/** Answers are added one by one, as `{ method, params, result | error }`. */
export class HeadStateReader {
  /** What `eth_chainId` said. */
  chainId: number | undefined;
  readonly #balances: [Address, bigint][] = [];
  readonly #codes: [Address, Hex][] = [];
  readonly #tokens = new Map<Address, Metadata>();
  readonly #tokenBalances: [Address, Address, bigint][] = [];
  readonly #uris: [Address, bigint, string][] = [];
  /** By ERC-165 identifier: the contracts that say they support it. */
  readonly #supporting = new Map<Hex, Set<Address>>();
  /** The contracts whose tokens were asked for a text, one by one: whoever asked took them for collections. */
  readonly #collections = new Set<Address>();
  /** The calls asked for a block by its number, until it is known which block is which. */
  readonly #dated: {
    readonly at: number;
    readonly method: string;
    readonly call: unknown;
  }[] = [];

  /** Methods it has no use for are passed over. */
  add(call: unknown): void {
    const { method, params } = read(callSchema, call);
    if (method === "eth_chainId") this.chainId = read(chainIdSchema, call).result;
    if (!Object.hasOwn(schemas, method)) return;
    const tag: unknown = Array.isArray(params) ? params[1] : undefined;
    const at =
      tag === undefined || tag === "latest" ? "latest" : read(blockTag, tag, ["params", 1]);
    if (at === "latest") this.#addOfHead(method, call);
    else this.#dated.push({ at, method, call });
  }

  #addOfHead(method: string, call: unknown): void {
    switch (method) {
      case "eth_getBalance":
        this.#balances.push(balanceIn(call));
        return;
      case "eth_getCode": {
        const { params, result } = read(schemas.eth_getCode, call);
        this.#codes.push([params[0], result]);
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
    const refused = error !== undefined && error !== null;
    const said = refused ? null : read(data, result, ["result"]);
    switch (input.slice(0, 10)) {
      case SELECTORS.name:
        this.#token(to).name = said && decodeText(said);
        return;
      case SELECTORS.symbol:
        this.#token(to).symbol = said && decodeText(said);
        return;
      case SELECTORS.decimals: {
        const decimals = said && decodeNumber(said);
        this.#token(to).decimals =
          decimals === null || decimals > MAX_DECIMALS ? null : Number(decimals);
        return;
      }
      case SELECTORS.totalSupply:
        this.#token(to).totalSupply = said && decodeNumber(said);
        return;
      case SELECTORS.supportsInterface:
        if (said && decodeFlag(said)) this.#supports(`0x${input.slice(10, 18)}`).add(to);
        return;
      case SELECTORS.tokenURI: {
        const uri = said && decodeText(said);
        this.#collections.add(to);
        if (uri !== null) this.#uris.push([to, argument(input), uri]);
        return;
      }
      case SELECTORS.balanceOf: {
        const balance = said && decodeNumber(said);
        if (balance !== null) this.#tokenBalances.push([to, `0x${input.slice(34, 74)}`, balance]);
        return;
      }
    }
  }

  #supports(id: Hex): Set<Address> {
    const contracts = this.#supporting.get(id) ?? new Set();
    this.#supporting.set(id, contracts);
    return contracts;
  }

  #token(of: Address): Metadata {
    const known = this.#tokens.get(of);
    if (known !== undefined) return known;
    const token: Metadata = { address: of };
    this.#tokens.set(of, token);
    return token;
  }

  /** The tokens, with the standard they follow where neither they nor their events say it. */
  #standardized(chain: ChainReader): TokenState[] {
    for (const of of this.#supports(MRC721_INTERFACE)) {
      if (saysCollection(this.#supporting, of)) this.#token(of).standard = "mrc721";
    }
    const held = new Set(
      this.#tokenBalances.filter(([, , balance]) => balance > 0n).map(([token]) => token),
    );
    const answering = new Set(this.#tokenBalances.map(([token]) => token));
    return [...this.#tokens.values()].map((token) => {
      const { address, decimals, totalSupply } = token;
      if (token.standard !== undefined) return token;
      if (chain.token(address) !== undefined) {
        // Anybody can write a Transfer into the log; a token answers at least one of the questions of tokens.
        const answers = answering.has(address) || this.#collections.has(address);
        return saysNothing(token) && !answers ? { ...token, standard: null } : token;
      }
      if (this.#collections.has(address)) return { ...token, standard: "mrc721" };
      // Events in which nothing is indexed look the same in both standards; only amounts have decimals.
      const counted = typeof decimals === "number";
      const shown = firstTransfer(chain, address);
      if (shown !== undefined && !saysNothing(token)) {
        return { ...token, standard: shown.standard ?? (counted ? "mrc20" : "mrc721") };
      }
      const supplied = counted && typeof totalSupply === "bigint";
      return supplied && held.has(address) ? { ...token, standard: "mrc20" } : token;
    });
  }

  /** What accounts held before the first block had any transaction. */
  genesis(firstBlock: number): (readonly [Address, bigint])[] {
    const before = Math.max(0, firstBlock - 1);
    return this.#dated
      .filter(({ at, method }) => at === before && method === "eth_getBalance")
      .map(({ call }) => balanceIn(call));
  }

  /** The code at the head by account. */
  codes(): ReadonlyMap<Address, Hex> {
    return new Map(this.#codes);
  }

  /** All that was said of the chain's head: by that name, or by its number. */
  facts(chain: ChainReader): HeadState {
    const head = chain.head.number;
    for (const { at, method, call } of this.#dated) if (at === head) this.#addOfHead(method, call);
    return {
      balances: this.#balances,
      codes: this.#codes,
      tokens: this.#standardized(chain),
      tokenBalances: this.#tokenBalances,
      uris: this.#uris,
    };
  }
}
