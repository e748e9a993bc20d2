// The HTTP server: node:http over the dispatcher, without MSW and without a framework.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Explorer } from "../explorer.ts";
import { onThisMachine } from "../loopback.ts";
import { errorResponse, type ServiceResponse } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { internalError } from "../transports/internal-error.ts";
import { createHostCheck, createToken, type HostCheck } from "./access.ts";
import { type Admin, createAdmin, isBelowAdmin } from "./admin.ts";
import { type ServedAdmin, servedAdmin } from "./admin-client.ts";
import { blockedPort } from "./blocked-ports.ts";
import { createEtherscan, type Etherscan, isEtherscan } from "./etherscan.ts";
import { createInspect, type Inspect, isBelowInspect } from "./inspect.ts";
import { createInvalidHttp } from "./invalid-http.ts";
import { readServeOptions, type ServeOptions } from "./options.ts";
import { createPage, isOfPage, type Page } from "./page.ts";
import { addressOf, ConnectionClosed, IncomingRequest } from "./request.ts";
import { openCors, send } from "./send.ts";

/** An explorer on a port. */
export interface ServedExplorer {
  readonly explorer: Explorer;
  /** `http://127.0.0.1:49152`, for the client's `baseUrl`. */
  readonly url: string;
  readonly port: number;
  /**
   * The page for people, to open in a browser: `http://127.0.0.1:49152/`. Where the admin API is on it ends with `#token=…`, which a browser
   * sends nowhere. Undefined with `page: false`.
   */
  readonly pageUrl: string | undefined;
  /** Calls the admin API, and has its token; undefined where it is off. */
  readonly admin: ServedAdmin | undefined;
  /** Stops accepting connections and ends after the pending responses; after `graceMs` (2000) it closes the connections that remain. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** The response to a CORS preflight. */
const preflight = (headers: IncomingHttpHeaders): ServiceResponse => ({
  status: 204,
  headers: {
    ...openCors,
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers":
      headers["access-control-request-headers"] ?? "api-key, content-type",
    "access-control-max-age": "86400",
  },
  body: "",
});

function health({ chain, live }: Explorer, method: string): ServiceResponse {
  if (method !== "GET" && method !== "HEAD")
    return errorResponse(405, `expected GET, HEAD, received ${method.slice(0, 20)}`, null, {
      allow: "GET, HEAD",
    });
  const unavailable = live?.unavailable();
  const body = {
    status: unavailable ?? "ok",
    head: chain.length > 0 ? `${chain.head.number}` : null,
    ...live?.health(),
  };
  return {
    status: unavailable === undefined ? 200 : 503,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

interface Port {
  readonly explorer: Explorer;
  readonly checkHost: HostCheck;
  readonly etherscan: Etherscan;
  /** Undefined where the admin API is off. */
  readonly admin: Admin | undefined;
  /** Undefined where there is no page. */
  readonly page: { readonly files: Page; readonly inspect: Inspect } | undefined;
}

/** A response, and the headers that its part of the port adds. */
type Answer = readonly [response: ServiceResponse, added?: ServiceResponse["headers"]];

/** A promise only where it waits for something, as of the dispatcher. */
function answer(
  { explorer, checkHost, etherscan, admin, page }: Port,
  request: IncomingMessage,
  response: ServerResponse,
): Answer | Promise<Answer> {
  const { host, target } = addressOf(request);
  if (host === "") throw new ServiceError(400, "Host: the header is missing");
  if (host !== undefined) checkHost(host);
  const incoming = new IncomingRequest(target, request, response);
  if (isBelowAdmin(target)) {
    if (admin) return admin(incoming).then(closed);
    throw new ServiceError(404, "the admin API is off; `admin: true` and --admin turn it on");
  }
  if (page && isBelowInspect(target)) return page.inspect(incoming).then(closed);
  if (page && isOfPage(target, incoming.headers)) return closed(page.files(incoming));
  if (request.method === "OPTIONS" && request.headers["access-control-request-method"])
    return closed(preflight(request.headers));
  if (target === "/health" || target.startsWith("/health?"))
    return open(health(explorer, incoming.method));
  const serve = () => (isEtherscan(target) ? etherscan(incoming) : explorer.dispatch(incoming));
  if (incoming.hasBody) return incoming.readBody().then(serve).then(open);
  const message = serve();
  return message instanceof Promise ? message.then(open) : open(message);
}

const open = (response: ServiceResponse): Answer => [response, openCors];
const closed = (response: ServiceResponse): Answer => [response];

/** Every error has an envelope (S1), as long as somebody waits for it. */
function answerToError(error: unknown): Answer {
  if (error instanceof ConnectionClosed) throw error;
  if (error instanceof ServiceError) return closed(errorResponse(error.status, error.message));
  return closed(internalError(error));
}

/** Responds at once where nothing has to be waited for. */
function respond(
  port: Port,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  const finish = ([message, added]: Answer) => send(response, message, added);
  let found: Answer | Promise<Answer>;
  try {
    found = answer(port, request, response);
  } catch (error) {
    found = answerToError(error);
  }
  return found instanceof Promise ? found.catch(answerToError).then(finish) : finish(found);
}

/** Nobody waits for the response, or it cannot be sent. */
function giveUp(response: ServerResponse, error: unknown): void {
  response.destroy();
  if (!(error instanceof ConnectionClosed)) internalError(error);
}

/** Options that turn the admin API on. */
type WithAdmin = ServeOptions & ({ readonly admin: true } | { readonly adminToken: string });

/** As documented: a check every second makes them so. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

function createPort(port: Port): Server {
  const invalid = createInvalidHttp();
  const server = createServer({
    ...timeouts,
    // The response to a missing one has an envelope.
    requireHostHeader: false,
    // No wait for a body where there is none: it saves a tenth of the time of a small response.
    optimizeEmptyRequests: true,
  });
  server.on("request", (request, response) => {
    invalid.expectResponse(request, response);
    try {
      respond(port, request, response)?.catch((error) => giveUp(response, error));
    } catch (error) {
      giveUp(response, error);
    }
  });
  server.on("checkExpectation", (request, response: ServerResponse) => {
    invalid.expectResponse(request, response);
    const expected = "Expect: expected 100-continue, received something else";
    void send(response, errorResponse(417, expected), openCors);
  });
  server.on("clientError", invalid.answer);
  return server;
}

/**
 * Serves an explorer on a port.
 *
 * @example
 * ```ts
 * const served = await serveExplorer(createExplorer({ chain }));
 * const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
 * await served.close();
 * ```
 */
export async function serveExplorer(
  explorer: Explorer,
  options: WithAdmin,
): Promise<ServedExplorer & { readonly admin: ServedAdmin }>;
export async function serveExplorer(
  explorer: Explorer,
  options?: ServeOptions,
): Promise<ServedExplorer>;
export async function serveExplorer(
  explorer: Explorer,
  options: ServeOptions = {},
): Promise<ServedExplorer> {
  const { port, host, admin, adminToken, allowedHosts, maxConnections, page } =
    readServeOptions(options);
  const blocked = blockedPort(port);
  if (blocked !== undefined) throw new Error(blocked);
  explorer.faults.attach("http");
  const token = adminToken ?? (admin ? createToken() : undefined);
  const server = createPort({
    explorer,
    checkHost: createHostCheck([host, ...allowedHosts]),
    etherscan: createEtherscan(explorer),
    admin: token === undefined ? undefined : createAdmin(explorer, token),
    page: page
      ? {
          files: createPage(),
          inspect: createInspect(explorer, { admin: token !== undefined }),
        }
      : undefined,
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, host));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const url = `http://${name}:${address.port}`;
  return {
    explorer,
    url,
    port: address.port,
    pageUrl: page ? pageUrlOf(url, token) : undefined,
    admin: token === undefined ? undefined : servedAdmin(url, token),
    close: (options) => closeServer(server, options?.graceMs),
  };
}

/** The page's address on this machine, where any of its addresses will do; the page takes the token from the fragment. */
function pageUrlOf(url: string, token: string | undefined): string {
  const own = onThisMachine(url);
  return token === undefined ? `${own}/` : `${own}/#token=${encodeURIComponent(token)}`;
}

/** What a person can do when a server cannot listen; other errors stay as they are. */
function explainListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there; stop it, or choose another port (0 for a free one)",
    EACCES: "ports below 1024 need more rights; choose a higher one (0 for a free one)",
    EADDRNOTAVAIL: "this machine has no such address; choose one of its own, such as 127.0.0.1",
  };
  const text = advice[error.code ?? ""];
  if (text === undefined) return error;
  return new Error(`cannot listen on port ${port} of ${host}: ${text} (${error.code})`, {
    cause: error,
  });
}

const closeServer = (server: Server, graceMs = 2000): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // A keep-alive connection becomes idle after its last response.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
