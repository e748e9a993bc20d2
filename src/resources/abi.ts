// Converts the service's ABI entries to the ABI type of viem and other EVM libraries.
import type { AbiEntry } from "../models/contract.ts";

/** How a function uses the chain's state. */
export type AbiStateMutability = "pure" | "view" | "nonpayable" | "payable";

/** An input or output. */
export interface AbiParameter {
  readonly type: string;
  readonly name?: string;
  readonly internalType?: string;
  /** The members of a tuple. */
  readonly components?: readonly AbiParameter[];
}

/** A function. */
export interface AbiFunction {
  readonly type: "function";
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly stateMutability: AbiStateMutability;
}

/** The constructor. */
export interface AbiConstructor {
  readonly type: "constructor";
  readonly inputs: readonly AbiParameter[];
  readonly stateMutability: "payable" | "nonpayable";
}

/** The function for calls that match no other. */
export interface AbiFallback {
  readonly type: "fallback";
  readonly stateMutability: "payable" | "nonpayable";
}

/** The function for transfers without call data. */
export interface AbiReceive {
  readonly type: "receive";
  readonly stateMutability: "payable";
}

/** An event. */
export interface AbiEvent {
  readonly type: "event";
  readonly name: string;
  readonly inputs: readonly (AbiParameter & { readonly indexed?: boolean })[];
  readonly anonymous?: boolean;
}

/** An error a call reverts with. */
export interface AbiError {
  readonly type: "error";
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
}

/** An ABI, compatible with viem's. */
export type Abi = readonly (
  | AbiFunction
  | AbiConstructor
  | AbiFallback
  | AbiReceive
  | AbiEvent
  | AbiError
)[];

/**
 * Converts the entries of C1, or of `contract_abi` in C2, to an ABI for viem and other EVM
 * libraries. Entries of old compilers get the `stateMutability` that follows from `constant` and
 * `payable`. It omits entries of unknown types, and entries with invalid parameters (`validation:
 * "lenient"`).
 *
 * @example
 * const { contract_abi } = await explorer.contracts.code(contract);
 * const abi = toAbi(contract_abi ?? []);
 */
export function toAbi(entries: readonly AbiEntry[]): Abi {
  return entries.flatMap((entry) => {
    const cachedAbi =
      isObjectList([entry]) && isObjectList(entry.inputs) && isObjectList(entry.outputs);
    return (cachedAbi && convert(entry)) || [];
  });
}

/** Whether a value is a list of objects, or missing: with lenient validation it may be anything. */
const isObjectList = (list: unknown): boolean =>
  (list ?? null) === null ||
  (Array.isArray(list) && list.every((one) => typeof one === "object" && one !== null));

function convert({ type, name, inputs, outputs, ...more }: AbiEntry): Abi[number] | undefined {
  const payable = more.stateMutability === "payable" || more.payable === true;
  const shared = { name: name ?? "", inputs: parameters(inputs) };
  const payability = payable ? "payable" : "nonpayable";
  switch (type) {
    case "function":
      return { type, ...shared, outputs: parameters(outputs), stateMutability: mutability(more) };
    case "constructor":
      return { type, inputs: shared.inputs, stateMutability: payability };
    case "fallback":
      return { type, stateMutability: payability };
    case "receive":
      return { type, stateMutability: "payable" };
    case "event":
      return "anonymous" in more && more.anonymous === true
        ? { type, ...shared, anonymous: true }
        : { type, ...shared };
    case "error":
      return { type, ...shared };
    default:
      return undefined;
  }
}

const MUTABILITIES: readonly AbiStateMutability[] = ["pure", "view", "nonpayable", "payable"];

/** Compilers before 0.4.16 wrote `constant` and `payable` only. */
function mutability({
  stateMutability,
  constant,
  payable,
}: Pick<AbiEntry, "stateMutability" | "constant" | "payable">): AbiStateMutability {
  const stated = MUTABILITIES.find((one) => one === stateMutability);
  return stated ?? (constant ? "view" : payable ? "payable" : "nonpayable");
}

/** Other fields of the compiler (components, indexed, internalType) are kept. */
const parameters = (list: AbiEntry["inputs"]): readonly AbiParameter[] =>
  (list ?? []).map(({ name, ...rest }) => ({ ...rest, name: name ?? "" }));
