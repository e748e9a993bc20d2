// What the builder refuses: a story that no chain could have lived through.

/**
 * Thrown when a story cannot have happened: an account that pays more than it has, a token that is moved by somebody who does not hold it,
 * a block older than its parent. The message names who, what it has and what it needs. Nothing has changed when it is thrown.
 */
export class ImpossibleError extends Error {
  override readonly name = "ImpossibleError";
}

export function refuse(reason: string): never {
  throw new ImpossibleError(reason);
}
