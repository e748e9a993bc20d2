// Who takes part in a transaction: the accounts it names, whose state it may change, and those that may hold a token that ran in it.
import type { Execution } from "./block-input.ts";
import { WORD_DIGITS } from "./hex.ts";
import { reversed } from "./listing.ts";
import type { ChainReader } from "./reader.ts";
import type { Address, ChainTransaction, Hex, Log } from "./records.ts";

/** Where the arguments of a call begin, after the selector. */
const ARGUMENTS = 10;
/** The words of constructor arguments that are read: they are at the end of the code. */
const CONSTRUCTOR_WORDS = 8;

/** The accounts in a transaction, its calls, and the indexed arguments of its events. */
export function accountsIn({ transaction, frames, logs }: Execution): Set<Address> {
  const found = new Set<Address>();
  for (const { from, to, created } of [transaction, ...frames]) {
    found.add(from);
    if (to !== null) found.add(to);
    if (created !== null) found.add(created);
  }
  for (const { address, topics } of logs) {
    found.add(address);
    for (let index = 1; index < topics.length; index += 1)
      addLikelyAddresses(found, topics[index] as Hex, 2);
  }
  return found;
}

/** Those accounts, and the addresses in arguments of its calls and data of its events: some tokens give without an event. */
export function participantsIn(execution: Execution): Set<Address> {
  const found = accountsIn(execution);
  const { transaction, frames, logs } = execution;
  for (const { data } of logs) addLikelyAddresses(found, data, 2);
  for (const { input, created } of [transaction, ...frames])
    addLikelyAddresses(found, input, created === null ? ARGUMENTS : constructorWords(input));
  return found;
}

/** The transactions of a contract that are read, the newest first. */
const MAX_TRANSACTIONS = 10_000;

/** The accounts that took part in the last 10,000 transactions in which a contract ran. */
export function participantsOf(chain: ChainReader, contract: Address): ReadonlySet<Address> {
  const ran = new Map<string, { readonly transaction: ChainTransaction; readonly logs: Log[] }>();
  const note = (transaction: ChainTransaction) => {
    const known = ran.get(transaction.hash) ?? { transaction, logs: [] };
    ran.set(transaction.hash, known);
    return known;
  };
  const logs = chain.logs({ address: contract, topics: [], operand: "and" });
  for (const log of reversed(logs).slice(0, MAX_TRANSACTIONS)) note(log.transaction).logs.push(log);
  const sent = chain.transactions(contract, "all", {});
  for (const transaction of reversed(sent).slice(0, MAX_TRANSACTIONS)) note(transaction);
  const frames = chain.frames(contract, {});
  for (const { transaction } of reversed(frames).slice(0, MAX_TRANSACTIONS)) note(transaction);

  const found = new Set<Address>();
  for (const { transaction, logs } of [...ran.values()].slice(0, MAX_TRANSACTIONS)) {
    const frames = chain.framesOf(transaction);
    const execution = { transaction, frames: frames.slice(0, frames.count), logs };
    for (const account of participantsIn(execution)) found.add(account);
  }
  return found;
}

const constructorWords = (input: Hex): number =>
  Math.max(2, input.length - CONSTRUCTOR_WORDS * WORD_DIGITS);

/** The padding before an address in a word. */
const PADDING = "0".repeat(24);
/** A word that continues with this is more likely a number: amounts and ids are usually below 2^96. */
const SMALL = "0".repeat(16);

/** Adds the addresses in the 32-byte words from a digit on. */
function addLikelyAddresses(found: Set<Address>, hex: Hex, start: number): void {
  for (let at = start; at + WORD_DIGITS <= hex.length; at += WORD_DIGITS) {
    const address = at + PADDING.length;
    if (hex.startsWith(PADDING, at) && !hex.startsWith(SMALL, address))
      found.add(`0x${hex.slice(address, at + WORD_DIGITS)}`);
  }
}
