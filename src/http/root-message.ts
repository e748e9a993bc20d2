// Why a fetch failed: the message of the innermost cause, which the error of fetch itself lacks.

export function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootMessage(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
