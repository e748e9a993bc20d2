// Collects the accounts and tokens that blocks touched, each once: whose state may have changed.
import type { BlockInput, Execution } from "../chain/block-input.ts";
import { WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Hex, Log } from "../chain/records.ts";
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

  #addExecution({ transaction, frames, logs }: Execution): void {
    const holders = new Set<Address>();
    const contracts = new Set<Address>();
    for (const call of [transaction, ...frames]) {
      holders.add(call.from);
      for (const ran of [call.to, call.created]) {
        if (ran === null) continue;
        holders.add(ran);
        contracts.add(ran);
      }
    }
    for (const { address, topics } of logs) {
      holders.add(address);
      contracts.add(address);
      for (let index = 1; index < topics.length; index += 1)
        addLikelyAddresses(holders, topics[index] as Hex, 2);
    }
    for (const party of holders) this.accounts.add(party);
    // Some tokens put the parties of a transfer into the data of events, and some give without an event.
    for (const { data } of logs) addLikelyAddresses(holders, data, 2);
    for (const { input, created } of [transaction, ...frames])
      addLikelyAddresses(holders, input, created === null ? ARGUMENTS : constructorWords(input));
    for (const contract of contracts) addTo(this.participants, contract, holders);
    for (const log of logs) this.#addIds(log);
  }

  #addIds({ address, topics, data }: Log): void {
    if (topics[0] === CONSECUTIVE_TOPIC && topics[1] !== undefined)
      addTo(this.tokenIds, address, [topics[1]]);
    if (topics[0] !== TRANSFER_TOPIC) return;
    const id = topics[3];
    if (id !== undefined) addTo(this.tokenIds, address, [id]);
    else if (topics.length === 1 && data.length >= 2 + 3 * WORD_DIGITS)
      addTo(this.idsOrAmounts, address, [
        `0x${data.slice(2 + 2 * WORD_DIGITS, 2 + 3 * WORD_DIGITS)}`,
      ]);
  }

  /** Forgets all but these accounts. */
  keepOnly(accounts: ReadonlySet<Address>): void {
    const { participants, tokenIds, idsOrAmounts } = this;
    for (const part of [this.accounts, participants, tokenIds, idsOrAmounts])
      for (const of of part.keys()) if (!accounts.has(of)) part.delete(of);
    for (const of of accounts) this.accounts.add(of);
  }
}

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, values: Iterable<Value>): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  for (const value of values) set.add(value);
}

/** Where the arguments of a call begin, behind the selector. */
const ARGUMENTS = 10;
/** The words of constructor arguments that are read: they stand at the end of the code. */
const CONSTRUCTOR_WORDS = 8;
const constructorWords = (input: Hex): number =>
  Math.max(2, input.length - CONSTRUCTOR_WORDS * WORD_DIGITS);

/** What is before an address in a word. */
const PADDING = "0".repeat(24);
/** A word that goes on with this is more likely a number: amounts and ids are usually below 2^96. */
const SMALL = "0".repeat(16);

/** Adds the addresses in the 32-byte words from a digit on. */
function addLikelyAddresses(found: Set<Address>, hex: Hex, start: number): void {
  for (let at = start; at + WORD_DIGITS <= hex.length; at += WORD_DIGITS) {
    const address = at + PADDING.length;
    if (hex.startsWith(PADDING, at) && !hex.startsWith(SMALL, address))
      found.add(`0x${hex.slice(address, at + WORD_DIGITS)}`);
  }
}
