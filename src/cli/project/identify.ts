// Identifies the contract of a project by its creation code, and reads its libraries and constructor arguments from it.
import type { Address } from "../../models/primitives.ts";
import type { ProjectContract } from "./build-info.ts";

/** Hexadecimal digits of an address. */
const ADDRESS_DIGITS = 40;

/** A library's place in compiled code: `__$…$__`, or `__File:Name___` before 0.5. */
const placeholder = /__.{38}/g;

export interface Identified {
  readonly contract: ProjectContract;
  /** Hexadecimal without 0x. */
  readonly constructorArguments: string;
  readonly libraries: readonly { readonly name: string; readonly address: Address }[];
}

/** Whether the creation begins with the compiled code, whatever addresses it was linked with. */
function beginsWith(creation: string, compiled: string): boolean {
  if (creation.length < compiled.length) return false;
  let position = 0;
  for (const part of compiled.split(placeholder)) {
    if (!creation.startsWith(part, position)) return false;
    position += part.length + ADDRESS_DIGITS;
  }
  return true;
}

/** Undefined if none of the contracts was created so. `creation`: the creating input, with arguments. */
export function identify(
  creation: string,
  contracts: readonly ProjectContract[],
): Identified | undefined {
  const code = creation.replace(/^0x/, "").toLowerCase();
  const [contract] = contracts
    .filter((one) => beginsWith(code, one.creation))
    .sort((one, other) => other.creation.length - one.creation.length);
  if (contract === undefined) return undefined;
  return {
    contract,
    constructorArguments: code.slice(contract.creation.length),
    libraries: contract.libraries.map(({ name, start }) => ({
      name,
      address: `0x${code.slice(2 * start, 2 * start + ADDRESS_DIGITS)}` as Address,
    })),
  };
}
