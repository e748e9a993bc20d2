// Finds the name, symbol, decimals and standard of a token, which no operation returns, and adds
// the names of collections to the combined list of tokens. Loaded on first use.
import { operations } from "../contract/index.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { cachedResponse } from "../http/result-promise.ts";
import type { AccountTokens, TokenEntry } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import { TRANSFER } from "./display.ts";
import { loggedTransfer } from "./token-transfers.ts";

/** A token as the explorer's records describe it. A field is null if no record states it. */
export interface TokenInfo {
  /** The contract of the token. */
  readonly token_address: Address;
  /** The token's name. */
  readonly name: string | null;
  /** The token's symbol. */
  readonly symbol: string | null;
  /** The decimal places of an amount; null for tokens with ids. */
  readonly decimals: number | null;
  /** Whether the token has amounts or ids; null if it was never transferred. */
  readonly standard: "mrc20" | "mrc721" | null;
}

/**
 * Wraps the call of A6, so that collections get names and symbols. `listNames` lists the named
 * collections of the account. It is called once, for the first page that has a collection.
 */
export function withNames(call: Call, listNames: () => Promise<readonly TokenEntry[]>): Call {
  let entries: Promise<readonly TokenEntry[]> | undefined;
  const callWithNames = async (...request: Parameters<Call>) => {
    const page = await call(...request);
    const data = page.data as AccountTokens;
    if (data.mrc_721.results.length === 0) return page;
    entries ??= listNames();
    const named = new Map(
      (await entries).map((entry) => [entry.token_address.toLowerCase(), entry]),
    );
    const results = data.mrc_721.results.map((holding) => {
      const { token_name = null, token_symbol = null } =
        named.get(holding.token_address.toLowerCase()) ?? {};
      return { ...holding, token_name, token_symbol };
    });
    return { ...page, data: { ...data, mrc_721: { ...data.mrc_721, results } } };
  };
  return Object.assign(callWithNames, call) as Call;
}

/** The fields of a token that records of transfers and holdings have. */
interface DescribedToken {
  readonly token_address: Address;
  readonly token_name?: string | null;
  readonly token_symbol?: string | null;
  readonly token_decimals?: number | null;
}

const MAX_LIMIT = 1000;
const ZERO_ADDRESS = /^0x0{40}$/;

const tokenInfos = new WeakMap<Call, Map<string, TokenInfo>>();

/** Describes a token by its records: with up to three requests, or from the cache. */
export async function tokenInfo(
  call: Call,
  token: Address,
  options: RequestOptions = {},
): Promise<ResponseWithData<TokenInfo>> {
  const infos = tokenInfos.get(call) ?? new Map<string, TokenInfo>();
  tokenInfos.set(call, infos);
  const cached = typeof token === "string" && infos.get(token.toLowerCase());
  if (cached) return { data: cached, response: cachedResponse() };
  const info = await findInfo(call, token, options);
  // Not cached if the token has no transfers, because it may get some later.
  if (info.data.standard !== null) infos.set(token.toLowerCase(), info.data);
  return info;
}

async function findInfo(
  call: Call,
  token: Address,
  options: RequestOptions,
): Promise<ResponseWithData<TokenInfo>> {
  const logs = await call(operations.L1, { address: token, topic_0: TRANSFER, limit: 1 }, options);
  const [log] = logs.data.data;
  if (!log)
    return {
      data: { token_address: token, name: null, symbol: null, decimals: null, standard: null },
      response: logs.response,
    };
  const { receiver, sender, token_id } = loggedTransfer(log);
  const standard = token_id === null ? "mrc20" : "mrc721";
  // For a burned token, reads the records of the sender, because the zero address has none.
  const holder = receiver && !ZERO_ADDRESS.test(receiver) ? receiver : sender;
  const isToken = ({ token_address }: DescribedToken) =>
    token_address.toLowerCase() === token.toLowerCase();
  const input = { address_hash: holder as Address, limit: MAX_LIMIT };
  const transfers = await call(
    standard === "mrc20" ? operations.A4 : operations.A5,
    input,
    options,
  );
  let { response } = transfers;
  let described: DescribedToken | undefined = [...transfers.data.data].find(isToken);
  if (!described?.token_name) {
    const tokens = await call(standard === "mrc20" ? operations.A7 : operations.A8, input, options);
    ({ response } = tokens);
    described = { ...described, ...(tokens.data.data.find(isToken) ?? { token_address: token }) };
  }
  const { token_decimals = null, token_name = null, token_symbol = null } = described;
  const decimals = standard === "mrc20" ? token_decimals : null;
  const data = { token_address: token, name: token_name, symbol: token_symbol, decimals, standard };
  return { data: data as TokenInfo, response };
}
