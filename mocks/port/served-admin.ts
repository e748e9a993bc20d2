// Calls the admin API of a served explorer, for the tests that started it.
import { ExplorerClient } from "../../src/client.ts";
import type { AnyOperation, OperationInput, OperationResults } from "../../src/contract/index.ts";
import { describe } from "../../src/models/issues.ts";
import { didYouMean } from "../../src/models/suggest.ts";
import { decimalJson } from "../message/message.ts";
import {
  type AdminOperationId,
  type AdminOperations,
  adminOperations,
  TOKEN_HEADER,
} from "./admin/operations.ts";

/** The parameter that is the whole body of an operation over HTTP, such as a fault. */
type BodyOf<Id extends AdminOperationId> = Id extends "addFaults" | "recipe"
  ? OperationInput<AdminOperations[Id]>[keyof OperationInput<AdminOperations[Id]>]
  : never;

/** The admin API of an explorer on a port. */
export interface ServedAdmin {
  /** The value of the header `admin-token`. */
  readonly token: string;
  /**
   * Calls an operation of the admin API and returns its results, decoded. `apiKey` selects a
   * tenant. Rejects with an `ApiError`, as the client does.
   *
   * @example
   * ```ts
   * const served = await serveExplorer(mock, { admin: true });
   * await served.admin?.request("mine", { blocks: 2 }); // { head: 94, transaction_hashes: [] }
   * ```
   */
  request<Id extends AdminOperationId>(
    operation: Id,
    input: OperationInput<AdminOperations[Id]> | BodyOf<Id>,
    options?: { readonly apiKey?: string },
  ): Promise<OperationResults<AdminOperations[Id]>>;
}

/** Removes the API key, so that the request addresses the explorer itself, not a tenant. */
const withoutKey: typeof fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.delete("api-key");
  return fetch(request);
};

export const servedAdmin = (baseUrl: string, token: string): ServedAdmin => ({
  token,
  request(operation, input, { apiKey } = {}) {
    const client = new ExplorerClient({
      baseUrl,
      // The client requires a key. This key is random and is not sent.
      apiKey: apiKey ?? crypto.randomUUID(),
      headers: { [TOKEN_HEADER]: token },
      ...(apiKey === undefined && { fetch: withoutKey }),
    });
    const definition: AnyOperation | undefined = adminOperations[operation];
    if (definition === undefined)
      throw new TypeError(
        `admin.request: no operation ${describe(operation)}${didYouMean(`${operation}`, Object.keys(adminOperations))}`,
      );
    const { wholeBody } = definition;
    // Over HTTP, this parameter is the whole body.
    const isBody = wholeBody !== undefined && !Object.hasOwn(Object(input), wholeBody);
    const parameters = decimalJson(isBody ? { [wholeBody]: input } : { ...Object(input) });
    // The types do not relate a name to its definition's results.
    return client.request(definition, JSON.parse(`${parameters}`)) as Promise<
      OperationResults<AdminOperations[typeof operation]>
    >;
  },
});
