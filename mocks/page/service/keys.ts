// The secrets the page sends: the api-key, which with tenants chooses the chain, and the token of the admin API.
import { createStoredText } from "../store.ts";

/** Gone with the tab. */
const storage = () => sessionStorage;

export const apiKey = createStoredText(storage, "explorer-api-key");

export const adminToken = createStoredText(storage, "explorer-admin-token");

/** Takes the token from the address that `serve` prints, and leaves it in no history. */
export function takeToken(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  try {
    adminToken.set(decodeURIComponent(token));
  } catch {
    adminToken.set(token);
  }
  history.replaceState(null, "", "#/");
}

/** Without listed keys and tenants any key will do. */
export const keyToSend = (): string => apiKey.get() || "page";
