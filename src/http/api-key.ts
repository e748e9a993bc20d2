// The API key: checked, fetched and kept secret.
import { ParameterError } from "../errors/index.ts";
import { redactor, sanitizeError } from "../errors/redact.ts";

/**
 * The API key, or a function that returns it. The function is called before each attempt; attempts that start together share one call.
 *
 * @example
 * new ExplorerClient({ apiKey: async () => (await readFile("api-key.txt", "utf8")).trim() });
 */
export type ApiKey = string | (() => string | Promise<string>);

const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Rejects a key that no header can hold, without showing it. */
function checked(key: unknown): string {
  if (typeof key === "string" && HEADER_VALUE.test(key)) return key;
  throw new ParameterError("Invalid API key", [
    {
      path: ["apiKey"],
      expected: "a non-empty string of printable ASCII, or a function that returns one",
      received: typeof key === "string" ? `${key.length} characters` : typeof key,
    },
  ]);
}

/** Returns the key for one attempt, which ends when the signal aborts. */
export type ApiKeyProvider = (attempt: AbortSignal) => Promise<string>;

/** Attempts that need the key while it is being fetched share one call. */
export function createApiKeyProvider(apiKey: ApiKey): ApiKeyProvider {
  if (typeof apiKey !== "function") {
    const key = checked(apiKey);
    return async () => key;
  }
  const load = async () => {
    try {
      return checked(await apiKey());
    } catch (error) {
      if (error instanceof ParameterError) throw error;
      throw new ParameterError("Could not obtain the API key", [
        {
          path: ["apiKey"],
          expected: "a function that returns the key",
          received: sanitizeError(error, redactor(undefined)).message,
        },
      ]);
    }
  };
  let pending: Promise<string> | undefined;
  return (attempt) => {
    pending ??= load();
    const current = pending;
    const forget = () => {
      if (pending === current) pending = undefined;
    };
    current.then(forget, forget);
    // The next attempt must not wait for a call that never settles.
    attempt.addEventListener("abort", forget, { once: true });
    return current;
  };
}

/** Rejects invalid headers, and `api-key`, which would escape redaction. */
export function checkHeaders(headers: Readonly<Record<string, string>> | undefined): void {
  const invalid = (expected: string) =>
    new ParameterError("Invalid headers", [{ path: ["headers"], expected, received: undefined }]);
  let checkedHeaders: Headers;
  try {
    checkedHeaders = new Headers(headers);
  } catch {
    throw invalid("valid HTTP header names and values");
  }
  if (checkedHeaders.has("api-key"))
    throw invalid("headers without api-key: set the client's option apiKey");
}
