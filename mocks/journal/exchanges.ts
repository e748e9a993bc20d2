// The newest requests and responses with their bodies, for the admin API. Removes API keys.
import { findKey, hideSpans, MIN_LENGTH_IN_DATA } from "../../src/errors/find-key.ts";
import { keepRecent } from "../message/keep-recent.ts";
import type { ServiceResponse } from "../message/message.ts";
import { type Exchange, keysInQuery, withoutKey } from "../message/notes.ts";

/** Replacement for a secret. */
const HIDDEN = "[api-key]";

/** Headers with secrets, besides `api-key`. */
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "admin-token"]);

/** Finds a key in a form or in JSON, under any spelling of its name. */
const KEY_IN_BODY = /(\bapi[-_.]?key["']?\s*[=:]\s*["']?)[^&"'\s,}]*/gi;

/** Removes keys from the body of a request, which may be JSON or a form. */
const hideInBody = (text: string): string =>
  withoutKey(`?${text}`)
    .slice(1)
    .replace(KEY_IN_BODY, (_, before: string) => before + HIDDEN);

function asUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Number of characters of a body that are kept, enough for a page of 100 records. */
export const MAX_KEPT_BODY = 2 ** 16;

/** Returns the first characters of a text without keys, even if a key continues after them. */
export const hiddenBeginning = (
  text: string,
  length: number,
  hide: (beginning: string) => string,
): string => hide(text.slice(0, 2 * length)).slice(0, length);

/** Shortens a body, and counts the `missing` characters. */
const shortened = (body: string, hide: (beginning: string) => string) => ({
  body: hiddenBeginning(body, MAX_KEPT_BODY, hide),
  ...(body.length > MAX_KEPT_BODY && { missing: body.length - MAX_KEPT_BODY }),
});

/** Returns a function that removes the keys of a request from a text about it. */
export function hideKeysOf({
  headers,
  target = "",
}: Exchange["request"]): (text: string) => string {
  const searches = [headers["api-key"], ...keysInQuery(target)]
    .flat()
    .flatMap((key = "") => (key.length < MIN_LENGTH_IN_DATA ? [] : findKey(key)));
  return (text) => searches.reduce((hidden, find) => hideSpans(hidden, find(hidden)), text);
}

/** An exchange without its secrets. */
export type ShownExchange = ReturnType<typeof withoutSecrets>;

/** Removes the API key and other secrets. Binary bodies become base64. */
function withoutSecrets(exchange: Exchange, untouched?: ServiceResponse) {
  const { request, response, faults } = exchange;
  const hide = hideKeysOf(request);
  const headersOf = (headers: Exchange["request"]["headers"]) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        if (value === undefined) return [];
        const text = typeof value === "string" ? value : value.join(", ");
        if (name === "api-key") return [[name, text === "" ? "" : HIDDEN]];
        return [[hide(name), SECRET_HEADERS.has(name) ? "[hidden]" : hide(text)]];
      }),
    );
  const shown = ({ status, headers, body, delivery }: ServiceResponse) => ({
    status,
    headers: headersOf(headers),
    ...shortened(body, hide),
    ...(delivery && { delivery }),
  });
  const body = request.body ?? new Uint8Array();
  const text = asUtf8(body);
  return {
    request: {
      headers: headersOf(request.headers),
      ...(text === undefined
        ? { ...shortened(toBase64(body), hide), encoding: "base64" }
        : { ...shortened(text, (beginning) => hideInBody(hide(beginning))), encoding: "text" }),
    },
    response: shown(response),
    untouched: untouched ? shown(untouched) : null,
    faults,
  };
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Number of exchanges kept, for all tenants of a port together. */
export const MAX_EXCHANGES = 128;

/** The newest requests in full, of all tenants of a port. */
export class Exchanges {
  /** Whether exchanges are kept. Off without the admin API, because nobody could read them. */
  isOn = false;
  /** Exchanges by their entry in the journal, oldest first. */
  readonly #exchanges = new Map<object, ShownExchange>();

  /**
   * Adds an exchange, and drops the oldest above the limit. Adds its response without faults later.
   */
  keep(entry: object, exchange: Exchange): void {
    keepRecent(this.#exchanges, entry, withoutSecrets(exchange), MAX_EXCHANGES);
    void exchange.untouched?.then((untouched) => {
      if (this.#exchanges.has(entry))
        this.#exchanges.set(entry, withoutSecrets(exchange, untouched));
    });
  }

  /** Returns the exchange of an entry; undefined once a newer exchange has taken its place. */
  of(entry: object): ShownExchange | undefined {
    return this.#exchanges.get(entry);
  }

  forget(entries: Iterable<object>): void {
    for (const entry of entries) this.#exchanges.delete(entry);
  }
}
