// What a contract does while it is called: its events and internal calls, written as a story and undone where they fail.
import { concat } from "ox/Hex";
import type { Address, Frame, FrameType, Hash, Hex, Log } from "../chain/records.ts";
import { address, bytes, create2Address, createAddress, word } from "./evm.ts";
import { callGas, createGas, deploymentGas, initCodeOf, logGas } from "./gas.ts";
import { ImpossibleError, refuse } from "./impossible.ts";
import type { BuilderLedger } from "./ledger.ts";

/** A call of a contract, or of an account without code. */
export interface CallMessage {
  readonly to: Address;
  /** Coins it sends along; 0 if left out. */
  readonly value?: bigint;
  /** Call data; none if left out. */
  readonly input?: Hex;
  /** What the contract does. */
  readonly does?: (frame: CallFrame) => void;
  /** It fails with this error after all it does, so nothing of that remains. */
  readonly fails?: string;
}

/** A creation of a contract. */
export interface CreationMessage {
  /** The code it leaves behind; one byte, STOP, which accepts every call, if left out. */
  readonly code?: Hex;
  /** What runs to leave it behind; the shortest that does if left out. */
  readonly initCode?: Hex;
  /** ABI-encoded, appended to the init code. */
  readonly constructorArguments?: Hex;
  readonly value?: bigint;
  /** What the constructor does. */
  readonly does?: (frame: CallFrame) => void;
  readonly fails?: string;
}

type Mutable<Record> = { -readonly [Field in keyof Record]: Record[Field] };

/** A frame before its transaction is in a block. */
export type FrameDraft = Mutable<Omit<Frame, "transaction" | "gasLimit" | "gasUsed">> & {
  gasUsed: number;
};

export type LogDraft = Pick<Log, "address" | "data" | "topics">;

/** One change of the ledger; played again when the transaction is mined, which it refuses if it cannot be. */
export type Step = (ledger: BuilderLedger) => void;

/** All that happens in one transaction, as it happens. */
export interface Run {
  readonly ledger: BuilderLedger;
  readonly frames: FrameDraft[];
  readonly logs: LogDraft[];
  readonly steps: Step[];
}

class Reverted extends Error {
  override readonly name = "Reverted";
}

/** Plays `body`; if it reverts, nothing of it remains but the memory of its frames. Returns the error, or null. */
export function attempt(run: Run, body: () => void): string | null {
  const { ledger, frames, logs, steps } = run;
  const before = [ledger.mark(), frames.length, logs.length, steps.length] as const;
  try {
    body();
    return null;
  } catch (error) {
    if (!(error instanceof Reverted)) {
      throw error;
    }
    ledger.rewind(before[0]);
    for (const frame of frames.slice(before[1])) {
      frame.undone = true;
    }
    logs.length = before[2];
    steps.length = before[3];
    return error.message;
  }
}

/** Does a step now, and remembers it for when the transaction is mined. */
export function take(run: Run, step: Step): void {
  step(run.ledger);
  run.steps.push(step);
}

const stop: Hex = "0x00";

/** The code a creation leaves and what runs to leave it. */
export function codeOf({ code, initCode, constructorArguments = "0x" }: CreationMessage) {
  const runtime = bytes(code ?? stop);
  return {
    runtime,
    input: concat(bytes(initCode ?? initCodeOf(runtime)), bytes(constructorArguments)),
  };
}

/** As whom a frame runs. */
interface Role {
  readonly self: Address;
  readonly caller: Address;
  readonly value: bigint;
  readonly isStatic?: boolean;
}

interface CallSite extends Role {
  readonly input: Hex;
  /** Its trace address; empty for the root. */
  readonly path: readonly number[];
}

/** What a contract can do while it runs. Given to `does`. */
export class CallFrame {
  /** The contract that runs; in a delegated call, the one whose storage and coins are used. */
  readonly self: Address;
  /** Who called. */
  readonly caller: Address;
  /** Coins that came along. */
  readonly value: bigint;
  /** Call data. */
  readonly input: Hex;
  readonly #run: Run;
  readonly #isStatic: boolean;
  readonly #path: readonly number[];
  #children = 0;
  #gasUsed = 0;

  /** @internal */
  constructor(run: Run, place: CallSite) {
    this.self = place.self;
    this.caller = place.caller;
    this.value = place.value;
    this.input = place.input;
    this.#run = run;
    this.#isStatic = place.isStatic ?? false;
    this.#path = place.path;
  }

  /** The gas used so far: events, internal calls, and what {@link useGas} added. */
  get gasUsed(): number {
    return this.#gasUsed;
  }

  /** The number of internal calls so far. */
  get subTraces(): number {
    return this.#children;
  }

  /** Coins the contract has at this moment. */
  get balance(): bigint {
    return this.#run.ledger.balance(this.self);
  }

  /** Uses gas for work that leaves no trace. */
  useGas(amount: number): void {
    this.#gasUsed += amount;
  }

  /**
   * Emits an event.
   *
   * @param topics up to four, each up to 32 bytes: `eventTopic("Deposit(address)")`, an address, a number
   * @param data the arguments that are not indexed, ABI-encoded; none if left out
   */
  emit(topics: readonly (Hex | bigint | number)[], data: Hex = "0x"): void {
    this.#refuseStatic("emit an event");
    if (topics.length > 4) {
      refuse(`an event has at most 4 topics, not ${topics.length}`);
    }
    const log = { address: this.self, topics: topics.map(word), data: bytes(data) };
    this.#run.logs.push(log);
    this.#gasUsed += logGas(log.topics.length, log.data);
  }

  /** Calls a contract, or sends coins. Returns whether it succeeded: a failed call undoes what happened in it, nothing more. */
  call(call: CallMessage): boolean {
    const { value = 0n } = call;
    const to = address(call.to);
    if (value !== 0n) {
      this.#refuseStatic("send coins");
    }
    return this.#enter("call", call, value, { self: to, caller: this.self, value }, () =>
      this.#take((ledger) => ledger.move(this.self, to, value)),
    );
  }

  /** Runs another contract's code as this one: its events and calls are this contract's, with its caller and value. */
  delegatecall(call: Omit<CallMessage, "value">): boolean {
    return this.#enter("delegatecall", call, this.value, this);
  }

  /** The forerunner of {@link delegatecall}: the caller is this contract. */
  callcode(call: CallMessage): boolean {
    const { value = 0n } = call;
    return this.#enter("callcode", call, value, { self: this.self, caller: this.self, value });
  }

  /** Calls a contract that may only look: no events, no coins, no creations. */
  staticcall(call: Omit<CallMessage, "value">): boolean {
    const role = { self: address(call.to), caller: this.self, value: 0n, isStatic: true };
    return this.#enter("staticcall", call, 0n, role);
  }

  /** Creates a contract. Returns its address, or null if its constructor failed. */
  create(creation: CreationMessage = {}): Address | null {
    const made = createAddress(this.self, this.#run.ledger.nonce(this.self));
    return this.#create("create", made, creation);
  }

  /** Creates a contract at an address that follows from the salt and its code. Null if its constructor failed. */
  create2(creation: CreationMessage & { readonly salt: Hash | bigint | number }): Address | null {
    const made = create2Address(this.self, word(creation.salt), codeOf(creation).input);
    return this.#create("create2", made, creation);
  }

  /** Sends all the contract's coins to an heir, as SELFDESTRUCT does since the Cancun fork: the contract stays, unless this transaction created it. */
  selfdestruct(heir: Address): void {
    this.#refuseStatic("selfdestruct");
    const value = this.balance;
    this.#record("selfdestruct", { to: address(heir), value, input: "0x" });
    this.#take((ledger) => ledger.move(this.self, address(heir), value));
    this.#gasUsed += 5_000;
  }

  /** Fails: nothing of this call remains. */
  revert(reason = "execution reverted"): never {
    throw new Reverted(reason);
  }

  /** @internal A change of the ledger that is part of what this contract does. */
  change(step: Step): void {
    this.#refuseStatic("change anything");
    this.#take(step);
  }

  /** @internal */
  get ledger(): BuilderLedger {
    return this.#run.ledger;
  }

  /** @internal Plays what the frame does, with the failure that was asked for: what cannot be may be why it fails. */
  play({ does, fails }: Pick<CallMessage, "does" | "fails">): void {
    try {
      does?.(this);
    } catch (error) {
      if (fails === undefined || !(error instanceof ImpossibleError)) {
        throw error;
      }
    }
    if (fails !== undefined) {
      this.revert(fails);
    }
  }

  #take(step: Step): void {
    take(this.#run, step);
  }

  #refuseStatic(what: string): void {
    if (this.#isStatic) {
      refuse(`${this.#run.ledger.label(this.self)} cannot ${what} in a static call`);
    }
  }

  #record(type: FrameType, what: { to: Address | null; value: bigint; input: Hex }): FrameDraft {
    const frame: FrameDraft = {
      ...what,
      traceAddress: [...this.#path, this.#children],
      type,
      from: this.self,
      created: null,
      gasUsed: 0,
      error: null,
      undone: false,
      subTraces: 0,
    };
    this.#children += 1;
    this.#run.frames.push(frame);
    return frame;
  }

  /** A frame below this one, from its record to what it cost. */
  #below(
    frame: FrameDraft,
    role: Role,
    what: Pick<CallMessage, "does" | "fails">,
    first: () => void,
    after: (inner: CallFrame) => void = () => {},
  ): boolean {
    const inner = new CallFrame(this.#run, {
      isStatic: this.#isStatic,
      ...role,
      input: frame.input,
      path: frame.traceAddress,
    });
    frame.error = attempt(this.#run, () => {
      first();
      inner.play(what);
      after(inner);
    });
    frame.undone ||= frame.error !== null;
    frame.subTraces = inner.subTraces;
    frame.gasUsed = inner.gasUsed;
    this.#gasUsed += inner.gasUsed;
    return frame.error === null;
  }

  #enter(
    type: FrameType,
    call: Omit<CallMessage, "value">,
    value: bigint,
    role: Role,
    first: () => void = () => {},
  ): boolean {
    const to = address(call.to);
    refuseIdle(this.#run.ledger, to, call);
    const frame = this.#record(type, { to, value, input: bytes(call.input ?? "0x") });
    this.#gasUsed += callGas(type === "call" && value !== 0n);
    return this.#below(frame, role, call, first);
  }

  #create(type: "create" | "create2", made: Address, creation: CreationMessage): Address | null {
    this.#refuseStatic("create a contract");
    const { runtime, input } = codeOf(creation);
    const value = creation.value ?? 0n;
    this.#take((ledger) => {
      const nonce = ledger.useNonce(this.self);
      if (type === "create" && createAddress(this.self, nonce) !== made) {
        refuse(`${ledger.label(this.self)} created other contracts since: ${made} is not its next`);
      }
    });
    const frame = this.#record(type, { to: null, value, input });
    this.#gasUsed += createGas(input);
    const succeeded = this.#below(
      frame,
      { self: made, caller: this.self, value },
      creation,
      () => this.#take((ledger) => ledger.move(this.self, made, value)),
      (inner) => {
        this.#take((ledger) => ledger.deploy(made, runtime));
        inner.useGas(deploymentGas(runtime));
      },
    );
    frame.created = succeeded ? made : null;
    return frame.created;
  }
}

/** An account without code does nothing when it is called. */
export function refuseIdle(
  ledger: BuilderLedger,
  to: Address,
  call: Pick<CallMessage, "does" | "fails">,
): void {
  if (call.does !== undefined && ledger.code(to) === "0x") {
    refuse(
      `${ledger.label(to)} has no code, so it does nothing when it is called: deploy it first`,
    );
  }
}
