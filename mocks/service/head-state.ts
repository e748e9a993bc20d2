// Waits until a chain that follows a node has the state that a request reads.
import { type HeadQuestion, HeadStateUnavailable, type LiveChain } from "../chain/live-chain.ts";
import { isTimeout, timeLimited } from "../message/event-loop.ts";

/**
 * Fetches the state that `question` needs, and then runs `read`. Stops fetching after `patienceMs`;
 * without a limit, fetches all of the state.
 *
 * @returns what `read` returned, and whether the node lacks some of the state
 */
export async function withHeadState<Result>(
  live: LiveChain,
  question: HeadQuestion,
  patienceMs: number | undefined,
  read: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly isIncomplete: boolean }> {
  const until = performance.now() + (patienceMs ?? 0);
  let hasGivenUp = patienceMs !== undefined && live.status().state === "failing";
  const fetchNext = () => (hasGivenUp ? undefined : question.fetch());
  for (let pending = fetchNext(); pending; pending = fetchNext()) {
    const limited =
      patienceMs === undefined ? pending : timeLimited(pending, until - performance.now());
    await limited.catch((error: unknown) => {
      const isLate = error instanceof HeadStateUnavailable || isTimeout(error);
      if (patienceMs === undefined || !isLate) throw error;
      hasGivenUp = true;
    });
  }
  // Nothing may run between the last fetch and this call, so that the answer describes a single
  // head.
  const result = await read();
  return { result, isIncomplete: hasGivenUp || question.incomplete };
}
