// The running contract: it emits events, calls others, creates contracts, reverts.
import { type FrameType, movesValue } from "../chain/fields.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";
import { classOf } from "../input/options.ts";
import {
  address,
  bytes,
  type CreationCode,
  create2Address,
  createAddress,
  creationCode,
  ImpossibleError,
  refuse,
  word,
} from "./evm.ts";
import {
  applyChange,
  type ExecutionContext,
  executeReverting,
  type LedgerChange,
  type PendingFrame,
  Reverted,
  refuseMissingCode,
} from "./execution.ts";
import { callGas, createGas, deploymentGas, logGas } from "./gas.ts";
import type { BuilderLedger } from "./ledger.ts";
import { checked } from "./schemas.ts";

/** A call of a contract, or of an account without code. */
export interface CallMessage {
  readonly to: Address;
  /** Coins to send along. Default 0. */
  readonly value?: bigint | undefined;
  /** Call data. Default none. */
  readonly input?: Hex | undefined;
  /** Runs the contract. It must not be async. */
  readonly does?: ((frame: CallFrame) => void) | undefined;
  /**
   * Reverts the call with this error after `does` has run. Bytes, such as those of viem's
   * `encodeErrorResult`, are returned unchanged.
   */
  readonly fails?: string | undefined;
}

/** The creation of a contract. */
export interface CreationMessage extends CreationCode {
  readonly value?: bigint | undefined;
  /** Runs the constructor. It must not be async. */
  readonly does?: ((frame: CallFrame) => void) | undefined;
  /** Reverts the creation with this error, or with these bytes as its return data. */
  readonly fails?: string | undefined;
}

/** An address that the test chooses, because a dApp may have the address in its code. */
export interface ChosenAddress {
  /** The contract's address. Default: derived from the nonce of its creator, as on a real chain. */
  readonly address?: Address | undefined;
}

/** The creation of a contract by a transaction. */
export interface DeployMessage extends CreationMessage, ChosenAddress {}

interface CallContext {
  readonly self: Address;
  readonly caller: Address;
  readonly value: bigint;
  readonly isStatic?: boolean | undefined;
}

interface FrameContext extends CallContext {
  readonly input: Hex;
  /** Empty for the outermost frame. */
  readonly traceAddress: readonly number[];
}

/** A contract while it runs: the argument of `does`. */
export class CallFrame {
  /** The contract that runs; in a delegatecall, the one whose storage and coins are used. */
  readonly self: Address;
  readonly caller: Address;
  readonly value: bigint;
  readonly input: Hex;
  readonly #execution: ExecutionContext;
  readonly #isStatic: boolean;
  readonly #traceAddress: readonly number[];
  #subTraces = 0;
  #gasUsed = 0;

  /** @internal */
  constructor(execution: ExecutionContext, frame: FrameContext) {
    this.self = frame.self;
    this.caller = frame.caller;
    this.value = frame.value;
    this.input = frame.input;
    this.#execution = execution;
    this.#isStatic = frame.isStatic ?? false;
    this.#traceAddress = frame.traceAddress;
  }

  /** The gas used so far: events, internal calls, and {@link useGas}. */
  get gasUsed(): number {
    return this.#gasUsed;
  }

  get balance(): bigint {
    return this.#execution.ledger.balance(this.self);
  }

  /** Uses gas for work that is not in the trace. */
  useGas(amount: number): void {
    this.#gasUsed += amount;
  }

  /**
   * Emits an event.
   *
   * @param topics up to four, each up to 32 bytes: `eventTopic("Deposit(address)")`, an address, a
   * number
   * @param data the arguments that are not indexed, ABI-encoded; default none
   */
  emit(topics: readonly (Hex | bigint | number)[], data: Hex = "0x"): void {
    if (!Array.isArray(topics))
      throw new TypeError(`emit: expected a list of topics, received ${classOf(topics)}`);
    this.#refuseStatic("emit an event");
    if (topics.length > 4) {
      refuse(`an event has at most 4 topics, received ${topics.length}`);
    }
    const log = { address: this.self, topics: topics.map(word), data: bytes(data) };
    this.#execution.logs.push(log);
    this.#gasUsed += logGas(log.topics.length, log.data);
  }

  /**
   * Calls a contract, or sends coins. Returns whether the call succeeded. A failed call undoes only
   * its own effects, and this contract continues.
   */
  call(message: CallMessage): boolean {
    const call = checked("frame.call", "call", message);
    const { to, value = 0n } = call;
    if (value !== 0n) {
      this.#refuseStatic("send coins");
    }
    return this.#enter("call", call, value, { self: to, caller: this.self, value }, (ledger) =>
      ledger.move(this.self, to, value),
    );
  }

  /** Runs another contract's code in this contract's place, with the same caller and value. */
  delegatecall(call: Omit<CallMessage, "value">): boolean {
    const message = checked("frame.delegatecall", "callWithoutValue", call);
    return this.#enter("delegatecall", message, this.value, this);
  }

  /** The predecessor of {@link delegatecall}, with this contract as caller. */
  callcode(message: CallMessage): boolean {
    const call = checked("frame.callcode", "call", message);
    const { value = 0n } = call;
    return this.#enter("callcode", call, value, { self: this.self, caller: this.self, value });
  }

  /**
   * Calls a contract that must not change state: it cannot emit events, send coins or create
   * contracts.
   */
  staticcall(message: Omit<CallMessage, "value">): boolean {
    const call = checked("frame.staticcall", "callWithoutValue", message);
    const callee = { self: call.to, caller: this.self, value: 0n, isStatic: true };
    return this.#enter("staticcall", call, 0n, callee);
  }

  /** Creates a contract. Returns its address, or null if the constructor failed. */
  create(creation: CreationMessage = {}): Address | null {
    const created = createAddress(this.self, this.#execution.ledger.nonce(this.self));
    return this.#create("create", created, checked("frame.create", "create", creation));
  }

  /**
   * Creates a contract at an address derived from salt and code. Returns null if the constructor
   * failed.
   */
  create2(creation: CreationMessage & { readonly salt: Hash | bigint | number }): Address | null {
    const message = checked("frame.create2", "create2", creation);
    const created = create2Address(this.self, word(message.salt), creationCode(message).input);
    return this.#create("create2", created, message);
  }

  /**
   * Sends all of the contract's coins to `heir`. Since the Cancun fork (EIP-6780), the contract
   * stays unless this transaction created it.
   */
  selfdestruct(heir: Address): void {
    this.#refuseStatic("selfdestruct");
    const value = this.balance;
    this.#record("selfdestruct", { to: address(heir), value, input: "0x" });
    applyChange(this.#execution, (ledger) => ledger.move(this.self, address(heir), value));
    this.#gasUsed += 5_000;
  }

  /**
   * Reverts this call and all its effects with this error, or with these bytes as its return data.
   */
  revert(reason = "execution reverted"): never {
    throw new Reverted(reason);
  }

  /** @internal Changes the ledger. */
  change(change: LedgerChange): void {
    this.#refuseStatic("change state");
    applyChange(this.#execution, change);
  }

  /** @internal */
  get ledger(): BuilderLedger {
    return this.#execution.ledger;
  }

  /**
   * @internal Runs `does`, then reverts if `fails` is set. In that case, ignores an impossible step
   * of `does`, because that step may be why the test expects a failure.
   */
  execute({ does, fails }: Pick<CallMessage, "does" | "fails">): void {
    try {
      const returned: unknown = does?.(this);
      if (returned instanceof Promise) refuseAsync(returned);
    } catch (error) {
      if (fails === undefined || !(error instanceof ImpossibleError)) {
        throw error;
      }
    }
    if (fails !== undefined) {
      this.revert(fails);
    }
  }

  #refuseStatic(action: string): void {
    if (this.#isStatic) {
      refuse(`${this.#execution.ledger.label(this.self)} cannot ${action} in a static call`);
    }
  }

  #record(
    type: FrameType,
    message: { to: Address | null; value: bigint; input: Hex },
  ): PendingFrame {
    const frame: PendingFrame = {
      ...message,
      traceAddress: [...this.#traceAddress, this.#subTraces],
      type,
      from: this.self,
      created: null,
      gasUsed: 0,
      error: null,
      undone: false,
      subTraces: 0,
    };
    this.#subTraces += 1;
    this.#execution.frames.push(frame);
    return frame;
  }

  /** Runs a frame below this one, and records its outcome and cost. */
  #runBelow(frame: PendingFrame, callee: CallContext, run: (inner: CallFrame) => void): void {
    const inner = new CallFrame(this.#execution, {
      isStatic: this.#isStatic,
      ...callee,
      input: frame.input,
      traceAddress: frame.traceAddress,
    });
    Object.assign(
      frame,
      executeReverting(this.#execution, () => run(inner)),
    );
    frame.undone ||= frame.error !== null;
    frame.subTraces = inner.#subTraces;
    frame.gasUsed = inner.#gasUsed;
    this.#gasUsed += inner.#gasUsed;
  }

  #enter(
    type: FrameType,
    call: Omit<CallMessage, "value">,
    value: bigint,
    callee: CallContext,
    before?: LedgerChange,
  ): boolean {
    const { to } = call;
    refuseMissingCode(this.#execution.ledger, to, call);
    const frame = this.#record(type, { to, value, input: call.input ?? "0x" });
    this.#gasUsed += callGas(movesValue(type) && value !== 0n);
    this.#runBelow(frame, callee, (inner) => {
      if (before) applyChange(this.#execution, before);
      inner.execute(call);
    });
    return frame.error === null;
  }

  #create(type: "create" | "create2", created: Address, creation: CreationMessage): Address | null {
    this.#refuseStatic("create a contract");
    const { runtime, input } = creationCode(creation);
    const { value = 0n } = creation;
    applyChange(this.#execution, (ledger) => {
      const nonce = ledger.useNonce(this.self);
      if (type === "create" && createAddress(this.self, nonce) !== created) {
        refuse(
          `${ledger.label(this.self)} cannot create ${created} any more: it has created other contracts since`,
        );
      }
    });
    const frame = this.#record(type, { to: null, value, input });
    this.#gasUsed += createGas(input);
    this.#runBelow(frame, { self: created, caller: this.self, value }, (inner) => {
      applyChange(this.#execution, (ledger) => ledger.move(this.self, created, value));
      inner.execute(creation);
      applyChange(this.#execution, (ledger) => ledger.deploy(created, runtime));
      inner.useGas(deploymentGas(runtime));
    });
    frame.created = frame.error === null ? created : null;
    return frame.created;
  }
}

/** Refuses an async `does`, because the transaction would end before it, and so lose its events. */
function refuseAsync(running: Promise<unknown>): never {
  running.catch(() => undefined);
  throw new TypeError(
    "does: expected a function without async, received one that returns a Promise",
  );
}
