// Plans the transactions of a generated chain, one after another, none that the ledger forbids.
import type { Address, Hex } from "../../chain/records.ts";
import {
  type Actor,
  type Actors,
  Balances,
  Collection,
  type GeneratedToken,
  NOBODY,
} from "./actors.ts";
import {
  failed,
  frame,
  mrc20TransferLog,
  mrc721TransferLog,
  type PlannedTransaction,
  planTransaction,
  wordDigits,
} from "./planned-transaction.ts";
import type { RandomStream, RandomStreams } from "./stream.ts";

/** How often each kind of transaction is planned, in percent. */
const SHARES = {
  transfer: 50,
  mrc20: 27,
  mrc721: 9,
  routed: 8,
  factory: 1,
  deployment: 1,
  call: 4,
} as const;

type TransactionKind = keyof typeof SHARES;

const KINDS = (Object.keys(SHARES) as TransactionKind[]).flatMap((kind) =>
  new Array<TransactionKind>(SHARES[kind]).fill(kind),
);

/** The share of contract calls that fail. */
const FAILURE_RATE = 0.05;

const ERRORS = ["execution reverted", "out of gas", "invalid opcode: INVALID"];

/** A token, and what its contract keeps. */
interface Ledger<Kept> {
  readonly token: GeneratedToken;
  readonly kept: Kept;
}

export class Planner {
  readonly #actors: Actors;
  readonly #created: RandomStreams;
  readonly #mrc20: readonly Ledger<Balances>[];
  readonly #mrc721: readonly Ledger<Collection>[];
  /** Contracts that are no tokens; the first is the router. */
  readonly #contracts: Address[] = [];

  constructor(actors: Actors) {
    this.#actors = actors;
    this.#created = actors.streams("contract");
    this.#mrc20 = ledgersOf(actors, "mrc20", () => new Balances());
    this.#mrc721 = ledgersOf(actors, "mrc721", () => new Collection());
  }

  /** Plans a transaction by its number: the first ones deploy the tokens and the router. */
  transaction(index: number, stream: RandomStream): PlannedTransaction {
    const { tokens } = this.#actors;
    const from = this.#randomAccount(stream);
    const token = tokens[index];
    if (token !== undefined) return deployment(from, token.address, stream);
    if (index === tokens.length) {
      return deployment(from, this.#actors.address("router", 0), stream);
    }
    const fails = stream.chance(FAILURE_RATE);
    const error = stream.pick(ERRORS);
    const planned = this.#plan(from, index, stream);
    const isCall = planned.input !== "0x" && planned.to !== null;
    return fails && isCall ? failed(planned, error) : planned;
  }

  /** Records the effects of a transaction that goes into the block, but for its fee. */
  recordEffects(
    { from, payee, value, created, error, frames, log }: PlannedTransaction,
    token: GeneratedToken | undefined,
  ): void {
    if (error !== null) return;
    if (created !== null && token === undefined) this.#contracts.push(created);
    for (const frame of frames) if (frame.created !== null) this.#contracts.push(frame.created);
    if (payee !== null) {
      from.coins -= value;
      payee.coins += value;
    }
    log?.apply();
  }

  #plan(from: Actor, index: number, stream: RandomStream): PlannedTransaction {
    const kind = stream.pick(KINDS);
    switch (kind) {
      case "transfer":
        return this.#transfer(from, stream);
      case "mrc20":
        return this.#amountCall(from, stream);
      case "mrc721":
        return this.#idCall(from, stream);
      case "routed":
        return this.#routed(from, stream);
      case "factory":
        return this.#factory(from, index, stream);
      case "deployment":
        return this.#deployment(from, index, stream);
      case "call":
        return this.#plainCall(from, stream);
    }
  }

  #transfer(from: Actor, stream: RandomStream): PlannedTransaction {
    const value = stream.chance(0.03) ? 0n : this.#randomAmount(from, stream);
    const payee = this.#randomAccount(stream);
    return planTransaction({ from, to: payee.address, value, payee });
  }

  #plainCall(from: Actor, stream: RandomStream): PlannedTransaction {
    const to = stream.pick(this.#contracts);
    return planTransaction({
      from,
      to,
      input: stream.hex(4),
      gasUsed: 23_000 + stream.below(60_000),
    });
  }

  #amountCall(from: Actor, stream: RandomStream): PlannedTransaction {
    const ledger = this.#mrc20[stream.rank(this.#mrc20.length)];
    return ledger === undefined
      ? this.#transfer(from, stream)
      : this.#amountMove(ledger, from, stream);
  }

  #idCall(from: Actor, stream: RandomStream): PlannedTransaction {
    const ledger = this.#mrc721[stream.rank(this.#mrc721.length)];
    return ledger === undefined ? this.#transfer(from, stream) : this.#idMove(ledger, from, stream);
  }

  /** A transfer, or a mint if the sender has too little. */
  #amountMove(
    { token, kept: balances }: Ledger<Balances>,
    from: Actor,
    stream: RandomStream,
  ): PlannedTransaction {
    const to = token.address;
    const gasUsed = 30_000 + stream.below(30_000);
    const receiver = this.#randomAccount(stream);
    const amount = 1n + stream.share(token.highestAmount);
    if (balances.of(from) < amount) {
      const minted = amount * 16n;
      const amountWord = wordDigits(minted);
      const log = mrc20TransferLog(to, { from: NOBODY, to: from, amount: amountWord }, () =>
        balances.add(from, minted),
      );
      const input = call("0x40c10f19", from.word, amountWord);
      return planTransaction({ from, to, input, gasUsed, log });
    }
    const amountWord = wordDigits(amount);
    const log = mrc20TransferLog(to, { from, to: receiver, amount: amountWord }, () => {
      balances.add(from, -amount);
      balances.add(receiver, amount);
    });
    const input = call("0xa9059cbb", receiver.word, amountWord);
    return planTransaction({ from, to, input, gasUsed, log });
  }

  /** A mint, or a transfer or burn by the token's owner. */
  #idMove(
    { token, kept: collection }: Ledger<Collection>,
    from: Actor,
    stream: RandomStream,
  ): PlannedTransaction {
    const to = token.address;
    const gasUsed = 60_000 + stream.below(60_000);
    const mints = stream.chance(0.4);
    const item = collection.pick(stream);
    const owner = item?.owner ?? null;
    const receiver = this.#randomAccount(stream);
    if (mints || item === undefined || owner === null) {
      const id = token.hugeIds ? BigInt(stream.hex(32)) : BigInt(collection.minted + 1);
      const idWord = wordDigits(id);
      const log = mrc721TransferLog(to, { from: NOBODY, to: from, id: idWord }, () =>
        collection.mint(id, from),
      );
      const input = call("0x40c10f19", from.word, idWord);
      return planTransaction({ from, to, input, gasUsed, log });
    }
    const idWord = wordDigits(item.id);
    if (stream.chance(0.1)) {
      const log = mrc721TransferLog(to, { from: owner, to: NOBODY, id: idWord }, () => {
        item.owner = null;
      });
      return planTransaction({
        from: owner,
        to,
        input: call("0x42966c68", idWord),
        gasUsed,
        log,
      });
    }
    const log = mrc721TransferLog(to, { from: owner, to: receiver, id: idWord }, () => {
      item.owner = receiver;
    });
    const input = call("0x23b872dd", owner.word, receiver.word, idWord);
    return planTransaction({ from: owner, to, input, gasUsed, log });
  }

  /** A payment through the router: a staticcall, a delegatecall that sometimes fails, and a call that passes the coins on. */
  #routed(from: Actor, stream: RandomStream): PlannedTransaction {
    const router = this.#contracts[0] as Address;
    const library = stream.pick(this.#contracts);
    const payee = this.#randomAccount(stream);
    const value = this.#randomAmount(from, stream);
    const error = stream.chance(0.1) ? "execution reverted" : null;
    const undone = error !== null;
    return planTransaction({
      from,
      to: router,
      value,
      payee,
      input: call("0x5c11d795", payee.word),
      gasUsed: 60_000 + stream.below(90_000),
      frames: [
        frame({
          type: "staticcall",
          traceAddress: [0],
          from: router,
          to: library,
          input: "0x70a08231",
        }),
        frame({
          type: "delegatecall",
          traceAddress: [1],
          from: router,
          to: library,
          value,
          error,
          undone,
          subTraces: 1,
        }),
        frame({ traceAddress: [1, 0], from: router, to: library, input: "0xd0e30db0", undone }),
        frame({ traceAddress: [2], from: router, to: payee.address, value }),
      ],
    });
  }

  #factory(from: Actor, index: number, stream: RandomStream): PlannedTransaction {
    const factory = this.#contracts[0] as Address;
    const created = this.#created.of(index).hex(20);
    const type = stream.chance(0.5) ? "create2" : "create";
    return planTransaction({
      from,
      to: factory,
      input: call("0xefc81a8c"),
      gasUsed: 150_000 + stream.below(200_000),
      frames: [frame({ type, traceAddress: [0], from: factory, created, input: initCode(stream) })],
    });
  }

  #deployment(from: Actor, index: number, stream: RandomStream): PlannedTransaction {
    return deployment(from, this.#created.of(index).hex(20), stream);
  }

  #randomAccount(stream: RandomStream): Actor {
    const { accounts } = this.#actors;
    return accounts[stream.rank(accounts.length)] as Actor;
  }

  #randomAmount({ endowment, coins }: Actor, stream: RandomStream): bigint {
    // Not a share of the current balance, which depends on what all other accounts do.
    const value = stream.share(endowment >> 8n);
    return value < coins >> 4n ? value : coins >> 4n;
  }
}

const ledgersOf = <Kept>(
  { tokens }: Actors,
  standard: GeneratedToken["standard"],
  make: () => Kept,
): readonly Ledger<Kept>[] =>
  tokens.filter((token) => token.standard === standard).map((token) => ({ token, kept: make() }));

const deployment = (from: Actor, created: Address, stream: RandomStream): PlannedTransaction =>
  planTransaction({
    from,
    created,
    input: initCode(stream),
    gasUsed: 400_000 + stream.below(1_000_000),
  });

const initCode = (stream: RandomStream): Hex => `0x6080604052${stream.hex(20).slice(2)}`;

const call = (selector: Hex, ...words: string[]): Hex => `${selector}${words.join("")}` as Hex;
