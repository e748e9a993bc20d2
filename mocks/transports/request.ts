// A `Request` as a question: for every door that speaks fetch.
import type { ServiceRequest } from "../message.ts";

/** The part of an address below a base, if it lies below; fragments never travel. */
export function targetBelow(base: string, url: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  const hash = url.indexOf("#");
  const target = url.slice(base.length, hash < 0 ? undefined : hash);
  if (target === "") return "/";
  return target.startsWith("/") || target.startsWith("?") ? target : undefined;
}

/** A base address in the form that addresses of requests have, without a slash at its end. */
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
