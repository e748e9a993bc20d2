// The execution of one transaction: its frames, logs and changes, and how a revert undoes them.
import { isHex } from "../../src/models/hex.ts";
import type { Address, Frame, Hex, Log } from "../chain/records.ts";
import { refuse } from "./evm.ts";
import type { BuilderLedger } from "./ledger.ts";

type Mutable<Item> = { -readonly [Field in keyof Item]: Item[Field] };

/** A frame before its transaction is in a block. */
export type PendingFrame = Mutable<Omit<Frame, "transaction" | "gasLimit" | "gasUsed">> & {
  gasUsed: number;
};

/** A log before its transaction is in a block. */
export type PendingLog = Pick<Log, "address" | "data" | "topics">;

/**
 * A change of the ledger. Runs again when the transaction is mined, because transactions may be
 * mined in another order. Throws if the change is no longer possible.
 */
export type LedgerChange = (ledger: BuilderLedger) => void;

/** The records and changes of a transaction so far. */
export interface ExecutionContext {
  readonly ledger: BuilderLedger;
  readonly frames: PendingFrame[];
  readonly logs: PendingLog[];
  readonly changes: LedgerChange[];
}

/** Thrown to revert the running frame. */
export class Reverted extends Error {
  override readonly name = "Reverted";
  readonly output: Hex | undefined;

  /** @param reason a text, or the bytes that the frame returns */
  constructor(reason: string) {
    const isBytes = isHex(reason);
    super(isBytes ? "execution reverted" : reason);
    this.output = isBytes && reason.length > 2 ? (reason.toLowerCase() as Hex) : undefined;
  }
}

/**
 * Runs `body`, and returns its error, if any. A revert undoes its changes and logs, but keeps its
 * frames, because a trace shows failed calls, too.
 */
export function executeReverting(
  context: ExecutionContext,
  body: () => void,
): Pick<Frame, "error" | "output"> {
  const { ledger, frames, logs, changes } = context;
  const before = {
    ledger: ledger.checkpoint(),
    frames: frames.length,
    logs: logs.length,
    changes: changes.length,
  };
  try {
    body();
    return { error: null };
  } catch (error) {
    if (!(error instanceof Reverted)) {
      throw error;
    }
    ledger.revertTo(before.ledger);
    for (const frame of frames.slice(before.frames)) {
      frame.undone = true;
    }
    logs.length = before.logs;
    changes.length = before.changes;
    return { error: error.message, output: error.output };
  }
}

/** Makes a change now, and keeps it to run again when the transaction is mined. */
export function applyChange({ ledger, changes }: ExecutionContext, change: LedgerChange): void {
  change(ledger);
  changes.push(change);
}

/** Refuses `does` for an account without code, because a call of such an account runs nothing. */
export function refuseMissingCode(
  ledger: BuilderLedger,
  to: Address,
  call: { readonly does?: unknown },
): void {
  if (call.does !== undefined && ledger.code(to) === "0x") {
    refuse(
      `${ledger.label(to)} has no code, so it does nothing when it is called: deploy it first`,
    );
  }
}
