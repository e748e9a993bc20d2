// Converts a fetch `Request` to the service's request.
import type { ServiceRequest } from "../message.ts";

/** Path and query of a URL below a base URL, without the fragment; undefined where it is not below. */
export function targetBelow(base: string, url: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  const hash = url.indexOf("#");
  const target = url.slice(base.length, hash < 0 ? undefined : hash);
  if (target === "") return "/";
  return target.startsWith("/") || target.startsWith("?") ? target : undefined;
}

/** A base URL in normal form, without a trailing slash. */
export const normalBase = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, "");

export async function toServiceRequest(request: Request, target: string): Promise<ServiceRequest> {
  return {
    method: request.method,
    target,
    headers: Object.fromEntries(request.headers),
    signal: request.signal,
    body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
  };
}
