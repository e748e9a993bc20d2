// The state at the head: balances, codes, tokens, proven sources.
import type { BlockBody, Facts } from "./body.ts";
import type { History } from "./history.ts";
import { Layered } from "./layered.ts";
import { hasFailed, nativeChanges } from "./native-ledger.ts";
import type { Address, Hex, Holding, Log, TokenStandard, VerifiedContract } from "./records.ts";
import { TokenLedger } from "./token-ledger.ts";
import { TRANSFER_TOPIC, type TransferEvent, transferIn } from "./transfer-event.ts";
import { ZERO_ADDRESS } from "./zero.ts";

export class State {
  #balances = new Layered<Address, bigint>();
  #tokens = new Layered<Address, TokenLedger>();
  /** The tokens an address ever had to do with. */
  #tokensOf = new Layered<Address, Address[]>();
  /** The addresses named by events that have a standard's form and are no transfers of a token. */
  #strays = new Layered<Address, true>();
  codes = new Layered<Address, Hex>();
  verified = new Layered<Address, VerifiedContract>();

  fork(): State {
    const fork = new State();
    fork.#balances = this.#balances.fork();
    fork.#tokens = this.#tokens.fork();
    fork.#tokensOf = this.#tokensOf.fork();
    fork.#strays = this.#strays.fork();
    fork.codes = this.codes.fork();
    fork.verified = this.verified.fork();
    return fork;
  }

  balance(address: Address): bigint {
    const balance = this.#balances.get(address) ?? 0n;
    return balance < 0n ? 0n : balance;
  }

  token(address: Address): TokenLedger | undefined {
    return this.#tokens.get(address);
  }

  /** Whether events that look like transfers of the holder, and are none, may be among those that are. */
  hasStrays(holder: Address): boolean {
    return this.#strays.get(holder) ?? false;
  }

  /** Ascending by token address. */
  holdings(holder: Address, standard: TokenStandard): Holding[] {
    const holdings: Holding[] = [];
    for (const address of (this.#tokensOf.get(holder) ?? []).toSorted()) {
      const ledger = this.#tokens.get(address);
      const token = ledger?.record;
      const balance = ledger?.balance(holder) ?? 0n;
      if (token?.standard === standard && balance > 0n) holdings.push({ token, holder, balance });
    }
    return holdings;
  }

  apply(body: BlockBody): void {
    for (const [address, change] of nativeChanges(body)) this.#addBalance(address, change);
    for (const { logs } of body.executions) for (const log of logs) this.#applyLog(log);
  }

  /** Takes a block back that `apply` applied last; `history` ends before it. */
  undo(body: BlockBody, history: History): void {
    for (const [address, change] of nativeChanges(body)) this.#addBalance(address, -change);
    for (const { logs } of body.executions.toReversed()) {
      for (const log of logs.toReversed()) this.#undoLog(log, history);
    }
    for (const created of createdIn(body)) this.#forget(created);
  }

  tell(facts: Facts, history: History): void {
    for (const [address, balance] of facts.balances ?? []) this.#balances.set(address, balance);
    for (const [address, code] of facts.codes ?? []) this.codes.set(address, code);
    for (const token of facts.tokens ?? []) {
      if (token.standard !== undefined) this.#setStandard(token.address, token.standard, history);
      this.#ownToken(token.address).tell(token);
    }
    for (const [token, holder, balance] of facts.tokenBalances ?? []) {
      const ledger = this.#ownToken(token);
      this.#touch(holder, ledger);
      ledger.tellBalance(holder, balance);
    }
    for (const [token, id, uri] of facts.uris ?? []) this.#ownToken(token).tellUri(id, uri);
    for (const contract of facts.verified ?? []) this.verified.set(contract.address, contract);
  }

  #addBalance(address: Address, change: bigint): void {
    if (change !== 0n) this.#balances.set(address, (this.#balances.get(address) ?? 0n) + change);
  }

  #applyLog(log: Log): void {
    const transfer = transferIn(log);
    if (transfer === undefined) return;
    const token = this.#ownToken(log.address);
    token.see(transfer);
    const holders = [transfer.from, transfer.to];
    if (!token.counts(transfer)) {
      if (transfer.standard !== undefined) for (const of of holders) this.#strays.set(of, true);
      return;
    }
    for (const holder of holders) if (holder !== ZERO_ADDRESS) this.#touch(holder, token);
    if (token.standard === "mrc20") token.move(transfer);
    else token.give(transfer.value, ownerAfter(transfer));
  }

  #undoLog(log: Log, history: History): void {
    const transfer = transferIn(log);
    if (transfer === undefined) return;
    const token = this.#ownToken(log.address);
    if (token.counts(transfer)) {
      if (token.standard === "mrc20") token.move(reverse(transfer));
      else token.give(transfer.value, lastOwner(log, transfer, history));
    }
    token.unsee(transfer);
  }

  /** A contract says which standard it follows. If its events were read differently, they are read again. */
  #setStandard(address: Address, standard: TokenStandard | null, history: History): void {
    const known = this.#ownToken(address);
    if (known.reads(standard)) {
      known.tell({ standard });
      return;
    }
    this.#tokens.set(address, known.restarted(standard));
    const logs = history.logs({ address, topics: [TRANSFER_TOPIC], operand: "and" });
    for (let index = 0; index < logs.count; index++) this.#applyLog(logs.at(index));
  }

  #ownToken(address: Address): TokenLedger {
    const own = this.#tokens.getOwn(address);
    if (own !== undefined) return own;
    const ledger = this.#tokens.get(address)?.fork() ?? new TokenLedger(address);
    this.#tokens.set(address, ledger);
    return ledger;
  }

  /** Notes that a holder has to do with a token, before the token itself knows of the holder. */
  #touch(holder: Address, token: TokenLedger): void {
    if (token.knows(holder)) return;
    const tokens = this.#tokensOf.get(holder) ?? [];
    if (tokens.includes(token.address)) return;
    if (this.#tokensOf.getOwn(holder) !== undefined) tokens.push(token.address);
    else this.#tokensOf.set(holder, [...tokens, token.address]);
  }

  #forget(contract: Address): void {
    this.codes.delete(contract);
    this.verified.delete(contract);
    if (this.#tokens.get(contract)?.isBare) this.#tokens.delete(contract);
  }
}

function* createdIn({ executions }: BlockBody): Generator<Address> {
  for (const { transaction, frames } of executions) {
    if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
    for (const { created, undone } of frames) if (created !== null && !undone) yield created;
  }
}

const reverse = ({ from, to, value }: TransferEvent) => ({ from: to, to: from, value });

const ownerAfter = ({ to }: TransferEvent): Address | undefined =>
  to === ZERO_ADDRESS ? undefined : to;

/** Who has a token id after the last transfer of it that history knows. */
function lastOwner(log: Log, { standard, value }: TransferEvent, history: History) {
  const topics =
    standard === undefined
      ? log.topics
      : ([TRANSFER_TOPIC, undefined, undefined, log.topics[3]] as const);
  for (const earlier of history.logsBackwards({ address: log.address, topics })) {
    const transfer = transferIn(earlier);
    if (transfer?.value === value && transfer.standard === standard) return ownerAfter(transfer);
  }
  return undefined;
}
