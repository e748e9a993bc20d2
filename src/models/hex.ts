// Hexadecimal text: the one check of addresses, hashes and bytes, for client and service.

/**
 * With `*` and the length apart, this takes half the time of `{40}` or `{64}`, and of a loop over a
 * table.
 */
const HEX = /^0x[0-9a-fA-F]*$/;

/** Whether a text is 0x and `digits` hexadecimal digits, or any even number of them. */
export const isHex = (text: string, digits?: number): text is `0x${string}` =>
  (digits === undefined ? text.length % 2 === 0 : text.length === digits + 2) && HEX.test(text);

/** Whether a value has the form of an address: 0x and 40 hexadecimal digits, with any checksum. */
export const isAddress = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && isHex(value, 40);

/**
 * Whether a value is the hash of a transaction or a block, or a topic: 0x and 64 hexadecimal
 * digits.
 *
 * @example
 * const hash: string = (await explorer.accounts.transactions(address, { limit: 1
 * })).data[0]?.transaction_hash ?? "";
 * if (isHash(hash)) console.log(await explorer.transactions.status(hash));
 */
export const isHash = (value: unknown): value is `0x${string}` =>
  typeof value === "string" && isHex(value, 64);

/** An address in upper and lower case: its case is a checksum. */
const CHECKSUMMED = /^0x(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/;

/** Whether a text is an address whose case is a checksum, right or wrong. */
export const hasChecksum = (text: string): text is `0x${string}` => CHECKSUMMED.test(text);
