// From an operation and its input to the HTTP request: parameters checked, each in its place, nothing able to leave it.
import { type AnyOperation, checkInput, type OperationInput } from "../contract/index.ts";
import { ParameterError } from "../errors/index.ts";

/** A request to the service, before the key is added. */
export interface PreparedRequest {
  readonly operation: AnyOperation;
  readonly url: string;
  /** The JSON of a POST. */
  readonly body: string | undefined;
  /** The input as it travels. */
  readonly wire: Readonly<Record<string, unknown>>;
}

/** Checks the input and writes the request; throws a {@link ParameterError} that names everything wrong with it. */
export function prepare<Op extends AnyOperation>(
  baseUrl: string,
  operation: Op,
  input: OperationInput<Op>,
): PreparedRequest {
  const wire = checked(operation, input);
  const { path, query, body } = operation.places;

  const search = new URLSearchParams();
  for (const name of query) if (wire[name] !== undefined) search.append(name, String(wire[name]));

  return {
    operation,
    wire,
    url: [
      baseUrl,
      operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(wire[name])),
      search.size ? `?${search}` : "",
    ].join(""),
    body: body.length
      ? JSON.stringify(Object.fromEntries(body.map((name) => [name, wire[name]])))
      : undefined,
  };

  /** Checked values have no slash or dot in them; encoding them all the same keeps it so. */
  function segment(value: unknown): string {
    if (!path.length) return "";
    return encodeURIComponent(String(value)).replaceAll(".", "%2E");
  }
}

/** The parameters that were given, checked; throws a {@link ParameterError} that names everything wrong with them. */
function checked(operation: AnyOperation, input: unknown): Readonly<Record<string, unknown>> {
  const { value, issues } = checkInput(operation, input);
  if (value === undefined)
    throw new ParameterError(`${operation.id} ${operation.name} was not sent`, issues, {
      operation: operation.id,
    });
  // What the service fills in by itself is left to it.
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => (Object(input)[name] ?? undefined) !== undefined),
  );
}
