// One HTTP exchange, and redirects by hand: fetch itself would take the api-key along to any other origin.
import ky from "ky";
import { type ErrorContext, RedirectError } from "../errors/index.ts";
import { excerpt, type Redact } from "../errors/redact.ts";

/** A request as it is sent. */
export interface Exchange {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly redact: Redact;
  readonly context: () => ErrorContext;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** More than anybody needs within one origin; a loop ends here. */
const MOST_REDIRECTS = 5;

/** Asks, and goes where redirects of a GET lead as long as that is within the same origin; refuses all others. */
export async function follow(exchange: Exchange): Promise<Response> {
  const { method, context } = exchange;
  const { origin } = new URL(exchange.url);
  let url = exchange.url;
  for (let redirects = 0; ; redirects++) {
    const response = await send(exchange, url);
    if (response.type === "opaqueredirect")
      throw new RedirectError("a browser does not say where it leads", undefined, context());
    if (response.redirected && new URL(response.url).origin !== origin)
      throw new RedirectError(
        "the given fetch followed it to another origin",
        undefined,
        context(),
      );
    if (!REDIRECTS.has(response.status)) return response;

    response.body?.cancel().catch(() => {});
    const location = response.headers.get("location") ?? "";
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    const refuse = (why: string) =>
      new RedirectError(why, excerpt(location, exchange.redact, 300), context());
    if (location === "" || next === undefined) throw refuse("it names no place to go");
    if (next.origin !== origin)
      throw refuse(
        `it leads away from ${origin}, and the api-key must not go there. If the service has moved, set baseUrl`,
      );
    if (method !== "GET") throw refuse(`a ${method} is not sent again elsewhere`);
    if (redirects === MOST_REDIRECTS) throw refuse(`it is number ${redirects + 1} in a row`);
    url = next.href;
  }
}

const send = ({ method, headers, body, fetch, signal }: Exchange, url: string): Promise<Response> =>
  ky(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    // ky gives a Request, a URL or a text, as fetch takes them.
    fetch: (input, init) => fetch(input, init),
    redirect: "manual",
    // Retries, timeouts and errors need the operation, the gate and the secrets: they are done around this.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    signal,
  });
