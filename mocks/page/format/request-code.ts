// The requests of the journal: those that the page keeps, and each as others would send it, with curl and by the client.
import { type AnyOperation, type OperationId, operations } from "../../../src/contract/index.ts";
import type { Entry } from "../service/admin.ts";

/** Older requests are not kept on the page. */
export const MAX_ENTRIES = 1000;

/** The entries with those that changed in their places, and the newest of them all. */
export function merged(
  entries: readonly Entry[],
  changed: readonly Entry[],
  most = MAX_ENTRIES,
): readonly Entry[] {
  if (changed.length === 0) return entries;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  for (const entry of changed) byNumber.set(entry.number, entry);
  return [...byNumber.values()].sort((one, other) => one.number - other.number).slice(-most);
}

/** The fields of a journal entry that the code needs. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly operation?: string | undefined;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const operationOf = ({ operation }: SentRequest): AnyOperation | undefined =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId]
    : undefined;

/** The command that sends it again. The key is left to the environment: it is in no journal. */
export function curlOf(request: SentRequest, origin: string): string {
  const { method, target, input = {} } = request;
  const body = operationOf(request)?.places.body ?? [];
  const given = Object.fromEntries(
    body.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(origin + target)}`,
    '-H "api-key: $EXPLORER_API_KEY"',
    ...(body.length > 0
      ? ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(given))}`]
      : []),
  ].join(" ");
}

const literal = (value: unknown): string => JSON.stringify(value);

/** `{ limit: 3, condition: "from" }` */
const objectOf = (fields: readonly (readonly [string, unknown])[]): string =>
  `{ ${fields.map(([name, value]) => `${name}: ${literal(value)}`).join(", ")} }`;

/** The call of the client that sends it; undefined where no operation is meant, or its parameters were refused. */
export function clientCodeOf(request: SentRequest): string | undefined {
  const operation = operationOf(request);
  const { input, target } = request;
  if (operation === undefined || input === undefined) return undefined;
  const { path, query, body } = operation.places;
  const inQuery = new URLSearchParams(target.split("?")[1]);
  // The client sends defaults, too.
  const isDefault = (name: string) => {
    const { defaultValue } = Object(operation.input.shape[name]?._zod.def);
    return defaultValue !== undefined && `${defaultValue}` === `${input[name]}`;
  };
  const options = query
    .filter((name) => inQuery.has(name) && !isDefault(name))
    .map((name) => [name, input[name]] as const);
  const inBody = body
    .filter((name) => input[name] !== undefined)
    .map((name) => [name, input[name]] as const);
  const call = (...given: readonly string[]) =>
    `await explorer.${operation.id === "A1" ? "accounts.balances" : operation.name}(${given.join(", ")});`;
  if (operation.id === "A1") return call(literal(input.addresses));
  const positional = path.map((name) => literal(input[name]));
  if (operation.id === "B1") return call(`${input.block_number}n`);
  const rest = [...options, ...inBody];
  return call(...positional, ...(rest.length > 0 ? [objectOf(rest)] : []));
}
