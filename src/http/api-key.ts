// Where the api-key comes from, and that nobody else sees it.
import { ParameterError } from "../errors/index.ts";
import { redactor, sanitizeError } from "../errors/redact.ts";

/** The key, or what fetches it: asked before each request, once for requests that start together. */
export type ApiKey = string | (() => string | Promise<string>);

const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Refuses a key no header can hold, without showing it. */
function checked(key: unknown): string {
  if (typeof key === "string" && HEADER_VALUE.test(key)) return key;
  throw new ParameterError("The api-key cannot be used", [
    {
      path: ["apiKey"],
      expected: "a non-empty string of printable ASCII, or a function that gives one",
      received: typeof key === "string" ? `${key.length} characters` : typeof key,
    },
  ]);
}

/** Gives the key to one attempt, which lasts until the signal ends it. */
export type ApiKeyProvider = (attempt: AbortSignal) => Promise<string>;

/** A function that gives the key; requests that ask while an answer is awaited share it. */
export function createApiKeyProvider(apiKey: ApiKey): ApiKeyProvider {
  if (typeof apiKey !== "function") {
    const key = checked(apiKey);
    return async () => key;
  }
  const ask = async () => {
    try {
      return checked(await apiKey());
    } catch (error) {
      if (error instanceof ParameterError) throw error;
      throw new ParameterError("The api-key could not be had", [
        {
          path: ["apiKey"],
          expected: "a function that gives the key",
          received: sanitizeError(error, redactor(undefined)).message,
        },
      ]);
    }
  };
  let pending: Promise<string> | undefined;
  return (attempt) => {
    pending ??= ask();
    const asked = pending;
    const forget = () => {
      if (pending === asked) pending = undefined;
    };
    asked.then(forget, forget);
    // One that never comes must not be waited for again.
    attempt.addEventListener("abort", forget, { once: true });
    return asked;
  };
}

/** Refuses headers no request can carry, and `api-key`: a second source would be a way around keeping it secret. */
export function refuseKeyHeader(headers: Readonly<Record<string, string>> | undefined): void {
  const refuse = (expected: string) =>
    new ParameterError("The headers cannot be sent", [
      { path: ["headers"], expected, received: undefined },
    ]);
  let sent: Headers;
  try {
    sent = new Headers(headers);
  } catch {
    throw refuse("names and values that HTTP allows");
  }
  if (sent.has("api-key")) throw refuse("no api-key among them: it is the client's option apiKey");
}
