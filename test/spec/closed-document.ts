// openapi.json with closed objects, for ajv: an undeclared field is an error here, although clients
// keep it (R3).
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { packageFile } from "../../scripts/package-file.ts";
import { type OperationId, operations } from "../../src/contract/index.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The document with every object closed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, of]) => [key, closed(of)]));
  const isClosable = isObject(schema.properties) && schema.additionalProperties === undefined;
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}

type Json = Readonly<Record<string, unknown>>;

export const document = closed(JSON.parse(packageFile("openapi.json").read())) as Json;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, "openapi.json");

const media = ["content", "application/json", "schema"] as const;

/** Where the document has the schema of an answer: of a failure that no operation made, too. */
function placeOf(id: OperationId | undefined, status: number): readonly string[] {
  if (status !== 200 || id === undefined)
    return ["components", "responses", `Error${status}`, ...media];
  const { path, method } = operations[id];
  return ["paths", path, method.toLowerCase(), "responses", "200", ...media];
}

/** The schema of what an operation answers with HTTP 200. */
export const schemaOf = (id: OperationId): Json =>
  placeOf(id, 200).reduce<Json>((at, part) => at[part] as Json, document);

const escaped = (part: string) =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

const validators = new Map<string, ValidateFunction>();

/** Returns the objection of the closed document to a body; undefined if there is none. */
export function objection(
  id: OperationId | undefined,
  status: number,
  body: unknown,
): string | undefined {
  const $ref = `openapi.json#/${placeOf(id, status).map(escaped).join("/")}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate(body) ? undefined : `${id} ${status}: ${ajv.errorsText(validate.errors)}`;
}
