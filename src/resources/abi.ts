// ABIs as the EVM's TypeScript libraries take them: the service's entries without its nulls, typed by what they are.
import type { AbiEntry } from "../models/contract.ts";

/** What a function does to the chain. */
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

/** What answers calls of no function. */
export interface AbiFallback {
  readonly type: "fallback";
  readonly stateMutability: "payable" | "nonpayable";
}

/** What takes coins sent without call data. */
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

/** An ABI; viem's functions take it as theirs. */
export type Abi = readonly (
  | AbiFunction
  | AbiConstructor
  | AbiFallback
  | AbiReceive
  | AbiEvent
  | AbiError
)[];

/**
 * The entries of C1, or of `contract_abi` in C2, as an ABI for viem and its like. Entries of old compilers get the
 * `stateMutability` that their `constant` and `payable` say. Entries of a type the ABI specification does not know are left out,
 * and those whose parameters cannot be read (`validation: "lenient"`).
 *
 * @example
 * const { contract_abi } = await explorer.contracts.code(contract);
 * const abi = toAbi(contract_abi ?? []);
 */
export function toAbi(entries: readonly AbiEntry[]): Abi {
  return entries.flatMap((entry) => {
    const known = readable([entry]) && readable(entry.inputs) && readable(entry.outputs);
    return (known && named(entry)) || [];
  });
}

/** Whether it is a list of objects, or none: with lenient validation it may be anything. */
const readable = (list: unknown): boolean =>
  (list ?? null) === null ||
  (Array.isArray(list) && list.every((one) => typeof one === "object" && one !== null));

function named({ type, name, inputs, outputs, ...more }: AbiEntry): Abi[number] | undefined {
  const payable = more.stateMutability === "payable" || more.payable === true;
  const called = { name: name ?? "", inputs: parameters(inputs) };
  const paid = payable ? "payable" : "nonpayable";
  switch (type) {
    case "function":
      return { type, ...called, outputs: parameters(outputs), stateMutability: mutability(more) };
    case "constructor":
      return { type, inputs: called.inputs, stateMutability: paid };
    case "fallback":
      return { type, stateMutability: paid };
    case "receive":
      return { type, stateMutability: "payable" };
    case "event":
      return "anonymous" in more && more.anonymous === true
        ? { type, ...called, anonymous: true }
        : { type, ...called };
    case "error":
      return { type, ...called };
    default:
      return undefined;
  }
}

const MUTABILITIES: readonly AbiStateMutability[] = ["pure", "view", "nonpayable", "payable"];

/** Compilers before 0.4.16 said `constant` and `payable` only. */
function mutability({
  stateMutability,
  constant,
  payable,
}: Pick<AbiEntry, "stateMutability" | "constant" | "payable">): AbiStateMutability {
  const said = MUTABILITIES.find((one) => one === stateMutability);
  return said ?? (constant ? "view" : payable ? "payable" : "nonpayable");
}

/** What a compiler writes beside name and type (components, indexed, internalType) comes along as it is. */
const parameters = (list: AbiEntry["inputs"]): readonly AbiParameter[] =>
  (list ?? []).map(({ name, ...rest }) => ({ ...rest, name: name ?? "" }));
