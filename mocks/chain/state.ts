// The state at the head: balances, codes, tokens, proven sources. What a block does to it is said here and in coin-moves.ts, nowhere else.
import type { BlockInput, HeadState } from "./block-input.ts";
import { type CoinMove, coinMoves } from "./coin-moves.ts";
import { ZERO_ADDRESS } from "./constants.ts";
import { ForkMap } from "./fork-map.ts";
import type { History } from "./history.ts";
import { createdIn } from "./outcome.ts";
import type { Address, Hex, Holding, Log, TokenStandard, VerifiedContract } from "./records.ts";
import type { Shortfall } from "./shortfall.ts";
import { TokenLedger } from "./token-ledger.ts";
import { TRANSFER_TOPIC, type TransferEvent, transferIn } from "./transfer-event.ts";

export class State {
  #balances = new ForkMap<Address, bigint>();
  #tokens = new ForkMap<Address, TokenLedger>();
  /** The tokens an address ever had to do with. */
  #tokensOf = new ForkMap<Address, Address[]>();
  /** The addresses named by events that have a standard's form and are no transfers of a token. */
  #strays = new ForkMap<Address, true>();
  codes = new ForkMap<Address, Hex>();
  verified = new ForkMap<Address, VerifiedContract>();

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

  /** `onShortfall` hears of whoever gives what they do not have. */
  apply(body: BlockInput, onShortfall?: (shortfall: Shortfall) => void): void {
    for (const move of coinMoves(body)) this.#moveCoins(move, onShortfall);
    for (const { logs } of body.executions) {
      for (const log of logs) this.#applyLog(log, onShortfall);
    }
  }

  /** Takes a block back that `apply` applied last; `history` ends before it. */
  undo(body: BlockInput, history: History): void {
    for (const { from, to, ...move } of coinMoves(body)) {
      this.#moveCoins({ ...move, from: to, to: from });
    }
    for (const { logs } of body.executions.toReversed()) {
      for (const log of logs.toReversed()) this.#undoLog(log, history);
    }
    for (const execution of body.executions) {
      for (const created of createdIn(execution)) this.#forget(created);
    }
  }

  /** What was told of these contracts, to be told again if the chain forgets it. */
  headStateOf(contracts: Iterable<Address>): HeadState {
    const known = [...new Set(contracts)];
    const tokens = known.flatMap((address) => this.#tokens.get(address) ?? []);
    return {
      codes: known.flatMap((address) => {
        const code = this.codes.get(address);
        return code === undefined ? [] : [[address, code] as const];
      }),
      tokens: tokens.map((token) => token.facts),
      uris: tokens.flatMap((token) => token.uris()),
      verified: known.flatMap((address) => this.verified.get(address) ?? []),
    };
  }

  applyHeadState(facts: HeadState, history: History): void {
    for (const [address, balance] of facts.balances ?? []) this.#balances.set(address, balance);
    for (const [address, code] of facts.codes ?? []) this.codes.set(address, code);
    for (const token of facts.tokens ?? []) {
      if (token.standard !== undefined) this.#setStandard(token.address, token.standard, history);
      this.#ownToken(token.address).applyMetadata(token);
    }
    for (const [token, holder, balance] of facts.tokenBalances ?? []) {
      const ledger = this.#ownToken(token);
      this.#touch(holder, ledger);
      ledger.applyBalance(holder, balance);
    }
    for (const [token, id, uri] of facts.uris ?? []) this.#ownToken(token).applyUri(id, uri);
    for (const contract of facts.verified ?? []) this.verified.set(contract.address, contract);
  }

  #moveCoins(move: CoinMove, onShortfall?: (shortfall: Shortfall) => void): void {
    const { from, to, value } = move;
    if (from !== null) {
      const has = this.#balances.get(from) ?? 0n;
      if (has < value) onShortfall?.({ of: "coins", ...move, from, has: this.balance(from) });
      this.#balances.set(from, has - value);
    }
    if (to !== null) this.#balances.set(to, (this.#balances.get(to) ?? 0n) + value);
  }

  #applyLog(log: Log, onShortfall?: (shortfall: Shortfall) => void): void {
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
    const shortfall = onShortfall && token.shortfall(transfer);
    if (shortfall) onShortfall({ ...shortfall, transaction: log.transaction });
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
      known.applyMetadata({ standard });
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
