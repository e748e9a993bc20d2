// Turns the steps of a block's transactions into the frames that callTracer would return for them.
import * as ContractAddress from "ox/ContractAddress";
import { fromCreate } from "ox/ContractAddress";
import * as z from "zod/mini";
import { orNull } from "../../src/models/primitives.ts";
import { quantityOf, wordOf } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";
import { address, count, data, list, quantity, read } from "./read.ts";
import {
  addressOfNumber,
  RunningState,
  readSteps,
  type StateBefore,
  type StepTrace,
  type TraceStep,
} from "./steps.ts";

/** The instructions that a static call forbids. */
const CHANGING: ReadonlySet<string> = new Set([
  ...["SSTORE", "TSTORE", "CREATE", "CREATE2", "SELFDESTRUCT"],
  ...["LOG0", "LOG1", "LOG2", "LOG3", "LOG4"],
]);
/** A write to storage needs more gas than the stipend of a call. */
const STORAGE_STIPEND = 2300;
const MAX_STACK = 1024;
const MAX_DEPTH = 1024;
/** The price of JUMP and JUMPI. */
const JUMPS = new Map([
  ["JUMP", 8],
  ["JUMPI", 10],
]);
const MAX_CODE = 24_576n;

/** The error of a frame that ended with this step. */
function failureOf(last: TraceStep, { isStatic }: { readonly isStatic: boolean }): string {
  const { op, gas, gasCost } = last;
  if (op === "REVERT") return "execution reverted";
  if (op === "INVALID" || !/^[A-Z]/.test(op) || /unknown|not defined|opcode/i.test(op))
    return `invalid opcode: ${op}`;
  if (isStatic && (CHANGING.has(op) || (op === "CALL" && last.word(2) !== 0n)))
    return "write protection";
  if (op === "SSTORE" && gas <= STORAGE_STIPEND) return "out of gas";
  // The new contract's code was refused.
  if (op === "RETURN" && gasCost < gas)
    return last.word(1) > MAX_CODE
      ? "max code size exceeded"
      : "contract creation code storage out of gas";
  const jump = JUMPS.get(op);
  if (jump !== undefined && gas >= jump) return "invalid jump destination";
  if (op === "RETURNDATACOPY" && gasCost < gas) return "return data out of bounds";
  if (gasCost > 0 && gasCost < gas)
    return last.height >= MAX_STACK ? "stack overflow" : "stack underflow";
  return "out of gas";
}

/** The error of a call that failed without a step. */
function failureWithoutSteps(isCreation: boolean, consumed: boolean, depth: number): string {
  if (consumed) return isCreation ? "contract address collision" : "precompile failed";
  return depth > MAX_DEPTH ? "max call depth exceeded" : "insufficient balance for transfer";
}

/** What a call adds to the gas of the called contract if it sends coins. */
const STIPEND = 2300;
/** The price of a call to an account that is known already, and what it costs more to send coins. */
const WARM_CALL = 100;
const CALL_WITH_VALUE = 9000;
const CREATION = 32_000;
const LAST_PRECOMPILE = 0x1ffn;
/** At most what the memory of a contract's code costs. */
const MEMORY = 10_000;

/** The gas that the frame of `step` was given, and what it used; `after` is the next step of the frame that made it. */
function gasOf(step: TraceStep, after: TraceStep): { limit: number; used: number } {
  const { op } = step;
  const isCreation = op === "CREATE" || op === "CREATE2";
  const sends = (op === "CALL" || op === "CALLCODE") && step.word(2) !== 0n;
  const stipend = sends ? STIPEND : 0;
  const asked = isCreation ? step.gas : Number(step.word(0));
  // A call forwards at most all but a 64th of the gas that the instruction itself leaves.
  const passedAt = (price: number) => {
    const left = step.gas - price;
    return Math.min(asked, left - Math.floor(left / 64));
  };
  const spent = step.gas - after.gas + stipend;
  const price = isCreation
    ? creationPrice(step, spent)
    : callPrice(step, spent, asked, sends, passedAt);
  return { limit: passedAt(price) + stipend, used: spent - price };
}

/** The price of a call itself; most nodes count what is passed on as part of it. */
function callPrice(
  step: TraceStep,
  spent: number,
  asked: number,
  sends: boolean,
  passedAt: (price: number) => number,
): number {
  const { gasCost } = step;
  const known = WARM_CALL + (sends ? CALL_WITH_VALUE : 0);
  const isPrice = (price: number) =>
    price >= 0 && price <= spent && price + passedAt(price) === gasCost;
  const priced = [spent, known, gasCost - asked].find(isPrice);
  if (priced !== undefined) return priced;
  // Only what is part of the EVM uses gas without a step.
  return step.word(1) <= LAST_PRECOMPILE && known < spent ? known : spent;
}

/** The price of a creation itself, which leaves out what its code would have used. */
function creationPrice(step: TraceStep, spent: number): number {
  const words = Math.ceil(Number(step.word(2)) / 32);
  const least = CREATION + words * (step.op === "CREATE2" ? 2 + 6 : 2);
  if (spent <= least + MEMORY) return spent;
  return step.gasCost >= least && step.gasCost < spent ? step.gasCost : least;
}

/** A frame as callTracer returns it. */
export interface StepFrame {
  readonly type: string;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: Hex;
  readonly input: Hex;
  gas: Hex;
  gasUsed: Hex;
  error?: string;
  output?: Hex;
  readonly calls: StepFrame[];
}

/** A transaction with what its receipt says. */
export interface TracedTransaction {
  readonly from: Address;
  readonly to: Address | null;
  /** The called account, or the created one. */
  readonly account: Address;
  readonly value: bigint;
  readonly input: Hex;
  readonly gas: number;
  readonly gasUsed: number;
  readonly succeeded: boolean;
}

/** The frames of a transaction. */
export interface BuiltTrace {
  readonly root: StepFrame;
  /** Whether the trace lacks the memory that inputs are in; they are empty then. */
  readonly needsMemory: boolean;
}

/** The price of a byte of a new contract's code. */
const CODE_BYTE = 200;

/** A revert that names more bytes has run out of gas at that. */
const MAX_OUTPUT = 2n ** 24n;

/** Where the operands of the instructions that open frames lie on the stack. */
const CALLS = new Map([
  ["CALL", { value: 2, input: 3 }],
  ["CALLCODE", { value: 2, input: 3 }],
  ["DELEGATECALL", { value: undefined, input: 2 }],
  ["STATICCALL", { value: undefined, input: 2 }],
]);
const CREATIONS: ReadonlySet<string> = new Set(["CREATE", "CREATE2"]);

/** A frame whose steps are being read. */
interface OpenFrame {
  readonly frame: StepFrame;
  readonly depth: number;
  /** The account whose storage and coins it uses. */
  readonly account: Address;
  readonly value: bigint;
  readonly isStatic: boolean;
  /** Takes back what happened in it. */
  readonly undo: () => void;
  /** Takes back the call as well. */
  readonly undoCall: () => void;
  first?: TraceStep;
  last?: TraceStep;
}

/** Builds the frames of a transaction; `state` is as it is before the transaction, and then as it is after it. */
function buildTrace(
  transaction: TracedTransaction,
  steps: readonly TraceStep[],
  state: RunningState,
): BuiltTrace {
  return new TraceBuilder(steps, state).build(transaction);
}

class TraceBuilder {
  readonly #steps: readonly TraceStep[];
  readonly #state: RunningState;
  #needsMemory = false;

  constructor(steps: readonly TraceStep[], state: RunningState) {
    this.#steps = steps;
    this.#state = state;
  }

  build(transaction: TracedTransaction): BuiltTrace {
    const { from, to, account, value, input, gas, gasUsed, succeeded } = transaction;
    const frame: StepFrame = {
      ...{ type: to === null ? "CREATE" : "CALL", from, to: account },
      ...{
        value: quantityOf(value),
        input,
        gas: quantityOf(gas),
        gasUsed: quantityOf(gasUsed),
        calls: [],
      },
    };
    const undo = this.#state.checkpoint();
    this.#state.move(from, account, value);
    if (to === null) this.#state.countNonce(account);
    const depth = this.#steps[0]?.depth ?? 1;
    const root: OpenFrame = { frame, depth, account, value, isStatic: false, undo, undoCall: undo };
    this.#run(root);
    if (!succeeded) {
      undo();
      if (root.last !== undefined) dropFailedEnd(frame, root.last);
      frame.error = root.last === undefined ? "failed" : failureOf(root.last, root);
      this.#keepOutput(root);
    }
    return { root: frame, needsMemory: this.#needsMemory };
  }

  #run(root: OpenFrame): void {
    const open = [root];
    for (const [index, step] of this.#steps.entries()) {
      // The step after a call, in the frame that made it.
      while ((open.at(-1)?.depth ?? 0) > step.depth) {
        const ended = open.pop();
        close(ended, step);
        if (ended?.frame.error !== undefined) this.#keepOutput(ended);
      }
      const current = open.at(-1);
      if (current === undefined) return;
      current.first ??= step;
      current.last = step;
      if (step.op === "SELFDESTRUCT") this.#end(current, step, this.#steps[index + 1]);
      else if (CALLS.has(step.op) || CREATIONS.has(step.op)) {
        const next = this.#steps[index + 1];
        // A frame that ends here failed before it could call.
        if (next === undefined || next.depth < step.depth) continue;
        const child = CREATIONS.has(step.op)
          ? this.#creation(current, step, this.#resultOf(index))
          : this.#call(current, step);
        if (next.depth > step.depth) open.push(child);
        else closeWithoutSteps(child, step, next);
      }
    }
  }

  /** What the instruction at `index` leaves on the stack: the next step in its frame shows it. */
  #resultOf(index: number): bigint {
    const depth = this.#steps[index]?.depth ?? 0;
    for (let at = index + 1; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined || step.depth < depth) return 0n;
      if (step.depth === depth) return step.word(0);
    }
    return 0n;
  }

  #call(parent: OpenFrame, step: TraceStep): OpenFrame {
    const type = step.op;
    const operands = CALLS.get(type) ?? { value: undefined, input: 2 };
    const target = step.address(1);
    const ownValue = operands.value === undefined ? 0n : step.word(operands.value);
    // A delegatecall shows the value of its caller.
    const value = type === "DELEGATECALL" ? parent.value : ownValue;
    const input = this.#memory(step, step.word(operands.input), step.word(operands.input + 1));
    const frame = emptyFrame(type, parent.account, target, value, input);
    parent.frame.calls.push(frame);
    const undo = this.#state.checkpoint();
    if (type === "CALL") this.#state.move(parent.account, target, value);
    const borrows = type === "DELEGATECALL" || type === "CALLCODE";
    return {
      ...{ frame, value, undo, undoCall: undo, depth: parent.depth + 1 },
      account: borrows ? parent.account : target,
      isStatic: parent.isStatic || type === "STATICCALL",
    };
  }

  #creation(parent: OpenFrame, step: TraceStep, result: bigint): OpenFrame {
    const value = step.word(0);
    const input = this.#memory(step, step.word(1), step.word(2));
    const account =
      result !== 0n ? addressOfNumber(result) : this.#failedCreation(parent.account, step, input);
    const frame = emptyFrame(step.op, parent.account, account, value, input);
    parent.frame.calls.push(frame);
    const undoCall = this.#state.checkpoint();
    this.#state.countNonce(parent.account);
    const undo = this.#state.checkpoint();
    this.#state.countNonce(account);
    this.#state.move(parent.account, account, value);
    const { isStatic } = parent;
    return { frame, value, undo, undoCall, account, depth: parent.depth + 1, isStatic };
  }

  /** Where a contract would have been created. */
  #failedCreation(creator: Address, step: TraceStep, input: Hex): Address {
    const address =
      step.op === "CREATE2"
        ? ContractAddress.fromCreate2({
            from: creator,
            bytecode: input,
            salt: wordOf(step.word(3)),
          })
        : ContractAddress.fromCreate({ from: creator, nonce: this.#state.nonce(creator) });
    return addressOfNumber(BigInt(address));
  }

  /** The contract ends, and its coins go to the beneficiary. */
  #end({ frame, account }: OpenFrame, step: TraceStep, next: TraceStep | undefined): void {
    // Not if it ran out of gas, or in a static call: nothing is known of the result, but the frame's own.
    if (next !== undefined && next.depth === step.depth) return;
    const beneficiary = step.address(0);
    const value = this.#state.balance(account);
    frame.calls.push(emptyFrame("SELFDESTRUCT", account, beneficiary, value, "0x"));
    this.#state.move(account, beneficiary, value);
  }

  /** Keeps what a frame that reverted returned. */
  #keepOutput({ frame, last }: OpenFrame): void {
    if (last?.op !== "REVERT" || last.word(1) > MAX_OUTPUT) return;
    frame.output = this.#memory(last, last.word(0), last.word(1));
  }

  #memory(step: TraceStep, offset: bigint, length: bigint): Hex {
    const bytes = step.memory(offset, length);
    if (bytes === undefined) this.#needsMemory = true;
    return bytes ?? "0x";
  }
}

const emptyFrame = (
  type: string,
  from: Address,
  to: Address,
  value: bigint,
  input: Hex,
): StepFrame => ({
  type,
  from,
  to,
  value: quantityOf(value),
  input,
  gas: "0x0",
  gasUsed: "0x0",
  calls: [],
});

/** Ends a frame that had steps; `after` is the step after it, in the frame that made the call. */
function close(open: OpenFrame | undefined, after: TraceStep): void {
  const { first, last, frame } = open ?? {};
  if (open === undefined || first === undefined || last === undefined || frame === undefined)
    return;
  frame.gas = quantityOf(first.gas);
  if (after.word(0) === 0n) {
    open.undo();
    dropFailedEnd(frame, last);
    frame.error = failureOf(last, open);
    frame.gasUsed = quantityOf(last.op === "REVERT" ? usedUntil(first, last) : first.gas);
    return;
  }
  const deposit =
    CREATIONS.has(frame.type) && last.op === "RETURN" ? CODE_BYTE * Number(last.word(1)) : 0;
  frame.gasUsed = quantityOf(usedUntil(first, last) + deposit);
}

const usedUntil = (first: TraceStep, last: TraceStep): number =>
  first.gas - last.gas + last.gasCost;

/** A frame that failed at its selfdestruct has not ended its contract. */
function dropFailedEnd(frame: StepFrame, last: TraceStep): void {
  if (last.op === "SELFDESTRUCT" && frame.calls.at(-1)?.type === "SELFDESTRUCT") frame.calls.pop();
}

/** Ends a frame without steps: of an account without code, or of a contract that is part of the EVM. */
function closeWithoutSteps(open: OpenFrame, step: TraceStep, after: TraceStep): void {
  const { frame } = open;
  const gas = gasOf(step, after);
  frame.gas = quantityOf(gas.limit);
  if (after.word(0) !== 0n) {
    frame.gasUsed = quantityOf(gas.used);
    return;
  }
  const consumed = gas.used > 0;
  if (consumed) open.undo();
  else open.undoCall();
  frame.gasUsed = consumed ? frame.gas : "0x0";
  frame.error = failureWithoutSteps(CREATIONS.has(frame.type), consumed, open.depth);
}

/** A block whose transactions are traced as steps. */
export interface SteppedBlock {
  readonly block: unknown;
  readonly receipts: unknown;
  /** By position in the block. */
  readonly steps: readonly StepTrace[];
}

const blockSchema = z.object({
  block: z.object({
    miner: address,
    baseFeePerGas: orNull(quantity),
    transactions: list(
      z.object({
        from: address,
        to: orNull(address),
        value: quantity,
        input: data,
        gas: count,
        nonce: quantity,
        gasPrice: orNull(quantity),
      }),
    ),
  }),
  receipts: list(
    z.object({
      status: orNull(quantity),
      gasUsed: count,
      effectiveGasPrice: orNull(quantity),
    }),
  ),
});

/** The frames of a block's transactions. */
export interface BlockFrames {
  readonly traces: readonly StepFrame[];
  /** The transactions, by position, whose traces lack the memory that inputs are in. */
  readonly needMemory: readonly number[];
}

/** The frames of a block whose traces are steps. If `before` then lacks facts, they have to be learnt, and the frames be built again. */
export function framesOfSteps(given: SteppedBlock, before: StateBefore): BlockFrames {
  const { block: header, receipts } = read(blockSchema, given);
  const state = new RunningState(before);
  const needMemory: number[] = [];
  const traces = header.transactions.map((transaction, index) => {
    const { from, to, nonce, gas, gasPrice } = transaction;
    const receipt = receipts[index];
    const gasUsed = receipt?.gasUsed ?? gas;
    const price = receipt?.effectiveGasPrice ?? gasPrice ?? 0n;
    // Gas is paid ahead, and what is left of it given back.
    state.add(from, -price * BigInt(gas));
    state.countNonce(from);
    const { root, needsMemory } = buildTrace(
      {
        ...{ ...transaction, gasUsed },
        // Not from the receipt: some nodes leave it out where the creation failed.
        account: to ?? addressOfNumber(BigInt(fromCreate({ from, nonce }))),
        succeeded: receipt?.status !== 0n,
      },
      readSteps(given.steps[index] ?? { trace: undefined, hasMemory: false }, ["traces", index]),
      state,
    );
    state.add(from, price * BigInt(gas - gasUsed));
    state.add(header.miner, (price - (header.baseFeePerGas ?? 0n)) * BigInt(gasUsed));
    if (needsMemory) needMemory.push(index);
    return root;
  });
  return { traces, needMemory };
}
