// Plans the transactions of a generated chain, one after another, none that the ledger forbids.
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";
import type { Actors, GeneratedToken } from "./actors.ts";
import { Balances } from "./balances.ts";
import { Collection } from "./collection.ts";
import {
  addressWord,
  failed,
  frame,
  mrc20Transfer,
  mrc721Transfer,
  type PlannedTransaction,
  planTransaction,
  word,
} from "./planned-transaction.ts";
import type { RandomStream } from "./stream.ts";

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

export class Planner {
  readonly coins: Balances;
  readonly #actors: Actors;
  readonly #amounts = new Map<Address, Balances>();
  readonly #collections = new Map<Address, Collection>();
  /** Contracts that are no tokens; the first is the router. */
  readonly #contracts: Address[] = [];

  constructor(actors: Actors) {
    this.#actors = actors;
    this.coins = new Balances(actors.initialBalances);
  }

  /** Plans a transaction by its number: the first ones deploy the tokens and the router. */
  transaction(index: number, stream: RandomStream): PlannedTransaction {
    const { accounts, tokens } = this.#actors;
    const from = accounts[stream.rank(accounts.length)] as Address;
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

  /** Records the effects of a transaction that goes into the block. */
  recordEffects(
    { created, error, frames, logs }: PlannedTransaction,
    token: GeneratedToken | undefined,
  ): void {
    if (error !== null) return;
    if (created !== null && token === undefined) this.#contracts.push(created);
    for (const frame of frames) if (frame.created !== null) this.#contracts.push(frame.created);
    for (const { address, transfer } of logs) {
      const { standard, from, to, value } = transfer;
      if (standard === "mrc721") this.#collection(address).setOwner(value, to);
      else this.#moveAmount(address, from, to, value);
    }
  }

  #plan(from: Address, index: number, stream: RandomStream): PlannedTransaction {
    const kind = stream.pick(KINDS);
    switch (kind) {
      case "transfer":
        return this.#transfer(from, stream);
      case "mrc20":
      case "mrc721":
        return this.#tokenCall(kind, from, stream);
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

  #transfer(from: Address, stream: RandomStream): PlannedTransaction {
    const value = stream.chance(0.03) ? 0n : this.#randomAmount(from, stream);
    return planTransaction({ from, to: this.#randomAccount(stream), value });
  }

  #plainCall(from: Address, stream: RandomStream): PlannedTransaction {
    const to = stream.pick(this.#contracts);
    return planTransaction({
      from,
      to,
      input: stream.hex(4),
      gasUsed: 23_000 + stream.below(60_000),
    });
  }

  #tokenCall(
    standard: GeneratedToken["standard"],
    from: Address,
    stream: RandomStream,
  ): PlannedTransaction {
    const tokens = this.#actors.tokens.filter((token) => token.standard === standard);
    const token = tokens[stream.rank(tokens.length)];
    if (token === undefined) return this.#transfer(from, stream);
    return standard === "mrc20"
      ? this.#amountMove(token, from, stream)
      : this.#idMove(token, from, stream);
  }

  /** A transfer, or a mint if the sender has too little. */
  #amountMove(token: GeneratedToken, from: Address, stream: RandomStream): PlannedTransaction {
    const { address: to, decimals } = token;
    const gasUsed = 30_000 + stream.below(30_000);
    const receiver = this.#randomAccount(stream);
    const unit = 10n ** BigInt(decimals ?? 0);
    const amount = 1n + stream.share(unit * 1000n);
    if (this.#amountsOf(to).of(from) < amount) {
      const minted = amount * 16n;
      const input = call("0x40c10f19", addressWord(from), word(minted));
      const logs = [mrc20Transfer(to, ZERO_ADDRESS, from, minted)];
      return planTransaction({ from, to, input, gasUsed, logs });
    }
    const input = call("0xa9059cbb", addressWord(receiver), word(amount));
    return planTransaction({
      from,
      to,
      input,
      gasUsed,
      logs: [mrc20Transfer(to, from, receiver, amount)],
    });
  }

  /** A mint, or a transfer or burn by the token's owner. */
  #idMove(token: GeneratedToken, from: Address, stream: RandomStream): PlannedTransaction {
    const { address: to } = token;
    const collection = this.#collection(to);
    const gasUsed = 60_000 + stream.below(60_000);
    const mints = stream.chance(0.4);
    const existing = collection.pick(stream);
    const receiver = this.#randomAccount(stream);
    if (mints || existing === undefined) {
      const id = token.hugeIds ? BigInt(stream.hex(32)) : BigInt(collection.minted + 1);
      const logs = [mrc721Transfer(to, ZERO_ADDRESS, from, id)];
      return planTransaction({
        from,
        to,
        input: call("0x40c10f19", addressWord(from), word(id)),
        gasUsed,
        logs,
      });
    }
    const { id, owner } = existing;
    if (stream.chance(0.1)) {
      const logs = [mrc721Transfer(to, owner, ZERO_ADDRESS, id)];
      return planTransaction({
        from: owner,
        to,
        input: call("0x42966c68", word(id)),
        gasUsed,
        logs,
      });
    }
    const input = call("0x23b872dd", addressWord(owner), addressWord(receiver), word(id));
    return planTransaction({
      from: owner,
      to,
      input,
      gasUsed,
      logs: [mrc721Transfer(to, owner, receiver, id)],
    });
  }

  /** A payment through the router: a staticcall, a delegatecall that sometimes fails, and a call that passes the coins on. */
  #routed(from: Address, stream: RandomStream): PlannedTransaction {
    const router = this.#contracts[0] as Address;
    const library = stream.pick(this.#contracts);
    const receiver = this.#randomAccount(stream);
    const value = this.#randomAmount(from, stream);
    const error = stream.chance(0.1) ? "execution reverted" : null;
    const undone = error !== null;
    return planTransaction({
      from,
      to: router,
      value,
      input: call("0x5c11d795", addressWord(receiver)),
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
        frame({ traceAddress: [2], from: router, to: receiver, value }),
      ],
    });
  }

  #factory(from: Address, index: number, stream: RandomStream): PlannedTransaction {
    const factory = this.#contracts[0] as Address;
    const created = this.#actors.address("contract", index);
    const type = stream.chance(0.5) ? "create2" : "create";
    return planTransaction({
      from,
      to: factory,
      input: call("0xefc81a8c"),
      gasUsed: 150_000 + stream.below(200_000),
      frames: [frame({ type, traceAddress: [0], from: factory, created, input: initCode(stream) })],
    });
  }

  #deployment(from: Address, index: number, stream: RandomStream): PlannedTransaction {
    return deployment(from, this.#actors.address("contract", index), stream);
  }

  #randomAccount(stream: RandomStream): Address {
    const { accounts } = this.#actors;
    return accounts[stream.rank(accounts.length)] as Address;
  }

  #randomAmount(from: Address, stream: RandomStream): bigint {
    // Not a share of the current balance, which depends on what all other accounts do.
    const value = stream.share((this.#actors.initialBalances.get(from) ?? 0n) >> 8n);
    const balance = this.coins.of(from);
    return value < balance >> 4n ? value : balance >> 4n;
  }

  #moveAmount(token: Address, from: Address, to: Address, amount: bigint): void {
    const amounts = this.#amountsOf(token);
    if (from !== ZERO_ADDRESS) amounts.add(from, -amount);
    if (to !== ZERO_ADDRESS) amounts.add(to, amount);
  }

  #amountsOf(token: Address): Balances {
    return getOrMake(this.#amounts, token, () => new Balances());
  }

  #collection(token: Address): Collection {
    return getOrMake(this.#collections, token, () => new Collection());
  }
}

function getOrMake<Value>(
  map: Map<Address, Value>,
  address: Address,
  make: () => Value & {},
): Value {
  const known = map.get(address);
  if (known !== undefined) return known;
  const made = make();
  map.set(address, made);
  return made;
}

const deployment = (from: Address, created: Address, stream: RandomStream): PlannedTransaction =>
  planTransaction({
    from,
    created,
    input: initCode(stream),
    gasUsed: 400_000 + stream.below(1_000_000),
  });

const initCode = (stream: RandomStream): Hex => `0x6080604052${stream.hex(20).slice(2)}`;

const call = (selector: Hex, ...words: string[]): Hex => `${selector}${words.join("")}` as Hex;
