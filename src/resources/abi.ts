// Converts the service's ABI entries to the ABI type of viem and other EVM libraries.
import { ParameterError } from "../errors/index.ts";
import type { AbiEntry } from "../models/contract.ts";

/** An input or output of a function, or a member of a tuple. */
export interface AbiParameter {
  readonly type: string;
  readonly name?: string;
  readonly internalType?: string;
  /** The members of a tuple. */
  readonly components?: readonly AbiParameter[];
}

interface Callable<Type extends string, Mutability = "payable" | "nonpayable"> {
  readonly type: Type;
  readonly stateMutability: Mutability;
}

interface Named<Type extends string, Parameter = AbiParameter> {
  readonly type: Type;
  readonly name: string;
  readonly inputs: readonly Parameter[];
}

type Mutability = "pure" | "view" | "nonpayable" | "payable";

/** An ABI, compatible with viem's. */
export type Abi = readonly (
  | (Callable<"function", Mutability> &
      Named<"function"> & { readonly outputs: readonly AbiParameter[] })
  | (Callable<"constructor"> & { readonly inputs: readonly AbiParameter[] })
  | Callable<"fallback">
  | Callable<"receive", "payable">
  | (Named<"event", AbiParameter & { readonly indexed?: boolean }> & {
      readonly anonymous?: boolean;
    })
  | Named<"error">
)[];

/**
 * Converts the entries of `request("contracts.abi")`, or of `contract_abi` in `contracts.code`, to
 * an ABI for viem and other EVM libraries. Entries of old compilers get the `stateMutability` that
 * follows from `constant` and `payable`. Entries of unknown types are left out and, with
 * `validation: "lenient"`, entries with invalid parameters.
 *
 * @example
 * const { contract_abi } = await explorer.contracts.code(contract);
 * const abi = toAbi(contract_abi ?? []);
 */
export function toAbi(entries: readonly AbiEntry[]): Abi {
  if (!Array.isArray(entries)) {
    const issue = { path: ["entries"], expected: "a list of ABI entries", received: entries };
    throw new ParameterError("Invalid ABI", [issue]);
  }
  return entries.flatMap((entry: AbiEntry) => {
    const isReadable = [[entry], entry?.inputs, entry?.outputs].every(isObjectList);
    return (isReadable && convert(entry)) || [];
  });
}

/** Whether a value is a list of objects or missing. Lenient validation lets any value through. */
const isObjectList = (list: unknown): boolean =>
  (list ?? null) === null || (Array.isArray(list) && list.every((item) => item === Object(item)));

function convert({ type, name, inputs, outputs, ...more }: AbiEntry): Abi[number] | undefined {
  const isPayable = more.stateMutability === "payable" || more.payable === true;
  const shared = { name: name ?? "", inputs: parameters(inputs) };
  const stateMutability = isPayable ? "payable" : "nonpayable";
  switch (type) {
    case "function": {
      // Compilers before 0.4.16 wrote `constant` and `payable` only.
      const unstated = more.constant ? "view" : more.payable ? "payable" : "nonpayable";
      const stated = MUTABILITIES.find((mutability) => mutability === more.stateMutability);
      const outputList = parameters(outputs);
      return { type, ...shared, outputs: outputList, stateMutability: stated ?? unstated };
    }
    case "constructor":
      return { type, inputs: shared.inputs, stateMutability };
    case "fallback":
      return { type, stateMutability };
    case "receive":
      return { type, stateMutability: "payable" };
    case "event": {
      const isAnonymous = "anonymous" in more && more.anonymous === true;
      return { type, ...shared, ...(isAnonymous && { anonymous: true }) };
    }
    case "error":
      return { type, ...shared };
    default:
      return undefined;
  }
}

const MUTABILITIES: readonly Mutability[] = ["pure", "view", "nonpayable", "payable"];

/** Names unnamed parameters "", and keeps other fields: components, indexed, internalType. */
const parameters = (list: AbiEntry["inputs"]): readonly AbiParameter[] =>
  (list ?? []).map(({ name, ...rest }) => ({ ...rest, name: name ?? "" }));
