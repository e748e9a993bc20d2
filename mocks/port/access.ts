// Access to the port: the host names it answers to, against DNS rebinding, and the token of the
// admin API.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { describe } from "../../src/models/issues.ts";
import { ServiceError } from "../message/api.ts";
import type { ServiceRequest } from "../message/message.ts";
import { isLoopback } from "../service/loopback.ts";
import { TOKEN_HEADER } from "./admin/operations.ts";

export const createToken = (): string => randomBytes(16).toString("hex");

/** Returns the host in a Host header or a URL, without the port. */
function hostnameOf(host: string): string | undefined {
  const [, name] = /^(\[[\da-f:.]+\]|[^:/?#@\s]+)(?::\d+)?$/i.exec(host) ?? [];
  return name?.toLowerCase();
}

/**
 * Whether a host is an IP address. DNS rebinding needs a name that its owner points at this
 * machine.
 */
const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, "")) !== 0;

/**
 * Throws a {@link ServiceError} 403 for a Host that is not an IP address, this machine or an
 * allowed name.
 */
export type HostCheck = (host: string) => void;

export function createHostCheck(allowedHosts: readonly string[]): HostCheck {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return (host) => {
    const name = hostnameOf(host);
    if (name !== undefined && (isLoopback(name) || isAddress(name) || allowed.has(name))) return;
    throw new ServiceError(
      403,
      `Host: expected an IP address, localhost or an allowed host (allowedHosts, --allowed-host), received ${describe(host)}`,
    );
  };
}

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/** Throws a {@link ServiceError} 403 for a request from a page of another origin. */
export function checkOrigin({ headers: { origin, host } }: ServiceRequest, endpoint: string): void {
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ServiceError(
      403,
      `Origin: ${endpoint} refuses requests from pages of ${describe(origin)}`,
    );
}

/** Destinations for which a browser runs or renders a response. */
const DESTINATIONS =
  /^(?:document|frame|iframe|embed|object|fencedframe|script|worker|sharedworker|serviceworker|audioworklet|paintworklet|style|xslt|manifest)$/;

/**
 * Throws a {@link ServiceError} 403 for a browser's request for a document or a script, because the
 * content of an upstream, a recording or a chain is data that no browser may run.
 */
export function checkDestination({ headers }: ServiceRequest): void {
  const destination = headers["sec-fetch-dest"];
  if (typeof destination === "string" && DESTINATIONS.test(destination))
    throw new ServiceError(
      403,
      `Sec-Fetch-Dest: this is data, which is not served as ${destination}; the page at / shows it`,
    );
}

/**
 * Throws a {@link ServiceError} for a request without the admin token (401), and for one from a
 * page of another origin (403).
 */
export type AdminCheck = (request: ServiceRequest) => void;

export function createAdminCheck(token: string): AdminCheck {
  const expected = digest(token);
  return (request) => {
    checkOrigin(request, "the admin API");
    const received = request.headers[TOKEN_HEADER];
    if (typeof received !== "string")
      throw new ServiceError(401, `${TOKEN_HEADER}: the header is missing`);
    // Compares digests, because they have the same length, in constant time.
    if (!timingSafeEqual(digest(received), expected))
      throw new ServiceError(401, `${TOKEN_HEADER}: not the admin token of this server`);
  };
}
