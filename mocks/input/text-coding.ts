// UTF-8 and other encodings of the platform, with advice where a test environment hides them.

function refuse(): never {
  throw new Error(
    "mrc-explorer/mocks: this environment has neither TextEncoder nor TextDecoder, as jest-environment-jsdom. Use jest-fixed-jsdom, which keeps those of Node: see Component tests in docs/testing.md",
  );
}

/** Throws an Error with advice where a test environment hides TextEncoder and TextDecoder. */
export function assertTextCoding(): void {
  if (typeof TextEncoder !== "function" || typeof TextDecoder !== "function") refuse();
}

// Checks when this module loads, because ox creates an encoder when it loads.
assertTextCoding();

/** Throws an Error with advice where there is no TextEncoder. */
export const createEncoder = (): TextEncoder =>
  typeof TextEncoder === "function" ? new TextEncoder() : refuse();

/** Throws an Error with advice where there is no TextDecoder. */
export const createDecoder = (label: string, options?: TextDecoderOptions): TextDecoder =>
  typeof TextDecoder === "function" ? new TextDecoder(label, options) : refuse();
