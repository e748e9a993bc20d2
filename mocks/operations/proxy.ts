// Recognises proxies by their code: small forwarders that no Solidity source compiles to, and
// contracts that keep an implementation's address.
import type { Address, Hex } from "../chain/records.ts";
import type { ProxyContract } from "./verifier.ts";

/** Forwarders whose code contains the address they call. */
const forwarders: readonly (readonly [name: string, code: RegExp])[] = [
  ["an EIP-1167 clone", /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/],
  // Optimised clones push an address with leading zeros by fewer bytes.
  [
    "an EIP-1167 clone",
    /^363d3d373d3d3d363d(?:6[0-9a-f]|7[0-2])((?:[0-9a-f]{2}){1,19})5af43d82803e903d91602.57fd5bf3$/,
  ],
  ["a minimal proxy", /^3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3$/],
  ["a minimal proxy", /^365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3$/],
  ["a minimal proxy", /^363d3d373d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/],
  [
    "a minimal proxy",
    /^366000600037611000600036600073([0-9a-f]{40})5af4602c57600080fd5b6110006000f3$/,
  ],
  ["an account that delegates (EIP-7702), a proxy", /^ef0100([0-9a-f]{40})$/],
];

/** The storage slots of EIP-1967, which a proxy's code contains. */
const IMPLEMENTATION_SLOT = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const BEACON_SLOT = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/**
 * Pushes the selector of `implementation()`, by which a proxy asks its beacon. Recognises proxies
 * that keep the beacon's address in their code instead of the slot (OpenZeppelin 5).
 */
const BEACON_CALL = "635c60da1b";

/**
 * Returns the proxy that code belongs to. `announced` returns the latest implementation that an
 * event of the contract, or of its beacon, names.
 */
export function proxyIn(
  code: Hex,
  announced: (kind: "implementation" | "beacon") => Address | null,
): Omit<ProxyContract, "verified"> | undefined {
  const hex = code.slice(2).toLowerCase();
  for (const [kind, pattern] of forwarders) {
    const [, target] = pattern.exec(hex) ?? [];
    if (target !== undefined)
      return { kind, target: `0x${target.padStart(40, "0")}`, compiled: false };
  }
  // The code of a UUPS implementation contains the slot too, but only the proxy emits an event with
  // an implementation.
  const proxy = (kind: string, target: Address | null) =>
    target === null ? undefined : { kind, target, compiled: true };
  if (hex.includes(IMPLEMENTATION_SLOT))
    return proxy("an EIP-1967 proxy", announced("implementation"));
  if (hex.includes(BEACON_SLOT) || hex.includes(BEACON_CALL))
    return proxy("an EIP-1967 beacon proxy", announced("beacon"));
  return undefined;
}

/** "0x… is an EIP-1167 clone of 0x…, which is verified". */
export function describeProxy(address: Address, { kind, target, verified }: ProxyContract): string {
  return `${address} is ${kind} of ${target}, which is ${verified ? "verified" : "not verified"}`;
}
