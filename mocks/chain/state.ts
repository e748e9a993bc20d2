// The state at the head: balances, code, tokens, verified sources; how a block changes that state,
// and how a rewind undoes the change.

import { createdIn, visitCoinMoves } from "./block-effects.ts";
import { ForkMap } from "./fork-map.ts";
import { wordOf, ZERO_ADDRESS } from "./hex.ts";
import type { History } from "./history.ts";
import { countBefore, items, listOf } from "./listing.ts";
import {
  type Address,
  type BlockInput,
  type ContractVerification,
  compareLogs,
  type Hash,
  type HeadState,
  type Hex,
  type Log,
  type Token,
  type TokenStandard,
} from "./records.ts";
import { TokenLedger } from "./token-ledger.ts";
import {
  CONSECUTIVE_TOPIC,
  ownerAfter,
  TRANSFER_TOPIC,
  type TransferEvent,
  type TransferredLog,
  transferIn,
  transferOf,
  transferTopics,
} from "./transfer-event.ts";
import type { Overdraft } from "./writer.ts";

export class ChainState {
  #balances = new ForkMap<Address, bigint>();
  #tokens = new ForkMap<Address, TokenLedger>();
  /** The tokens that an address ever held or moved, in ascending order. */
  #tokensOf = new ForkMap<Address, readonly Address[]>();
  /**
   * Holders in events that count as transfers only if the contract is a token of the same standard.
   */
  #unsureTransfers = new ForkMap<Address, true>();
  codes = new ForkMap<Address, Hex>();
  verified = new ForkMap<Address, ContractVerification>();

  fork(): ChainState {
    const fork = new ChainState();
    fork.#balances = this.#balances.fork();
    fork.#tokens = this.#tokens.fork();
    fork.#tokensOf = this.#tokensOf.fork();
    fork.#unsureTransfers = this.#unsureTransfers.fork();
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

  tokens(): Token[] {
    return Array.from(this.#tokens.entries(), ([, ledger]) => ledger.record).filter(
      (record) => record !== undefined,
    );
  }

  *knownTokens(): Generator<Address> {
    for (const [address, ledger] of this.#tokens.entries())
      if (ledger.standard !== undefined) yield address;
  }

  /** Whether some events of the holder may not be transfers, or do not tell their standard. */
  hasUnsureTransfers(holder: Address): boolean {
    return this.#unsureTransfers.get(holder) ?? false;
  }

  /** The tokens of a standard that a holder has, ascending by address. */
  heldTokens(holder: Address, standard: TokenStandard): TokenLedger[] {
    const addresses = this.#tokensOf.get(holder) ?? [];
    return addresses.flatMap((address) => {
      const token = this.#tokens.get(address);
      return token?.standard === standard && token.balance(holder) > 0n ? [token] : [];
    });
  }

  /** Applies a block. Calls `onOverdraft` for each transfer that its sender cannot cover. */
  apply(
    input: BlockInput,
    transfers: readonly TransferredLog[],
    onOverdraft?: (overdraft: Overdraft) => void,
  ): void {
    visitCoinMoves(input, (from, to, value, transaction) => {
      if (onOverdraft && from !== null && this.balance(from) < value)
        onOverdraft({ token: null, from, to, value, transaction, balance: this.balance(from) });
      this.#moveCoins(from, to, value);
    });
    for (const transfer of transfers) this.#applyTransfer(transfer, onOverdraft);
  }

  /** Undoes the changes of blocks, given newest first. `history` must no longer contain them. */
  undo(inputs: readonly BlockInput[], history: History): void {
    const moved: MovedIds = new Map();
    for (const input of inputs) {
      visitCoinMoves(input, (from, to, value) => this.#moveCoins(to, from, value));
      for (const log of input.executions.flatMap(({ logs }) => logs).reverse()) {
        const event = transferIn(log);
        if (event !== undefined) this.#undoTransfer(this.#ownToken(log.address), event, moved);
      }
      for (const execution of input.executions)
        for (const created of createdIn(execution)) this.#removeContract(created);
    }
    for (const [token, ids] of moved)
      for (const [id, standard] of ids) {
        const event = lastTransfer(history, token.address, id, standard);
        token.setOwner(id, event && ownerAfter(event));
      }
  }

  /** The head state that was set for these contracts. */
  headStateOf(contracts: Iterable<Address>): HeadState {
    const addresses = [...new Set(contracts)];
    const tokens = addresses.flatMap((address) => this.#tokens.get(address) ?? []);
    return {
      codes: addresses.flatMap((address) => {
        const code = this.codes.get(address);
        return code === undefined ? [] : [[address, code] as const];
      }),
      tokens: tokens.map((token) => token.state),
      uris: tokens.flatMap((token) => token.uris()),
      verified: addresses.flatMap((address) => this.verified.get(address) ?? []),
    };
  }

  applyHeadState(state: HeadState, history: History): void {
    for (const [address, balance] of state.balances ?? []) this.#balances.set(address, balance);
    for (const [address, code] of state.codes ?? []) this.codes.set(address, code);
    for (const token of state.tokens ?? []) {
      if (token.standard !== undefined) this.#setStandard(token.address, token.standard, history);
      this.#ownToken(token.address).applyMetadata(token);
    }
    for (const [token, holder, balance] of state.tokenBalances ?? []) {
      const ledger = this.#ownToken(token);
      if (balance !== null) this.#addTokenOf(holder, ledger);
      ledger.applyBalance(holder, balance);
    }
    for (const [token, id, owner] of state.owners ?? []) {
      const ledger = this.#ownToken(token);
      if (owner !== null) this.#addTokenOf(owner, ledger);
      ledger.applyOwner(id, owner);
    }
    for (const [token, id, uri] of state.uris ?? []) this.#ownToken(token).applyUri(id, uri);
    for (const contract of state.verified ?? []) this.verified.set(contract.address, contract);
  }

  /** Moves coins. Coins from null are new, and coins to null are destroyed. */
  #moveCoins(from: Address | null, to: Address | null, value: bigint): void {
    if (from !== null) this.#balances.set(from, (this.#balances.get(from) ?? 0n) - value);
    if (to !== null) this.#balances.set(to, (this.#balances.get(to) ?? 0n) + value);
  }

  #applyTransfer(
    { log, event: transfer }: TransferredLog,
    onOverdraft?: (overdraft: Overdraft) => void,
  ): void {
    const token = this.#ownToken(log.address);
    token.noteEvent(transfer);
    const holders = [transfer.from, transfer.to];
    const accepts = token.accepts(transfer);
    if (transfer.standard === undefined || !accepts)
      for (const holder of holders) this.#unsureTransfers.set(holder, true);
    if (!accepts) return;
    for (const holder of holders) this.#addTokenOf(holder, token);
    for (let nth = 0; nth < transfer.count; nth++) {
      const single = transferOf(transfer, nth);
      const overdraft = onOverdraft && token.overdraft(single);
      if (overdraft) onOverdraft({ ...overdraft, transaction: log.transaction });
      token.apply(single);
    }
  }

  #undoTransfer(token: TokenLedger, event: TransferEvent, moved: MovedIds): void {
    if (token.accepts(event)) {
      const ids = moved.get(token) ?? new Map<bigint, TokenStandard | undefined>();
      moved.set(token, ids);
      for (const id of token.undo(event)) ids.set(id, event.standard);
    }
    token.forgetEvent(event);
  }

  /** Sets a token's standard. Applies its events again if they were read by another standard. */
  #setStandard(address: Address, standard: TokenStandard | null, history: History): void {
    const ledger = this.#ownToken(address);
    if (ledger.isReadAs(standard)) {
      ledger.applyMetadata({ standard });
      return;
    }
    this.#tokens.set(address, ledger.restart(standard));
    for (const log of transferLogs(history, address)) {
      const event = transferIn(log);
      if (event !== undefined) this.#applyTransfer({ log, event });
    }
  }

  #ownToken(address: Address): TokenLedger {
    const ownLedger = this.#tokens.getOwn(address);
    if (ownLedger !== undefined) return ownLedger;
    const ledger = this.#tokens.get(address)?.fork() ?? new TokenLedger(address);
    this.#tokens.set(address, ledger);
    return ledger;
  }

  /**
   * Adds the token to the tokens of a new holder. Call this before the token's ledger has the
   * holder, because a holder in the ledger is not new.
   */
  #addTokenOf(holder: Address, token: TokenLedger): void {
    if (holder === ZERO_ADDRESS || token.hasHolder(holder)) return;
    const tokens = this.#tokensOf.get(holder) ?? [];
    const at = countBefore(listOf(tokens), (address) => address < token.address);
    if (tokens[at] !== token.address)
      this.#tokensOf.set(holder, tokens.toSpliced(at, 0, token.address));
  }

  #removeContract(contract: Address): void {
    this.codes.delete(contract);
    this.verified.delete(contract);
    if (this.#tokens.get(contract)?.hasNoEvents) this.#tokens.delete(contract);
  }
}

/** The ids that moved in each collection, with the standard of their earliest undone transfer. */
type MovedIds = Map<TokenLedger, Map<bigint, TokenStandard | undefined>>;

/** All logs of a contract that may be transfers, in chain order. */
const transferLogs = (history: History, address: Address): readonly Log[] =>
  transferTopics.flatMap((topic) => items(withTopics(history, address, [topic]))).sort(compareLogs);

const withTopics = (history: History, address: Address, topics: readonly (Hash | undefined)[]) =>
  history.logs({ address, topics, operand: "and" });

/** Finds the last transfer of a contract's token id; undefined if it has none. */
function lastTransfer(
  history: History,
  address: Address,
  id: bigint,
  standard: TokenStandard | undefined,
): TransferEvent | undefined {
  const ofId = standard === undefined ? [] : [undefined, undefined, wordOf(id)];
  const isOfId = (event: TransferEvent) =>
    event.standard === standard && event.value <= id && id < event.value + BigInt(event.count);
  let last: TransferredLog | undefined;
  for (const topics of [[TRANSFER_TOPIC, ...ofId], [CONSECUTIVE_TOPIC]] as Hash[][]) {
    const logs = withTopics(history, address, topics);
    for (let at = logs.count - 1; at >= 0; at--) {
      const log = logs.at(at);
      if (last !== undefined && compareLogs(log, last.log) < 0) break;
      const event = transferIn(log);
      if (event === undefined || !isOfId(event)) continue;
      last = { log, event };
      break;
    }
  }
  return last?.event;
}
