// Calls the admin API of a served explorer, for the tests that started it.
import { tokenHeader } from "./access.ts";
import type { AdminAction } from "./admin-actions.ts";

/** The admin API of an explorer on a port. */
export interface ServedAdmin {
  /** The value of the header `admin-token`. */
  readonly token: string;
  /**
   * Calls an action and returns its response, decoded from JSON. `apiKey` selects a tenant. Throws an Error with the message of a refusal.
   *
   * @example
   * ```ts
   * const served = await serveExplorer(mock, { admin: true });
   * await served.admin?.call("POST mine", { blocks: 2 }); // { head: "94", transaction_hashes: [] }
   * ```
   */
  call(
    action: AdminAction,
    body?: unknown,
    options?: { readonly apiKey?: string },
  ): Promise<unknown>;
}

export const servedAdmin = (url: string, token: string): ServedAdmin => ({
  token,
  async call(action, body, { apiKey } = {}) {
    const [method = "", path = ""] = action.split(" ");
    const response = await fetch(`${url}/admin/${path}`, {
      method,
      headers: {
        [tokenHeader]: token,
        ...(apiKey !== undefined && { "api-key": apiKey }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const message = answer !== null && typeof answer === "object" && "message" in answer;
    throw new Error(`${action}: ${message ? answer.message : response.status}`);
  },
});
