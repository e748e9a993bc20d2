// Requests to the page's own origin outside the API: in time, or an error that says what is wrong.

const timeoutMs = 10_000;

/** `fetch` with a limit, and with errors in words. */
export const fetchInTime: typeof fetch = async (input, init) => {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return await fetch(input, { ...init, signal });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new Error(
      timeout.aborted
        ? `No response within ${timeoutMs / 1000} s`
        : "The service does not respond. Is it still running?",
    );
  }
};
