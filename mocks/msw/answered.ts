// Which requests the service itself has answered: what its answers break, they break on purpose.

/** Ids are forgotten the oldest first, for nobody may ever ask for them. */
const most = 10_000;

const ids = new Set<string>();

/** Remembers MSW's id of a request. */
export function noteAnswered(requestId: string): void {
  ids.add(requestId);
  if (ids.size <= most) return;
  for (const oldest of ids) {
    ids.delete(oldest);
    return;
  }
}

export const wasAnswered = (requestId: string): boolean => ids.has(requestId);
