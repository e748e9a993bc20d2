// Collects the accounts and tokens that blocks touched, each once: whose state may have changed.
import type { BlockInput, Execution } from "../chain/block-input.ts";
import { addressInWord, WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";
import { CONSECUTIVE_TOPIC, TRANSFER_TOPIC } from "../chain/transfer-event.ts";

export class Touched {
  readonly accounts = new Set<Address>();
  /** By contract: the accounts in the transactions in which it ran, and in their events and calls. */
  readonly participants = new Map<Address, Set<Address>>();
  /** By contract: the token ids in its Transfer events; of many at once, the first. */
  readonly tokenIds = new Map<Address, Set<Hex>>();
  /** By contract: the ids or amounts in its Transfer events that have nothing indexed. */
  readonly idsOrAmounts = new Map<Address, Set<Hex>>();

  addBlock({ block, executions, credits = [] }: BlockInput): void {
    for (const account of [block.miner, ...credits.map(([of]) => of)]) this.accounts.add(account);
    for (const execution of executions) this.#addExecution(execution);
  }

  #addExecution(execution: Execution): void {
    const parties = partiesOf(execution);
    for (const party of parties) this.accounts.add(party);
    const holders = [...parties, ...partiesInData(execution), ...partiesInCalls(execution)];
    for (const contract of contractsRunIn(execution)) addTo(this.participants, contract, holders);
    for (const { address, topics, data } of execution.logs) {
      if (topics[0] === CONSECUTIVE_TOPIC && topics[1] !== undefined)
        addTo(this.tokenIds, address, [topics[1]]);
      if (topics[0] !== TRANSFER_TOPIC) continue;
      const id = topics[3];
      const third = wordsOf(data)[2];
      if (id !== undefined) addTo(this.tokenIds, address, [id]);
      else if (topics.length === 1 && third !== undefined)
        addTo(this.idsOrAmounts, address, [third]);
    }
  }

  /** Forgets all but these accounts. */
  keepOnly(accounts: ReadonlySet<Address>): void {
    const { participants, tokenIds, idsOrAmounts } = this;
    for (const part of [this.accounts, participants, tokenIds, idsOrAmounts])
      for (const of of part.keys()) if (!accounts.has(of)) part.delete(of);
    for (const of of accounts) this.accounts.add(of);
  }
}

function wordsOf(data: Hex, start = 2): Hex[] {
  const words: Hex[] = [];
  for (let at = start; at + WORD_DIGITS <= data.length; at += WORD_DIGITS)
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

/** The first digit of the arguments of a call, behind the selector. */
const ARGUMENTS = 10;
/** The words of constructor arguments that are read: they stand at the end of the code. */
const CONSTRUCTOR_WORDS = 8;

/** The accounts in the arguments of calls: some tokens give without an event. */
function partiesInCalls({ transaction, frames }: Execution): Address[] {
  return [transaction, ...frames].flatMap(({ input, created }) => {
    const start =
      created === null ? ARGUMENTS : Math.max(2, input.length - CONSTRUCTOR_WORDS * WORD_DIGITS);
    return wordsOf(input, start).map(likelyAddressIn).filter(isAddress);
  });
}

/** The contracts that ran in a transaction. */
function contractsRunIn({ transaction, frames, logs }: Execution): Set<Address> {
  const { to, created } = transaction;
  const called = frames.flatMap((frame) => [frame.to, frame.created]);
  return new Set([to, created, ...called, ...logs.map(({ address }) => address)].filter(isAddress));
}
