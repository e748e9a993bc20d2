// Calls the admin API as programs in other languages do: with whatever body, and the response as it came.
import { TOKEN_HEADER } from "../../mocks/port/admin/operations.ts";
import type { ServedExplorer } from "../../mocks/port/server.ts";

/**
 * Calls `POST mine`, `GET journal?after=3` … and returns the JSON. Throws an error with the
 * message of a refusal.
 */
export const rawAdmin = ({ url, admin }: Pick<ServedExplorer, "url" | "admin">) => ({
  token: `${admin?.token}`,
  async call(
    action: string,
    body?: unknown,
    { apiKey }: { readonly apiKey?: string } = {},
  ): Promise<unknown> {
    const [method = "", path = ""] = action.split(" ");
    const response = await fetch(`${url}/admin/${path}`, {
      method,
      headers: {
        [TOKEN_HEADER]: `${admin?.token}`,
        ...(apiKey !== undefined && { "api-key": apiKey }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${action}: ${Object(answer).message}`);
    return answer;
  },
});
