// Which answers can no longer change: the one place that says what may be kept.
import type { OperationId } from "./index.ts";
import type { AnyOperation } from "./operation.ts";

/**
 * When the answer of an operation is final:
 *
 * - `verified`: as soon as it is a success, for a verified contract stays what it is (C1, C2);
 * - `transaction`: when the transaction it is about lies under enough blocks, so that no reorganisation reaches it (X1 to X3);
 * - `block`: when the block it is about does (B1).
 *
 * All other answers change with the chain's head, and are never kept.
 */
export type Finality = "verified" | "transaction" | "block";

const finality: Readonly<Record<string, Finality>> = {
  C1: "verified",
  C2: "verified",
  X1: "transaction",
  X2: "transaction",
  X3: "transaction",
  B1: "block",
} satisfies Partial<Record<OperationId, Finality>>;

/** When the answers of an operation are final; undefined where they never are. */
export const finalityOf = ({ id }: AnyOperation): Finality | undefined =>
  Object.hasOwn(finality, id) ? finality[id] : undefined;

/** Blocks on top of a block after which it is taken to stay: twice the deepest reorganisation Ethereum's finality allows. */
export const usualConfirmations = 128;

/** What is known of the chain from the answers so far. */
export interface KnownChain {
  /** The highest block that was seen. */
  readonly head: bigint;
  /** The block of a transaction, if it was seen. */
  blockOf(transaction: string): bigint | undefined;
}

/** Whether a successful answer to this input, as it travels, is final. */
export function isFinal(
  operation: AnyOperation,
  wire: Readonly<Record<string, unknown>>,
  known: KnownChain,
  confirmations: number,
): boolean {
  const deepEnough = (block: bigint | undefined): boolean =>
    block !== undefined && block + BigInt(confirmations) <= known.head;
  switch (finalityOf(operation)) {
    case "verified":
      return true;
    case "transaction":
      return deepEnough(known.blockOf(String(wire.transaction_hash).toLowerCase()));
    case "block":
      return deepEnough(BigInt(String(wire.block_number)));
    default:
      return false;
  }
}
