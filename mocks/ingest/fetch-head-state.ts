// Asks a node what blocks cannot tell of the accounts they touched: balances, code, and what tokens say of themselves.
import { concat, padLeft, padRight } from "ox/Hex";
import type { BlockInput, Execution } from "../chain/block-input.ts";
import type { Address, Hex } from "../chain/records.ts";
import { TRANSFER_TOPIC } from "../chain/transfer-event.ts";
import { decodeFlag, decodeNumber } from "./abi.ts";
import { MRC721_INTERFACE, NO_INTERFACE, SELECTORS, saysCollection } from "./head-state.ts";
import type { RpcAnswer, RpcNode, RpcRequest } from "./rpc.ts";

/** A call with its answer, as a line of `calls.ndjson` has it. */
export type CallRecord = RpcRequest & { readonly group: string } & RpcAnswer;

const WORD = 64;

/** The ids ERC-165 and its relatives are asked by, to tell tokens apart. */
const INTERFACES: readonly Hex[] = [
  "0x01ffc9a7",
  NO_INTERFACE,
  MRC721_INTERFACE,
  "0x5b5e139f",
  "0x780e9d63",
  "0xd9b67a26",
];

/** What blocks touched, each once. */
export interface Touched {
  readonly accounts: ReadonlySet<Address>;
  /** By contract: the accounts that took part in a transaction in which it ran. */
  readonly around: ReadonlyMap<Address, ReadonlySet<Address>>;
  /** By contract: the token ids its Transfer events name. */
  readonly tokenIds: ReadonlyMap<Address, ReadonlySet<Hex>>;
  /** By contract: what its Transfer events name where nothing is indexed in them: ids or amounts. */
  readonly idsOrAmounts: ReadonlyMap<Address, ReadonlySet<Hex>>;
}

function wordsOf(data: Hex): Hex[] {
  const words: Hex[] = [];
  for (let at = 2; at + WORD <= data.length; at += WORD)
    words.push(`0x${data.slice(at, at + WORD)}`);
  return words;
}

/** The address in a 32-byte word; null where it is rather a number (amounts and ids are below 2^96, as a rule). */
function addressIn(word: Hex): Address | null {
  return /^0x0{24}(?!0{16})/.test(word) ? `0x${word.slice(26)}` : null;
}

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, values: Iterable<Value>): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  for (const value of values) set.add(value);
}

function isAddress(value: Address | null): value is Address {
  return value !== null;
}

function partiesOf({ transaction, frames, logs }: Execution): Address[] {
  const { from, to, created } = transaction;
  return [
    ...[from, to, created],
    ...frames.flatMap((frame) => [frame.from, frame.to, frame.created]),
    ...logs.flatMap(({ address, topics }) => [address, ...topics.slice(1).map(addressIn)]),
  ].filter(isAddress);
}

/** Some tokens name the accounts of a transfer in the event's data. */
function namedIn({ logs }: Execution): Address[] {
  return logs.flatMap(({ data }) => wordsOf(data).map(addressIn)).filter(isAddress);
}

function ranIn({ transaction, frames, logs }: Execution): Set<Address> {
  const { to, created } = transaction;
  const called = frames.flatMap((frame) => [frame.to, frame.created]);
  return new Set([to, created, ...called, ...logs.map(({ address }) => address)].filter(isAddress));
}

export function touchedBy(bodies: readonly BlockInput[]): Touched {
  const accounts = new Set<Address>();
  const around = new Map<Address, Set<Address>>();
  const tokenIds = new Map<Address, Set<Hex>>();
  const idsOrAmounts = new Map<Address, Set<Hex>>();
  for (const { block, executions, credits = [] } of bodies) {
    for (const account of [block.miner, ...credits.map(([of]) => of)]) accounts.add(account);
    for (const execution of executions) {
      const parties = partiesOf(execution);
      for (const party of parties) accounts.add(party);
      const holders = [...parties, ...namedIn(execution)];
      for (const contract of ranIn(execution)) addTo(around, contract, holders);
      for (const { address, topics, data } of execution.logs) {
        if (topics[0] !== TRANSFER_TOPIC) continue;
        const id = topics[3];
        const third = wordsOf(data)[2];
        if (id !== undefined) addTo(tokenIds, address, [id]);
        else if (topics.length === 1 && third !== undefined) addTo(idsOrAmounts, address, [third]);
      }
    }
  }
  return { accounts, around, tokenIds, idsOrAmounts };
}

/**
 * The answers of a node about what was touched, as of block `at`; recorded as of the head ("latest"), which `at` is
 * for whoever reads them.
 */
export async function fetchHeadState(
  node: RpcNode,
  touched: Touched,
  at: string,
): Promise<CallRecord[]> {
  const records: CallRecord[] = [];
  const ask = async (group: string, method: string, subjects: readonly unknown[]) => {
    const answers = await node.askAll(subjects.map((of) => ({ method, params: [of, at] })));
    const asked = answers.map(
      (answer, index): CallRecord => ({
        group,
        method,
        params: [subjects[index], "latest"],
        ...answer,
      }),
    );
    records.push(...asked);
    return asked;
  };

  const accounts = [...touched.accounts].sort();
  await ask("native-balance", "eth_getBalance", accounts);
  const codes = await ask("code", "eth_getCode", accounts);
  const contracts = accounts.filter((_, index) => {
    return resultIn(codes[index]) !== "0x";
  });

  const call = async (group: string, calls: readonly (readonly [Address, Hex])[]) =>
    await ask(
      group,
      "eth_call",
      calls.map(([to, data]) => ({ to, data })),
    );
  const ofEach = async (group: string, input: Hex) =>
    await call(
      group,
      contracts.map((of) => [of, input] as const),
    );
  const names = await ofEach("token-meta", SELECTORS.name);
  const symbols = await ofEach("token-meta", SELECTORS.symbol);
  const decimals = await ofEach("token-meta", SELECTORS.decimals);
  const supplies = await ofEach("token-meta", SELECTORS.totalSupply);
  const supporting = new Map<Hex, Set<Address>>();
  for (const id of INTERFACES) {
    const said = await ofEach("erc165", concat(SELECTORS.supportsInterface, padRight(id, 32)));
    supporting.set(id, new Set(contracts.filter((_, index) => isTrue(said[index]))));
  }

  // Anybody can write a Transfer into the log: its ids are asked about where there is a token to have them.
  const answersAny = (of: Address, index: number) =>
    saysCollection(supporting, of) ||
    [names, symbols, decimals, supplies].some((answers) => hasAnswer(answers[index]));
  const idsOf = (of: Address, index: number): ReadonlySet<Hex> | undefined => {
    if (!answersAny(of, index)) return undefined;
    // Only amounts have decimals.
    const amounts = hasAnswer(decimals[index]);
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
      hasAnswer(supplies[index]) &&
      !saysCollection(supporting, of) &&
      idsOf(of, index) === undefined,
  );
  await call(
    "balance-of",
    fungible.flatMap((of) =>
      [...(touched.around.get(of) ?? [])]
        .sort()
        .map((holder) => [of, concat(SELECTORS.balanceOf, padLeft(holder, 32))] as const),
    ),
  );
  return records;
}

function resultIn(record: CallRecord | undefined): Hex {
  const result = record !== undefined && "result" in record ? record.result : undefined;
  return typeof result === "string" && /^0x[0-9a-f]*$/i.test(result) ? (result as Hex) : "0x";
}

function hasAnswer(record: CallRecord | undefined): boolean {
  return decodeNumber(resultIn(record)) !== null;
}

function isTrue(record: CallRecord | undefined): boolean {
  return decodeFlag(resultIn(record));
}
