// What an error says, for messages that quote it.

/** The message of an error, or whatever else was thrown, as a text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
