// The HTTP server of an explorer: node:http, without MSW and without a framework.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod/mini";
import { type Explorer, serviceOf } from "../explorer.ts";
import { validOptions } from "../input/options.ts";
import { ServiceError } from "../message/api.ts";
import { errorResponse, internalError, type ServiceResponse } from "../message/message.ts";
import { toErrorResponse } from "../service/handle-request.ts";
import { onThisMachine } from "../service/loopback.ts";
import { createHostCheck, createToken, type HostCheck } from "./access.ts";
import { blockedPort } from "./blocked-ports.ts";
import { createConnections } from "./connections.ts";
import { createEndpoints, type Endpoint, respondAt } from "./endpoints.ts";
import { readServeOptions, type ServeOptions } from "./options.ts";
import { addressOf, ConnectionClosed, IncomingRequest } from "./request.ts";
import { asData, openCors, send } from "./send.ts";
import { type ServedAdmin, servedAdmin } from "./served-admin.ts";

/** An explorer on a port. */
export interface ServedExplorer {
  readonly explorer: Explorer;
  /** `http://127.0.0.1:49152`, for the client's `baseUrl`, also if `host` is `0.0.0.0`. */
  readonly url: string;
  readonly port: number;
  /**
   * The page to open in a browser: `http://127.0.0.1:49152/`. If the admin API is on, it ends with
   * `#token=…`, which browsers never send. Undefined with `page: false`.
   */
  readonly pageUrl: string | undefined;
  /** Calls the admin API, and has its token; undefined if the API is off. */
  readonly admin: ServedAdmin | undefined;
  /**
   * Stops accepting connections, and resolves once the pending responses are sent; after `graceMs`
   * (2000), closes the connections that remain.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
  /** `await using` closes it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Port {
  readonly checkHost: HostCheck;
  readonly endpoints: readonly Endpoint[];
}

/** Responds to a request. Closes the connection if that fails. */
async function serve(
  { checkHost, endpoints }: Port,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { host, target } = addressOf(request);
    const refusal = hostRefusal(host, checkHost);
    if (refusal) return await send(response, refusal, asData);
    const incoming = new IncomingRequest(target, request, response);
    // The last endpoint takes every request.
    const endpoint = endpoints.find((candidate) => candidate.takes(incoming)) as Endpoint;
    await send(response, await respondAt(endpoint, incoming), endpoint.headers);
  } catch (error) {
    response.destroy();
    if (!(error instanceof ConnectionClosed)) internalError(error);
  }
}

function hostRefusal(host: string | undefined, check: HostCheck): ServiceResponse | undefined {
  try {
    if (host === "") throw new ServiceError(400, "Host: the header is missing");
    if (host !== undefined) check(host);
    return undefined;
  } catch (error) {
    return toErrorResponse(error);
  }
}

/** Options that turn the admin API on. */
type WithAdmin = ServeOptions & ({ readonly admin: true } | { readonly adminToken: string });

const closeSchema = z.strictObject({ graceMs: z.optional(z.number()) });

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
  const service = serviceOf(explorer, "serveExplorer");
  const token = adminToken ?? (admin ? createToken() : undefined);
  const endpoints = createEndpoints(service, { token, page });
  const checkHost = createHostCheck([host, ...allowedHosts]);
  const server = createConnections(
    (request, response) => void serve({ checkHost, endpoints }, request, response),
    maxConnections,
  );
  server.on("checkExpectation", (_, response) => {
    const expected = "Expect: expected 100-continue, received something else";
    void send(response, errorResponse(417, expected), openCors);
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, host));
    server.once("error", fail);
    server.listen({ port, host, backlog: maxConnections }, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  // Clients cannot open 0.0.0.0 or ::, which stand for all addresses of a machine.
  const url = onThisMachine(`http://${name}:${address.port}`);
  const close: ServedExplorer["close"] = async (options = {}) =>
    closeServer(server, validOptions("close", closeSchema, options).graceMs);
  return {
    explorer,
    url,
    port: address.port,
    pageUrl: page ? pageUrlOf(url, token) : undefined,
    admin: token === undefined ? undefined : servedAdmin(url, token),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** The page's address; the page takes the token from the fragment, which browsers never send. */
const pageUrlOf = (url: string, token: string | undefined): string =>
  token === undefined ? `${url}/` : `${url}/#token=${encodeURIComponent(token)}`;

/** Adds advice to an error of listening. Other errors stay as they are. */
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
