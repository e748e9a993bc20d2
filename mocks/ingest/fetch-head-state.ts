// Fetches the head state of the accounts that blocks touched: balances, code, and what token contracts return.
import { concat, padLeft, padRight } from "ox/Hex";
import { isHex } from "../../src/models/hex.ts";
import type { BlockInput, Execution } from "../chain/block-input.ts";
import { addressInWord, WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";
import { TRANSFER_TOPIC } from "../chain/transfer-event.ts";
import { decodeFlag, decodeNumber } from "./abi.ts";
import { claimsCollection, MRC721_INTERFACE, NO_INTERFACE, SELECTORS } from "./head-state.ts";
import type { RpcNode, RpcRequest, RpcResponse } from "./rpc.ts";

/** A call with its response: a line of `calls.ndjson`. */
export type RecordedCall = RpcRequest & { readonly group: string } & RpcResponse;

/** The ERC-165 identifiers that tell the token standards apart. */
const INTERFACES: readonly Hex[] = [
  "0x01ffc9a7",
  NO_INTERFACE,
  MRC721_INTERFACE,
  "0x5b5e139f",
  "0x780e9d63",
  "0xd9b67a26",
];

/** The accounts and tokens that blocks touched, each once. */
export interface Touched {
  readonly accounts: ReadonlySet<Address>;
  /** By contract: the accounts in the transactions in which it ran. */
  readonly participants: ReadonlyMap<Address, ReadonlySet<Address>>;
  /** By contract: the token ids in its Transfer events. */
  readonly tokenIds: ReadonlyMap<Address, ReadonlySet<Hex>>;
  /** By contract: the ids or amounts in its Transfer events that have nothing indexed. */
  readonly idsOrAmounts: ReadonlyMap<Address, ReadonlySet<Hex>>;
}

function wordsOf(data: Hex): Hex[] {
  const words: Hex[] = [];
  for (let at = 2; at + WORD_DIGITS <= data.length; at += WORD_DIGITS)
    words.push(`0x${data.slice(at, at + WORD_DIGITS)}`);
  return words;
}

/** The address in a 32-byte word; null if it is more likely a number (amounts and ids are usually below 2^96). */
function likelyAddressIn(word: Hex): Address | null {
  return /^0x0{24}(?!0{16})/.test(word) ? addressInWord(word) : null;
}

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, values: Iterable<Value>): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  for (const value of values) set.add(value);
}

function isAddress(value: Address | null): value is Address {
  return value !== null;
}

/** The accounts that a transaction, its frames and its topics name. */
function partiesOf({ transaction, frames, logs }: Execution): Address[] {
  const { from, to, created } = transaction;
  return [
    ...[from, to, created],
    ...frames.flatMap((frame) => [frame.from, frame.to, frame.created]),
    ...logs.flatMap(({ address, topics }) => [address, ...topics.slice(1).map(likelyAddressIn)]),
  ].filter(isAddress);
}

/** The accounts in the data of events, where some tokens put the parties of a transfer. */
function partiesInData({ logs }: Execution): Address[] {
  return logs.flatMap(({ data }) => wordsOf(data).map(likelyAddressIn)).filter(isAddress);
}

/** The contracts that ran in a transaction. */
function contractsRunIn({ transaction, frames, logs }: Execution): Set<Address> {
  const { to, created } = transaction;
  const called = frames.flatMap((frame) => [frame.to, frame.created]);
  return new Set([to, created, ...called, ...logs.map(({ address }) => address)].filter(isAddress));
}

/** The accounts and tokens that these blocks touched. */
export function touchedBy(inputs: readonly BlockInput[]): Touched {
  const accounts = new Set<Address>();
  const around = new Map<Address, Set<Address>>();
  const tokenIds = new Map<Address, Set<Hex>>();
  const idsOrAmounts = new Map<Address, Set<Hex>>();
  for (const { block, executions, credits = [] } of inputs) {
    for (const account of [block.miner, ...credits.map(([of]) => of)]) accounts.add(account);
    for (const execution of executions) {
      const parties = partiesOf(execution);
      for (const party of parties) accounts.add(party);
      const holders = [...parties, ...partiesInData(execution)];
      for (const contract of contractsRunIn(execution)) addTo(around, contract, holders);
      for (const { address, topics, data } of execution.logs) {
        if (topics[0] !== TRANSFER_TOPIC) continue;
        const id = topics[3];
        const third = wordsOf(data)[2];
        if (id !== undefined) addTo(tokenIds, address, [id]);
        else if (topics.length === 1 && third !== undefined) addTo(idsOrAmounts, address, [third]);
      }
    }
  }
  return { accounts, participants: around, tokenIds, idsOrAmounts };
}

/**
 * Fetches the state of what was touched at block `at`. The calls are recorded with "latest", because `at` is the head of the chain that reads
 * them.
 */
export async function fetchHeadState(
  node: RpcNode,
  touched: Touched,
  at: string,
): Promise<RecordedCall[]> {
  const recorded: RecordedCall[] = [];
  const fetchEach = async (group: string, method: string, subjects: readonly unknown[]) => {
    const responses = await node.callAll(subjects.map((of) => ({ method, params: [of, at] })));
    const calls = responses.map(
      (response, index): RecordedCall => ({
        group,
        method,
        params: [subjects[index], "latest"],
        ...response,
      }),
    );
    recorded.push(...calls);
    return calls;
  };

  const accounts = [...touched.accounts].sort();
  await fetchEach("native-balance", "eth_getBalance", accounts);
  const codes = await fetchEach("code", "eth_getCode", accounts);
  const contracts = accounts.filter((_, index) => {
    return resultIn(codes[index]) !== "0x";
  });

  const call = async (group: string, calls: readonly (readonly [Address, Hex])[]) =>
    await fetchEach(
      group,
      "eth_call",
      calls.map(([to, data]) => ({ to, data })),
    );
  const callEach = async (group: string, input: Hex) =>
    await call(
      group,
      contracts.map((of) => [of, input] as const),
    );
  const names = await callEach("token-meta", SELECTORS.name);
  const symbols = await callEach("token-meta", SELECTORS.symbol);
  const decimals = await callEach("token-meta", SELECTORS.decimals);
  const supplies = await callEach("token-meta", SELECTORS.totalSupply);
  const supporting = new Map<Hex, Set<Address>>();
  for (const id of INTERFACES) {
    const calls = await callEach("erc165", concat(SELECTORS.supportsInterface, padRight(id, 32)));
    supporting.set(id, new Set(contracts.filter((_, index) => isTrue(calls[index]))));
  }

  // Any contract can emit a Transfer, so ids count only for contracts that look like tokens.
  const isTokenLike = (of: Address, index: number) =>
    claimsCollection(supporting, of) ||
    [names, symbols, decimals, supplies].some((calls) => hasResult(calls[index]));
  const idsOf = (of: Address, index: number): ReadonlySet<Hex> | undefined => {
    if (!isTokenLike(of, index)) return undefined;
    // Only amounts have decimals.
    const amounts = hasResult(decimals[index]);
    return touched.tokenIds.get(of) ?? (amounts ? undefined : touched.idsOrAmounts.get(of));
  };
  await call(
    "token-uri",
    contracts.flatMap((of, index) =>
      [...(idsOf(of, index) ?? [])].map((id) => [of, concat(SELECTORS.tokenURI, id)] as const),
    ),
  );
  const fungible = contracts.filter(
    (of, index) =>
      hasResult(supplies[index]) &&
      !claimsCollection(supporting, of) &&
      idsOf(of, index) === undefined,
  );
  await call(
    "balance-of",
    fungible.flatMap((of) =>
      [...(touched.participants.get(of) ?? [])]
        .sort()
        .map((holder) => [of, concat(SELECTORS.balanceOf, padLeft(holder, 32))] as const),
    ),
  );
  return recorded;
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
