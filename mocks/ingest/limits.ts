// Limits of texts from nodes and folders: anyone may deploy a token with a name of megabytes.

/** Characters of a token's name or symbol. */
export const MAX_NAME_LENGTH = 256;
/** Characters of a token URI. */
export const MAX_URI = 2 ** 14;
/** Characters of an error's text, such as the reason of a revert. */
export const MAX_REASON = 2 ** 12;
/** Bytes that a failed frame returned. */
export const MAX_OUTPUT = 2 ** 14;
/** Bytes of a contract's code. Metadium allows 253,952. */
export const MAX_CODE = 2 ** 20;
/** Bytes of what a call returned: a token URI, encoded. No character has more than four bytes. */
export const MAX_RESULT = 4 * MAX_URI + 64;
/** Characters of the source of a contract. */
export const MAX_SOURCE = 2 ** 22;

/** Stands in place of the rest of a text. */
const MARK = "…";

/** A text with at most this many characters, and a mark if it was longer. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}${MARK}`;
