// Fetches the head state of the accounts that blocks touched: balances, code, and what token contracts return.
import { concat } from "ox/Hex";
import { isHex } from "../../src/models/hex.ts";
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";
import { decodeFlag, decodeNumber } from "../ingest/abi.ts";
import {
  claimsCollection,
  MRC721_INTERFACE,
  NO_INTERFACE,
  SELECTORS,
} from "../ingest/head-state.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { RpcRequest, RpcResponse } from "../rpc/post.ts";
import { balanceOf, type ContractCall, HAS_BALANCES, supports } from "./read-calls.ts";
import type { Touched } from "./touched.ts";

/** A call with its response: a line of `calls.ndjson`. */
export type RecordedCall = RpcRequest & { readonly group: string } & RpcResponse;

/** What tells tokens from other contracts. */
const METADATA: readonly Hex[] = [
  SELECTORS.name,
  SELECTORS.symbol,
  SELECTORS.decimals,
  SELECTORS.totalSupply,
  HAS_BALANCES,
];

/** The ERC-165 identifiers that tell the token standards apart. */
const INTERFACES: readonly Hex[] = [
  "0x01ffc9a7",
  NO_INTERFACE,
  MRC721_INTERFACE,
  "0x5b5e139f",
  "0x780e9d63",
  "0xd9b67a26",
];

/** What the node returned, and what it did not. */
export interface HeadCalls {
  readonly calls: readonly RecordedCall[];
  /** Requests that failed again and again; nothing about their accounts is among the calls. */
  readonly missing: readonly RpcRequest[];
  /** The accounts of those requests. */
  readonly missingAccounts: ReadonlySet<Address>;
}

/**
 * Fetches the state of what was touched at block `at`. The calls are recorded with "latest", because `at` is the head of the chain that reads
 * them.
 *
 * @throws RpcError of kind `unavailable` if the node does not have the state of that block
 */
export async function fetchHeadState(
  node: RpcNode,
  touched: Touched,
  at: string,
): Promise<HeadCalls> {
  // In the order of asking, whichever response is first.
  const recorded: { readonly account: Address; readonly call: RecordedCall }[][] = [];
  const missing: RpcRequest[] = [];
  const missingAccounts = new Set<Address>();
  const fetchEach = async (
    group: string,
    method: string,
    subjects: readonly (Address | ContractCall)[],
  ) => {
    const requests = subjects.map((of) => ({ method, params: [of, at] }));
    const facts: (typeof recorded)[number] = [];
    recorded.push(facts);
    const responses = await node.callAll(requests);
    return requests.map((request, index): RecordedCall | undefined => {
      const response = responses[index];
      const subject = subjects[index];
      if (response === undefined || subject === undefined) return undefined;
      if (!isFact(method, response)) {
        missing.push(request);
        missingAccounts.add(accountOf(subject));
        return undefined;
      }
      const call = { group, method, params: [subject, "latest"], ...response };
      facts.push({ account: accountOf(subject), call });
      return call;
    });
  };

  const accounts = [...touched.accounts].sort();
  const [, codes] = await Promise.all([
    fetchEach("native-balance", "eth_getBalance", accounts),
    fetchEach("code", "eth_getCode", accounts),
  ]);
  const contracts = accounts.filter((_, index) => resultIn(codes[index]) !== "0x");

  const call = async (group: string, calls: readonly (readonly [Address, Hex])[]) =>
    await fetchEach(
      group,
      "eth_call",
      calls.map(([to, data]) => ({ to, data })),
    );
  /** By input, the calls of all contracts. */
  const callEach = async (group: string, inputs: readonly Hex[]) => {
    const { length } = contracts;
    const calls = await call(
      group,
      inputs.flatMap((input) => contracts.map((of) => [of, input] as const)),
    );
    return inputs.map((_, index) => calls.slice(index * length, (index + 1) * length));
  };
  const [[names = [], symbols = [], decimals = [], supplies = []], claims] = await Promise.all([
    callEach("token-meta", METADATA),
    callEach("erc165", INTERFACES.map(supports)),
  ]);
  const supporting = new Map(
    INTERFACES.map((id, nth) => [
      id,
      new Set(contracts.filter((_, index) => isTrue(claims[nth]?.[index]))),
    ]),
  );

  // Any contract can emit a Transfer, so ids count only for contracts that look like tokens.
  const isTokenLike = (of: Address, index: number) =>
    claimsCollection(supporting, of) ||
    [names, symbols, decimals, supplies].some((calls) => hasResult(calls[index]));
  const idsOf = (of: Address, index: number): ReadonlySet<Hex> | undefined => {
    if (missingAccounts.has(of) || !isTokenLike(of, index)) return undefined;
    // Only amounts have decimals.
    const amounts = hasResult(decimals[index]);
    return touched.tokenIds.get(of) ?? (amounts ? undefined : touched.idsOrAmounts.get(of));
  };
  const uris = call(
    "token-uri",
    contracts.flatMap((of, index) =>
      [...(idsOf(of, index) ?? [])].map((id) => [of, concat(SELECTORS.tokenURI, id)] as const),
    ),
  );
  const fungible = contracts.filter(
    (of, index) =>
      !missingAccounts.has(of) &&
      hasResult(supplies[index]) &&
      !claimsCollection(supporting, of) &&
      idsOf(of, index) === undefined,
  );
  const balances = call(
    "balance-of",
    fungible.flatMap((of) =>
      [...(touched.participants.get(of) ?? [])]
        // Of the zero address it is known.
        .filter((holder) => holder !== ZERO_ADDRESS)
        .sort()
        .map((holder) => [of, balanceOf(holder)] as const),
    ),
  );
  await Promise.all([uris, balances]);
  // All or nothing of an account: parts of what a contract returns could be misread.
  const complete = recorded
    .flat()
    .flatMap(({ account, call }) => (missingAccounts.has(account) ? [] : [call]));
  return { calls: complete, missing, missingAccounts };
}

const accountOf = (subject: Address | ContractCall): Address =>
  typeof subject === "string" ? subject : subject.to;

/** Whether a response says something about the chain. @throws RpcError if the node does not have the state */
function isFact(method: string, response: RpcResponse): boolean {
  if ("result" in response) return true;
  const error = new RpcError(method, response.error);
  if (error.kind === "unavailable") throw error;
  return method === "eth_call" && error.kind === "reverted";
}

function resultIn(record: RecordedCall | undefined): Hex {
  const result = record !== undefined && "result" in record ? record.result : undefined;
  return typeof result === "string" && isHex(result) ? result : "0x";
}

function hasResult(record: RecordedCall | undefined): boolean {
  return decodeNumber(resultIn(record)) !== null;
}

function isTrue(record: RecordedCall | undefined): boolean {
  return decodeFlag(resultIn(record));
}
