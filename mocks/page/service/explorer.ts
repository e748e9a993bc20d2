// The page's clients: one that leaves no trace in faults and journal, and one that asks as any program does.
import { ExplorerClient } from "../../../src/client.ts";
import type { AnyOperation, OperationInput } from "../../../src/contract/index.ts";
import type { ExplorerClientOptions } from "../../../src/settings.ts";
import { type AnswerOf, type ViewName, type Views, views } from "../../inspect/views.ts";
import { keyToSend } from "./keys.ts";

/** Somebody waits: a service with faults is shown soon as what it is. */
const patience = { timeout: 8000, retry: { limit: 1, maxRetryAfter: 1000 } } as const;

/** Below `/inspect` the operations answer without faults and journal: who looks on changes no test. */
export const explorer = new ExplorerClient({
  ...patience,
  baseUrl: `${location.origin}/inspect`,
  apiKey: keyToSend,
});

/** As any program: faults strike it, and the journal has its requests. */
export const createServiceClient = (options: ExplorerClientOptions = {}) =>
  new ExplorerClient({
    retry: 0,
    baseUrl: location.origin,
    apiKey: keyToSend,
    ...options,
  });

const service = createServiceClient(patience);

type InputOf<Name extends ViewName> = OperationInput<Views[Name]>;

/** The parameters of a view; also as text, as they are in the page's address. */
export type ViewInput<Name extends ViewName> = {
  readonly [Key in keyof InputOf<Name>]: InputOf<Name>[Key] | string;
};

/** The answer of a view, decoded. */
export async function askView<Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options?: { readonly signal?: AbortSignal },
): Promise<AnswerOf<Name>> {
  const view: AnyOperation = views[name];
  // The types do not relate a name to its view's results.
  return (await service.request(view, input, options)) as AnswerOf<Name>;
}
