// Checks hexadecimal text: addresses, hashes and bytes, for client and service.

/** Does not check the length, because that takes half the time of `{40}` or `{64}`. */
const HEX = /^0x[0-9a-fA-F]*$/;

/** Whether a text is 0x and hexadecimal digits: `digits` of them, or by default an even number. */
export const isHex = (text: string, digits?: number): text is `0x${string}` =>
  (digits === undefined ? text.length % 2 === 0 : text.length === digits + 2) && HEX.test(text);

/** Whether a value has the form of an address: 0x and 40 hexadecimal digits, with any checksum. */
export const isAddress = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && isHex(value, 40);

/**
 * Whether a value has the form of a hash or a topic: 0x and 64 hexadecimal digits.
 *
 * @example
 * const text: string = hash;
 * if (isHash(text)) console.log(await explorer.transactions.status(text));
 */
export const isHash = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && isHex(value, 64);

/** Matches an address in mixed case, which has a checksum. */
const CHECKSUMMED = /^0x(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/;

/** Whether a text is an address with a checksum, valid or not. */
export const hasChecksum = (text: string): text is `0x${string}` => CHECKSUMMED.test(text);
