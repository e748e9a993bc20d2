// Checks, fetches and hides the API key.
import { ParameterError } from "../errors/index.ts";
import { lazyRedactor, type Redact, sanitizeError, unredacted } from "../errors/redact.ts";
import { describedIssue } from "../models/mismatch.ts";
import { canSharePromises } from "./rate-limiter.ts";

/**
 * The API key, or a function that returns it. The function is called before each attempt; attempts
 * that start together share one call.
 *
 * @example
 * new ExplorerClient({ apiKey: async () => (await readFile("api-key.txt", "utf8")).trim() });
 */
export type ApiKey = string | (() => string | Promise<string>);

/** The form of a header value: https://www.rfc-editor.org/rfc/rfc9110#name-field-values */
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Describes an invalid key without showing it. */
function flawOf(key: unknown): string {
  if (typeof key !== "string")
    return key === undefined ? "nothing" : `a value of type ${typeof key}`;
  if (key.trim() === "") return "an empty text";
  if (/[\r\n]/.test(key.trim())) return `a line break among ${key.length} characters`;
  if (key.trim() !== key) return `${key.length} characters with white space around them`;
  return `${key.length} characters, some of them outside printable ASCII`;
}

/** Refuses a key that does not fit into a header, without showing it. */
export function checkedKey(key: unknown): string {
  if (typeof key === "string" && HEADER_VALUE.test(key)) return key;
  const expected =
    "one or more characters of printable ASCII on one line, or a function that returns them";
  throw new ParameterError("Invalid API key", [describedIssue(["apiKey"], expected, flawOf(key))]);
}

/** A checked key, and a function that removes it from texts. */
interface Secret {
  /** Undefined if the explorer needs no key. */
  readonly value: string | undefined;
  readonly redact: Redact;
}

/** Returns the key for one attempt; `attempt` aborts when that attempt ends. */
export type ApiKeyProvider = (attempt: AbortSignal) => Promise<Secret>;

/** Creates a provider whose attempts share one call of the key function while it runs. */
export function createApiKeyProvider(apiKey: ApiKey): ApiKeyProvider {
  const secretOf = (key: unknown): Secret => {
    const value = checkedKey(key);
    return { value, redact: lazyRedactor(value) };
  };
  if (typeof apiKey !== "function") {
    const secret = secretOf(apiKey);
    return async () => secret;
  }
  const load = async () => {
    try {
      return secretOf(await apiKey());
    } catch (error) {
      if (error instanceof ParameterError) throw error;
      const { message } = sanitizeError(error, unredacted);
      throw new ParameterError("Could not obtain the API key", [
        describedIssue(["apiKey"], "a function that returns the key", `the error: ${message}`),
      ]);
    }
  };
  let pending: Promise<Secret> | undefined;
  return (attempt) => {
    if (!canSharePromises()) return load();
    pending ??= load();
    const current = pending;
    const forget = () => {
      if (pending === current) pending = undefined;
    };
    current.then(forget, forget);
    // The next attempt must not wait for a call that never settles.
    attempt.addEventListener("abort", forget);
    return current;
  };
}

/**
 * Returns headers with lower-case names. Refuses invalid headers, and `api-key`, because its value
 * would not be redacted.
 */
export function checkHeaders(
  input: Readonly<Record<string, string>> | undefined = {},
): Readonly<Record<string, string>> {
  // The error names no values, because they may be secret.
  const invalid = (expected: string, received: string) =>
    new ParameterError("Invalid headers", [describedIssue(["headers"], expected, received)]);
  const isPlain = typeof input === "object" && !(input instanceof Headers);
  let headers: Headers;
  try {
    headers = new Headers(
      isPlain ? Object.entries(input).filter(([, value]) => value !== undefined) : input,
    );
  } catch {
    throw invalid(
      "valid HTTP header names and values",
      isPlain && input
        ? `headers named ${Object.keys(input).join(", ")}`
        : input === null
          ? "null"
          : `a value of type ${typeof input}`,
    );
  }
  if (headers.has("api-key"))
    throw invalid("headers without api-key: set the client's option apiKey", "a header api-key");
  return Object.fromEntries(headers);
}
