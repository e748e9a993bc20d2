// The error for what no chain allows.

/**
 * Thrown for calls that no chain allows: an account that spends more than it has, a token moved by someone who does not hold it, a block older than
 * its parent. The message names the account, what it has and what it needs. Nothing has changed when it is thrown.
 */
export class ImpossibleError extends Error {
  override readonly name = "ImpossibleError";
}

export function refuse(reason: string): never {
  throw new ImpossibleError(reason);
}
