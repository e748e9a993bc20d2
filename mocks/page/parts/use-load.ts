// Loads what a component shows: once, when what it depends on changes, and again when asked.
import { useEffect, useState } from "preact/hooks";

export interface Loading<T> {
  /** The last value, also while a newer one loads or could not be loaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
): Loading<T> {
  const [state, setState] = useState<{ value?: T | undefined; error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // Called in a promise: what it throws at once is an error like any other.
    Promise.resolve()
      .then(() => load(signal))
      .then(
        (value) => signal.aborted || setState({ value }),
        (error: unknown) => signal.aborted || setState(({ value }) => ({ value, error })),
      );
    return () => controller.abort();
  }, [...dependencies, attempt]);
  return {
    value: state.value,
    error: state.error,
    retry() {
      setState(({ value }) => ({ value }));
      setAttempt((count) => count + 1);
    },
  };
}
