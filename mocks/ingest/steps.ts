// What frames are built from: the steps of debug_traceTransaction, in the notation of Hardhat 2, and the balances and nonces they leave open.
import * as z from "zod/mini";
import type { Address, Hex } from "../chain/records.ts";
import { anything, count, list, type Path, read, text } from "./read.ts";

const stepsSchema = z.object({
  structLogs: list(
    z.object({
      op: text,
      depth: count,
      gas: count,
      gasCost: anything,
      stack: anything,
      memory: anything,
    }),
  ),
});

type RawStep = z.output<typeof stepsSchema>["structLogs"][number];

/** The trace of a transaction as steps. */
export interface StepTrace {
  readonly trace: unknown;
  /** Whether the memory was asked for: traces may be too large with it. */
  readonly hasMemory: boolean;
}

/** The steps of a trace, found at `path`. @throws IngestError if it has none */
export const readSteps = ({ trace, hasMemory }: StepTrace, path: Path): TraceStep[] =>
  read(stepsSchema, trace, path).structLogs.map((raw) => new TraceStep(raw, hasMemory));

/** An instruction that is about to run. */
export class TraceStep {
  readonly op: string;
  /** Of the frame that runs it. */
  readonly depth: number;
  /** Gas left before it runs. */
  readonly gas: number;
  readonly #raw: RawStep;

  readonly #hasMemory: boolean;

  constructor(raw: RawStep, hasMemory: boolean) {
    this.#hasMemory = hasMemory;
    this.op = raw.op;
    this.depth = raw.depth;
    this.gas = raw.gas;
    this.#raw = raw;
  }

  /** Its price; nodes differ in whether that of a call includes what the call may use. */
  get gasCost(): number {
    const { gasCost } = this.#raw;
    const cost = typeof gasCost === "string" ? Number(gasCost) : gasCost;
    return typeof cost === "number" && Number.isSafeInteger(cost) ? Math.max(0, cost) : 0;
  }

  get height(): number {
    return this.#stack.length;
  }

  /** A word of the stack, 0 being the uppermost; 0n if there are not as many. */
  word(index: number): bigint {
    const word: unknown = this.#stack.at(-1 - index);
    if (typeof word !== "string" || !/^(0x)?[0-9a-f]+$/i.test(word)) return 0n;
    return BigInt(word.startsWith("0x") ? word : `0x${word}`);
  }

  address(index: number): Address {
    return addressOfNumber(this.word(index));
  }

  /** Bytes of the memory, zeros after its end; undefined if the trace has no memory. */
  memory(offset: bigint, length: bigint): Hex | undefined {
    if (length === 0n) return "0x";
    if (!this.#hasMemory) return undefined;
    const memory = Array.isArray(this.#raw.memory) ? this.#raw.memory : [];
    const [start, end] = [2 * Number(offset), 2 * Number(offset + length)];
    const words = memory.slice(Math.floor(start / 64), Math.ceil(end / 64)).map(plainDigits);
    const digits = words.join("").padEnd(64 * words.length, "0");
    return `0x${digits.slice(start % 64, (start % 64) + end - start).padEnd(end - start, "0")}`;
  }

  get #stack(): readonly unknown[] {
    const { stack } = this.#raw;
    return Array.isArray(stack) ? stack : [];
  }
}

const plainDigits = (word: unknown): string => String(word).replace(/^0x/, "").padStart(64, "0");

export const addressOfNumber = (word: bigint): Address =>
  `0x${word.toString(16).padStart(40, "0").slice(-40)}`;

/** A fact about the state before a block. */
export interface StateFact {
  readonly method: "eth_getBalance" | "eth_getTransactionCount";
  readonly address: Address;
}

const factKey = ({ method, address }: StateFact) => `${method} ${address}`;

/** The known state before a block; notes what is missing. */
export class StateBefore {
  readonly #known = new Map<string, bigint>();
  readonly #missing = new Map<string, StateFact>();

  /** The values that were requested and are not known. */
  get missing(): readonly StateFact[] {
    return [...this.#missing.values()];
  }

  learn(fact: StateFact, value: bigint): void {
    this.#known.set(factKey(fact), value);
    this.#missing.delete(factKey(fact));
  }

  balance(address: Address): bigint {
    return this.#ask({ method: "eth_getBalance", address });
  }

  nonce(address: Address): bigint {
    return this.#ask({ method: "eth_getTransactionCount", address });
  }

  #ask(fact: StateFact): bigint {
    const known = this.#known.get(factKey(fact));
    if (known === undefined) this.#missing.set(factKey(fact), fact);
    return known ?? 0n;
  }
}

/** The state while a block runs: the state before it, and what has run since. */
export class RunningState {
  readonly #before: StateBefore;
  #moves: (readonly [Address, bigint])[] = [];
  #creations: Address[] = [];

  constructor(before: StateBefore) {
    this.#before = before;
  }

  add(account: Address, value: bigint): void {
    if (value !== 0n) this.#moves.push([account, value]);
  }

  move(from: Address, to: Address, value: bigint): void {
    this.add(from, -value);
    this.add(to, value);
  }

  /** An account created a contract, or a contract began to exist: its nonce is one higher. */
  countNonce(account: Address): void {
    this.#creations.push(account);
  }

  balance(account: Address): bigint {
    return this.#moves.reduce(
      (sum, [moved, value]) => (moved === account ? sum + value : sum),
      this.#before.balance(account),
    );
  }

  nonce(account: Address): bigint {
    const since = this.#creations.filter((creator) => creator === account).length;
    return this.#before.nonce(account) + BigInt(since);
  }

  /** A function that takes back all that happens from now on. */
  checkpoint(): () => void {
    const [moves, creations] = [this.#moves.length, this.#creations.length];
    return () => {
      this.#moves.length = moves;
      this.#creations.length = creations;
    };
  }
}
