// Identifies a project's contract by its creation code; reads libraries and constructor arguments.
import type { Address } from "../../../src/models/primitives.ts";
import type { ProjectContract } from "./build-info.ts";

const ADDRESS_DIGITS = 40;

/** Placeholder of a library's address in code: `__$…$__`, or `__File:Name___` before 0.5. */
const PLACEHOLDER = /__.{38}/g;

/** Also matches the hash in metadata, which depends on comments and on all library addresses. */
const PLACEHOLDER_OR_HASH = /__.{38}|(?<=6970667358221220|65627a7a723[01]5820).{64}/g;

export interface Identified {
  readonly contract: ProjectContract;
  /** Hexadecimal without 0x. */
  readonly constructorArguments: string;
  readonly libraries: readonly { readonly name: string; readonly address: Address }[];
}

/**
 * Whether a creation begins with compiled code. Ignores the parts of that code that match `free`.
 */
function beginsWith(creation: string, compiled: string, free: RegExp): boolean {
  let position = 0;
  for (const { 0: part, index } of compiled.matchAll(free)) {
    if (!creation.startsWith(compiled.slice(position, index), position)) return false;
    position = index + part.length;
  }
  return creation.length >= position && creation.startsWith(compiled.slice(position), position);
}

/**
 * Finds the contract that a creating input (code and constructor arguments) belongs to. If `hashes`
 * is "any", the hash in the metadata may differ.
 */
export function identify(
  creation: string,
  contracts: readonly ProjectContract[],
  hashes: "equal" | "any" = "equal",
): Identified | undefined {
  const free = hashes === "any" ? PLACEHOLDER_OR_HASH : PLACEHOLDER;
  const code = creation.replace(/^0x/, "").toLowerCase();
  const [contract] = contracts
    .filter(({ creation: compiled }) => beginsWith(code, compiled, free))
    .sort((left, right) => right.creation.length - left.creation.length);
  if (contract === undefined) return undefined;
  return {
    contract,
    constructorArguments: code.slice(contract.creation.length),
    libraries: [
      ...contract.linked,
      ...contract.libraries.map(({ name, start }) => ({
        name,
        address: `0x${code.slice(2 * start, 2 * start + ADDRESS_DIGITS)}` as Address,
      })),
    ],
  };
}
