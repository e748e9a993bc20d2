// HTTP to a node: one POST, and the parts of its URL that may be shown.

/** A response to a POST, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a body to a URL. Rejects with the signal's reason once it aborts. */
export type Post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Answered>;

const MAX_REDIRECTS = 5;
/** Redirects that keep method and body. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** Compressing costs more than it saves on this machine. */
const encodingFor = ({ hostname }: URL): Readonly<Record<string, string>> =>
  /^(localhost|\[::1\]|127\..*)$/.test(hostname) ? { "accept-encoding": "identity" } : {};

/** Posts by a fetch function, which keeps connections, and follows redirects that keep method and body. */
export const postBy =
  (fetch: typeof globalThis.fetch): Post =>
  async (first, body, given, signal) => {
    let [url, own] = [new URL(first), given];
    for (let redirects = 0; ; redirects += 1) {
      const headers = { ...encodingFor(url), ...own };
      const init = { method: "POST", headers, body, signal, redirect: "manual" } as const;
      const response = await fetch(url.href, init);
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null)
        return { status: response.status, headers: response.headers, text: await response.text() };
      if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
      await response.body?.cancel();
      const next = new URL(location, url);
      // They may be secrets.
      if (next.origin !== url.origin) own = { "content-type": "application/json" };
      url = next;
    }
  };

/** The URL without credentials, which fetch rejects. */
export function withoutUser(url: string): string {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return address.href;
}

/** The header for the credentials in a URL, if it has any. */
export function authorizationIn(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** What a part of a URL stands for; the part itself if it encodes nothing, such as the password `50%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL without parts that may be secret: credentials, path (which may contain a key) and query. */
export const shownUrl = (url: string): string => new URL(url).origin;
