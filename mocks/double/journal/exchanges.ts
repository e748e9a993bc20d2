// The newest requests and responses in full, within a budget of bytes: kept where the admin API, which shows them, is on. No api-key leaves it.
import * as Base64 from "ox/Base64";
import {
  bodyText,
  type Delivery,
  type ServiceRequest,
  type ServiceResponse,
} from "../service/message.ts";

/** A request with its response. */
export interface Exchange {
  readonly request: Pick<ServiceRequest, "headers" | "body">;
  readonly response: ServiceResponse;
  /** The faults that struck. */
  readonly faults: readonly object[];
  /** The response without the faults; undefined where none struck, and of requests that are not safe to repeat. */
  readonly untouched?: ServiceResponse | undefined;
}

/** What stands in place of a secret. */
const HIDDEN = "[api-key]";

/** Headers that are secrets, besides the api-key. */
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "admin-token"]);

/** A key in a form or in JSON, under any spelling of its name. */
const KEY_IN_BODY = /(\bapi[-_.]?key["']?\s*[=:]\s*["']?)[^&"'\s,}]*/gi;

/** A shorter key may be part of any word. */
const MIN_KEY_LENGTH = 8;

/** A message as it may be shown. */
export interface ShownMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ShownRequest extends ShownMessage {
  /** How the body is written: bytes that are no text are in base64. */
  readonly encoding: "text" | "base64";
}

export interface ShownResponse extends ShownMessage {
  readonly status: number;
  /** How it was sent, where a fault broke or slowed it down. */
  readonly delivery?: Delivery | undefined;
}

/** What is kept of an exchange: all but its secrets. */
export interface ShownExchange {
  readonly request: ShownRequest;
  readonly response: ShownResponse;
  readonly untouched: ShownResponse | null;
  readonly faults: readonly object[];
}

function asUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** An exchange as it is kept: the api-key is nowhere in it. */
function withoutSecrets(exchange: Exchange): ShownExchange {
  const { request, response, untouched, faults } = exchange;
  const { "api-key": key } = request.headers;
  const keys = [key].flat().filter((one) => one !== undefined && one.length >= MIN_KEY_LENGTH);
  // Most keys are written alike in a URL and in JSON.
  const secrets = new Set(
    keys.flatMap((one = "") => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]),
  );
  const hide = (text: string): string =>
    [...secrets].reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
  const headersOf = (headers: Exchange["request"]["headers"]) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        if (value === undefined) return [];
        const text = typeof value === "string" ? value : value.join(", ");
        if (name === "api-key") return [[name, text === "" ? "" : HIDDEN]];
        return [[name, SECRET_HEADERS.has(name) ? "[hidden]" : hide(text)]];
      }),
    );
  const shown = ({ status, headers, body, delivery }: ServiceResponse): ShownResponse => ({
    status,
    headers: headersOf(headers),
    body: hide(bodyText(body)),
    ...(delivery && { delivery }),
  });
  const body = request.body ?? new Uint8Array();
  const text = asUtf8(body);
  return {
    request: {
      headers: headersOf(request.headers),
      ...(text === undefined
        ? { body: Base64.fromBytes(body), encoding: "base64" }
        : { body: hide(text).replace(KEY_IN_BODY, `$1${HIDDEN}`), encoding: "text" }),
    },
    response: shown(response),
    untouched: untouched ? shown(untouched) : null,
    faults,
  };
}

/** The bytes that all exchanges of a port may have together. */
export const EXCHANGES_BYTES = 16 * 2 ** 20;

/** Bytes of an exchange without its bodies, about. */
const EXCHANGE_BYTES = 2048;

/** A character takes up to two bytes. */
const sizeOf = ({ request, response, untouched }: ShownExchange): number =>
  EXCHANGE_BYTES + 2 * (request.body.length + response.body.length + (untouched?.body.length ?? 0));

/** What is kept of the newest requests, of all tenants of a port. */
export class Exchanges {
  /** Nothing is kept until somebody can read it. */
  isOn = false;
  /** By the entry of the journal, oldest first. */
  readonly #kept = new Map<object, ShownExchange>();
  #bytes = 0;

  /** The bytes of all that are kept, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps an exchange, in place of what was kept of this entry; the oldest make room. */
  keep(entry: object, exchange: Exchange): void {
    this.forget(entry);
    const shown = withoutSecrets(exchange);
    this.#kept.set(entry, shown);
    this.#bytes += sizeOf(shown);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= EXCHANGES_BYTES) return;
      this.forget(oldest);
    }
  }

  /** Undefined once it had to make room. */
  of(entry: object): ShownExchange | undefined {
    return this.#kept.get(entry);
  }

  forget(entry: object): void {
    const known = this.#kept.get(entry);
    if (known === undefined) return;
    this.#kept.delete(entry);
    this.#bytes -= sizeOf(known);
  }
}
