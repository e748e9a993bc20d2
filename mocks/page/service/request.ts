// What `/inspect` and `/admin` share: a request to the page's own origin, and the error in its envelope.

/** A refusal, with what the service says. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const timeoutMs = 10_000;

interface Init {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** The JSON of a response. */
export async function requestJson(path: string, init: Init): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await fetch(path, { ...init, signal }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new Error(
      timeout.aborted
        ? `No response within ${timeoutMs / 1000} s`
        : "The service does not respond. Is it still running?",
    );
  });
  const json: unknown = await response.json().catch(() => undefined);
  if (response.ok) return json;
  const { message } = Object(json);
  throw new RefusedError(response.status, `${message ?? response.statusText} (${response.status})`);
}
