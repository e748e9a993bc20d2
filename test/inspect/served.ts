// A served explorer for the tests of `/inspect`: its views, the client of its API, and plain requests.
import { afterEach } from "vitest";
import { createExplorer, type Explorer, type ExplorerOptions } from "../../mocks/explorer.ts";
import { type AnswerOf, type ViewName, views } from "../../mocks/inspect/views.ts";
import type { ViewInput } from "../../mocks/page/service/inspect.ts";
import type { ServeOptions } from "../../mocks/port/options.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import type { AnyOperation } from "../../src/contract/index.ts";
import { ExplorerClient } from "../../src/index.ts";

/** Asks for a view, as the page does. */
type Inspector = <Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
) => Promise<AnswerOf<Name>>;

export interface Looked {
  readonly mock: Explorer;
  readonly served: ServedExplorer;
  readonly ask: Inspector;
  readonly client: ExplorerClient;
  /** Status and body of a request with an api-key. */
  readonly get: (target: string, init?: RequestInit) => Promise<{ status: number; body: unknown }>;
}

/** Repeats a failed request, because the port closes idle connections while a test computes. */
const steadyFetch: typeof fetch = (...given) => fetch(...given).catch(() => fetch(...given));

/** Reads the views of a service with an api-key. */
export function createInspector(baseUrl: string, apiKey: string, fetch = steadyFetch): Inspector {
  const client = new ExplorerClient({ baseUrl, apiKey, fetch, retry: 0 });
  return async (name, input) => {
    const view: AnyOperation = views[name];
    return (await client.request(view, input)) as AnswerOf<typeof name>;
  };
}

export async function look(
  explorerOptions: ExplorerOptions,
  serveOptions: ServeOptions = {},
  apiKey = "k",
): Promise<Looked> {
  const mock = createExplorer(explorerOptions);
  const served = await serveExplorer(mock, serveOptions);
  return {
    mock,
    served,
    ask: createInspector(served.url, apiKey),
    client: new ExplorerClient({ baseUrl: served.url, apiKey }),
    async get(target, init = {}) {
      const headers = { "api-key": apiKey, ...init.headers };
      const response = await fetch(`${served.url}${target}`, { ...init, headers });
      const text = await response.text();
      return { status: response.status, body: text === "" ? "" : JSON.parse(text) };
    },
  };
}

/** Like `look`, but closes the server after the test. */
export function lookEachTest(): typeof look {
  const open: ServedExplorer[] = [];
  afterEach(async () => {
    for (const served of open.splice(0)) await served.close({ graceMs: 0 });
  });
  return async (...given) => {
    const looked = await look(...given);
    open.push(looked.served);
    return looked;
  };
}

/** Reads all pages of a list view. */
export async function allPages<Answer extends { readonly next: string | null }, Item>(
  page: (before: string | undefined) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  let before: string | undefined;
  for (;;) {
    const answer = await page(before);
    items.push(...itemsOf(answer));
    if (answer.next === null) return items;
    before = answer.next;
  }
}
