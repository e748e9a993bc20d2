// Advice for requests that got no response, and whether a retry can help. Loaded when one fails.

/** The documentation, which the package does not contain. */
const SITE = "https://mrc-explorer.github.io/mrc-explorer/";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Advice if Node sends requests for this machine to a proxy, which usually cannot reach it. */
function proxyAdvice(url: string): readonly string[] {
  const { env, execArgv = [] } = globalThis.process ?? {};
  const { hostname } = new URL(url);
  if (!env || !LOOPBACK.test(hostname)) return [];
  const flags = [...execArgv, env.NODE_OPTIONS];
  const usesProxy = env.NODE_USE_ENV_PROXY === "1" || flags.join().includes("--use-env-proxy");
  const proxy = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].find(
    (name) => env[name],
  );
  const except = (env.no_proxy ?? env.NO_PROXY ?? "").split(/[\s,]+/);
  if (!usesProxy || proxy === undefined || except.includes(hostname) || except.includes("*"))
    return [];
  return [
    `Node sends this to the proxy of ${proxy}, although ${hostname} is this machine: set NO_PROXY=localhost,127.0.0.1`,
  ];
}

/** Advice for a page whose request to another origin failed, because browsers do not say why. */
function corsAdvice(url: string): readonly string[] {
  const { document, location } = globalThis as {
    document?: unknown;
    location?: { readonly origin: string };
  };
  if (document === undefined || !location || location.origin === new URL(url).origin) return [];
  return [
    `The browser may have blocked the response (CORS): the explorer must allow this page's origin. A proxy on the page's own origin needs no permission, and keeps the API key secret: ${SITE}recipes/proxy.html`,
  ];
}

export const connectionAdvice = (url: string): readonly string[] => [
  ...proxyAdvice(url),
  ...corsAdvice(url),
];

/** OpenSSL's messages when a server answers in plain HTTP. */
const PLAIN_HTTP = /wrong version number|packet length/i;

/** Returns why a request failed. Replaces messages of the engine that do not help a user. */
export const reasonOf = (message: string): string =>
  PLAIN_HTTP.test(message) ? "the port speaks plain HTTP: use http:// in baseUrl" : message;

/** Error codes of a refused certificate, and of a server that does not speak TLS. */
const REFUSED_TLS =
  /CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|^EPROTO$|^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED|.*HANDSHAKE)/;

/** Messages of engines about a mistake in a program. A failed `fetch` is also a TypeError. */
const MISTAKE = /\bis not (a|an|defined|iterable)\b|^(Cannot|Can't|can't) |\b(undefined|null)\b/;

/**
 * Returns whether a retry must fail, too, because of a bad certificate, a port that `fetch` blocks,
 * or a bug in a custom `fetch`.
 */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, message, name } = error;
  return (
    ("code" in error && REFUSED_TLS.test(String(error.code))) ||
    message === "bad port" ||
    ["ReferenceError", "RangeError", "SyntaxError"].includes(name) ||
    (name === "TypeError" && cause === undefined && MISTAKE.test(message)) ||
    isLasting(cause)
  );
}
