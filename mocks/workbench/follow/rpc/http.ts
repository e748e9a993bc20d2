// HTTP to a node: one POST on a kept connection, and the parts of its URL that may be shown.
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

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

/** The same by a fetch function. */
export const postByFetch =
  (fetch: typeof globalThis.fetch): Post =>
  async (url, body, headers, signal) => {
    const response = await fetch(url, { method: "POST", headers, body, signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

const MAX_REDIRECTS = 5;
/** Redirects that keep method and body. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** Posts on connections that are kept, which takes half the processor time of fetch. */
export function keptConnections(connections: number): Post {
  const options = { keepAlive: true, maxSockets: connections, scheduling: "lifo" } as const;
  const agents = { "http:": new Agent(options), "https:": new SecureAgent(options) };
  return async (first, body, given, signal) => {
    let [url, headers] = [new URL(first), given];
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(url, body, headers, signal, agents);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return read(response);
      if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
      response.resume();
      const next = new URL(location, url);
      // They may be secrets.
      if (next.origin !== url.origin) headers = { "content-type": "application/json" };
      url = next;
    }
  };
}

const STALE: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

function send(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  agents: Readonly<Record<string, Agent>>,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  // Compressing costs more than it saves on this machine.
  const encoding: OutgoingHttpHeaders = isLocal(url) ? {} : { "accept-encoding": "gzip, br" };
  const length = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? secureRequest : request)(
      url,
      {
        method: "POST",
        agent: agents[url.protocol],
        headers: { ...encoding, ...headers, "content-length": length },
        signal,
      },
      resolve,
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The node closed the connection while it was idle: on a new one, the request may be answered.
      const isStale = sent.reusedSocket && STALE.has(error.code ?? "") && !signal.aborted;
      if (isStale) send(url, body, headers, signal, agents).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

const isLocal = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

async function read(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  const [part = Buffer.alloc(0)] = parts;
  const body = parts.length === 1 ? part : Buffer.concat(parts);
  const decode = DECODERS[response.headers["content-encoding"] ?? ""];
  return {
    status: response.statusCode ?? 0,
    // Only what fails is looked at.
    get headers() {
      return new Headers(
        Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
      );
    },
    text: (decode?.(body) ?? body).toString(),
  };
}

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
