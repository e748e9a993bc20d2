// Checks addresses that users type: their form, and the checksum in their mixed case (EIP-55).
import { ParameterError } from "../errors/index.ts";
import { isAddress as hasAddressForm } from "../models/hex.ts";
import { checksumAddress as toChecksum } from "../models/keccak.ts";
import type { Address } from "../models/primitives.ts";

/** How `isAddress` checks. */
export interface AddressCheck {
  /**
   * Whether mixed case must be a valid checksum. `false` checks only the form.
   *
   * @default true
   */
  readonly strict?: boolean | undefined;
}

/**
 * Returns whether a value is an address: 0x and 40 hexadecimal digits, in lower case or with a
 * valid checksum, as in viem. Ignores a second argument that is not an object, so that
 * `values.every(isAddress)` works.
 *
 * @example
 * const address = new URLSearchParams("?address=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266").get("address");
 * if (isAddress(address)) console.log(await explorer.accounts.balance(address));
 */
export function isValidAddress(value: unknown, options?: AddressCheck | number): value is Address {
  if (!hasAddressForm(value)) return false;
  const isStrict = Object(options).strict !== false;
  return !isStrict || value === value.toLowerCase() || value === toChecksum(value);
}

/**
 * Returns an address in the mixed case that is its checksum (EIP-55).
 *
 * @throws {@link ParameterError} if the value is not an address; its checksum may be invalid.
 * @example
 * checksumAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
 * // "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
 */
export function checkedChecksum(address: Address): Address {
  if (hasAddressForm(address)) return toChecksum(address);
  const expected = "an address (0x and 40 hexadecimal digits)";
  throw new ParameterError("Invalid address", [{ path: ["address"], expected, received: address }]);
}
