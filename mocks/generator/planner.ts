// What happens next in a generated chain: one transaction after the other, none that the ledger forbids.
import type { Chain } from "../chain/chain.ts";
import { ZERO_ADDRESS } from "../chain/constants.ts";
import type { Address, Hex } from "../chain/records.ts";
import type { Actors, GeneratedToken } from "./actors.ts";
import { Collection } from "./collection.ts";
import { PendingBalances } from "./pending-balances.ts";
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

type Happening = "transfer" | "mrc20" | "mrc721" | "routed" | "factory" | "deployment" | "call";

/** How often what happens, in percent. */
const SHARES: Readonly<Record<Happening, number>> = {
  transfer: 50,
  mrc20: 27,
  mrc721: 9,
  routed: 8,
  factory: 1,
  deployment: 1,
  call: 4,
};

const HAPPENINGS = (Object.keys(SHARES) as Happening[]).flatMap((happening) =>
  new Array<Happening>(SHARES[happening]).fill(happening),
);

/** How many calls of contracts fail. */
const FAILURES = 0.05;

const REASONS = ["execution reverted", "out of gas", "invalid opcode: INVALID"];

export class Planner {
  readonly coins: PendingBalances;
  readonly #cast: Actors;
  readonly #tokenAmounts: PendingBalances;
  readonly #collections = new Map<Address, Collection>();
  /** Contracts that are no tokens; the first one routes payments. */
  readonly #contracts: Address[] = [];

  constructor(cast: Actors, chain: Chain) {
    this.#cast = cast;
    this.coins = new PendingBalances((address) => chain.balance(address as Address));
    this.#tokenAmounts = new PendingBalances((key) =>
      chain.tokenBalance(key.slice(0, 42) as Address, `0x${key.slice(42)}`),
    );
  }

  /** To be called when the block is on the chain. */
  endBlock(): void {
    this.coins.clear();
    this.#tokenAmounts.clear();
  }

  /** The transaction with the given number: first the tokens and the router are deployed, then life goes on. */
  transaction(index: number, stream: RandomStream): PlannedTransaction {
    const { accounts, tokens } = this.#cast;
    const from = accounts[stream.rank(accounts.length)] as Address;
    const token = tokens[index];
    if (token !== undefined) return deployment(from, token.address, stream);
    if (index === tokens.length) {
      return deployment(from, this.#cast.address("router", 0), stream);
    }
    const fails = stream.chance(FAILURES);
    const reason = stream.pick(REASONS);
    const happening = this.#happening(from, index, stream);
    const isCall = happening.input !== "0x" && happening.to !== null;
    return fails && isCall ? failed(happening, reason) : happening;
  }

  /** Takes note of what a transaction that will be in the block has done. */
  settle(
    { created, error, frames, logs }: PlannedTransaction,
    token: GeneratedToken | undefined,
  ): void {
    if (error !== null) return;
    if (created !== null && token === undefined) this.#contracts.push(created);
    for (const { created: made } of frames) if (made !== null) this.#contracts.push(made);
    for (const { address, topics, data } of logs) {
      const [from, to] = [topics[1], topics[2]].map((topic): Address => `0x${topic?.slice(26)}`);
      if (from === undefined || to === undefined) continue;
      const id = topics[3];
      if (id !== undefined) this.#collection(address).give(BigInt(id), to);
      else this.#moveAmount(address, from, to, BigInt(data));
    }
  }

  #happening(from: Address, index: number, stream: RandomStream): PlannedTransaction {
    const happening = stream.pick(HAPPENINGS);
    switch (happening) {
      case "transfer":
        return this.#transfer(from, stream);
      case "mrc20":
      case "mrc721":
        return this.#tokenCall(happening, from, stream);
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
    const value = stream.chance(0.03) ? 0n : this.#someCoins(from, stream);
    return planTransaction({ from, to: this.#someone(stream), value });
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
    const tokens = this.#cast.tokens.filter((token) => token.standard === standard);
    const token = tokens[stream.rank(tokens.length)];
    if (token === undefined) return this.#transfer(from, stream);
    return standard === "mrc20"
      ? this.#amountMove(token, from, stream)
      : this.#idMove(token, from, stream);
  }

  /** A transfer, or a mint to somebody who has too little. */
  #amountMove(token: GeneratedToken, from: Address, stream: RandomStream): PlannedTransaction {
    const { address: to, decimals } = token;
    const gasUsed = 30_000 + stream.below(30_000);
    const receiver = this.#someone(stream);
    const unit = 10n ** BigInt(decimals ?? 0);
    const amount = 1n + stream.share(unit * 1000n);
    if (this.#tokenAmounts.balance(to + from.slice(2)) < amount) {
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

  /** A mint, a transfer by whoever owns what is transferred, or a burn. */
  #idMove(token: GeneratedToken, from: Address, stream: RandomStream): PlannedTransaction {
    const { address: to } = token;
    const collection = this.#collection(to);
    const gasUsed = 60_000 + stream.below(60_000);
    const mints = stream.chance(0.4);
    const taken = collection.pick(stream);
    const receiver = this.#someone(stream);
    if (mints || taken === undefined) {
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
    const { id, owner } = taken;
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

  /** A payment through the router: it looks something up, borrows code, and passes the coins on; at times its errand fails. */
  #routed(from: Address, stream: RandomStream): PlannedTransaction {
    const router = this.#contracts[0] as Address;
    const library = stream.pick(this.#contracts);
    const receiver = this.#someone(stream);
    const value = this.#someCoins(from, stream);
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
    const created = this.#cast.address("contract", index);
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
    return deployment(from, this.#cast.address("contract", index), stream);
  }

  #someone(stream: RandomStream): Address {
    const { accounts } = this.#cast;
    return accounts[stream.rank(accounts.length)] as Address;
  }

  #someCoins(from: Address, stream: RandomStream): bigint {
    // Not a share of what they have now, which depends on what all the others do.
    const value = stream.share((this.#cast.endowments.get(from) ?? 0n) >> 8n);
    const balance = this.coins.balance(from);
    return value < balance >> 4n ? value : balance >> 4n;
  }

  #moveAmount(token: Address, from: Address, to: Address, amount: bigint): void {
    if (from !== ZERO_ADDRESS) this.#tokenAmounts.add(token + from.slice(2), -amount);
    if (to !== ZERO_ADDRESS) this.#tokenAmounts.add(token + to.slice(2), amount);
  }

  #collection(token: Address): Collection {
    const known = this.#collections.get(token);
    if (known !== undefined) return known;
    const collection = new Collection();
    this.#collections.set(token, collection);
    return collection;
  }
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
