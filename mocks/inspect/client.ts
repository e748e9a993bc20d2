// Asks for the views of `/inspect`, typed and decoded. Runs in browsers.
import { check, explain, isObject } from "../../src/models/issues.ts";
import { type AnswerOf, type View, type ViewName, views } from "./views.ts";

/** The names between braces in a path template. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type Value = string | number | bigint | undefined;

/** The parameters of a view: those of its path are required. */
export type ViewParameters<Name extends ViewName> = {
  readonly [Key in PathNames<(typeof views)[Name]["path"]>]: Value;
} & {
  readonly [Key in (typeof views)[Name]["query"][number]]?: Value;
};

/** A view that was refused: its HTTP status, and the service's message. */
export class InspectError extends Error {
  override readonly name = "InspectError";
  /** 0 where the answer has another form than expected. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface InspectorOptions {
  /** The service's address, without a path. */
  readonly baseUrl: string;
  /** Decides the tenant, as below `/v1`; the view `access` needs none. */
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** Asks for a view. Throws an {@link InspectError} for a refusal; `fetch` throws what it throws. */
export type Inspector = <Name extends ViewName>(
  name: Name,
  parameters: ViewParameters<Name>,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<AnswerOf<Name>>;

function urlOf(baseUrl: string, view: View, given: Readonly<Record<string, Value>>): string {
  const path = view.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  );
  const query = new URLSearchParams();
  for (const name of view.query) {
    const value = given[name];
    if (value !== undefined) query.set(name, String(value));
  }
  return `${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** The views of a service. */
export function createInspector({ baseUrl, apiKey, ...options }: InspectorOptions): Inspector {
  return async (name, parameters, { signal } = {}) => {
    const view: View = views[name];
    const { fetch = globalThis.fetch } = options;
    const response = await fetch(urlOf(baseUrl, view, parameters), {
      ...(apiKey === undefined ? {} : { headers: { "api-key": apiKey } }),
      ...(signal === undefined ? {} : { signal }),
    });
    const body: unknown = await response.json().catch(() => undefined);
    const { message, results } = isObject(body) ? body : {};
    if (!response.ok)
      throw new InspectError(response.status, String(message ?? `HTTP ${response.status}`));
    const { value, issues } = check(view.answer, results);
    if (issues) throw new InspectError(0, `${view.path}: results.${explain(issues[0])}`);
    return value as AnswerOf<typeof name>;
  };
}
